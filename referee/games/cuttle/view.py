"""What a seat may know, written out field by field: nothing gets into a view by itself."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.games.cuttle.cards import NAMES, names_in, names_of
from referee.games.cuttle.state import Pair, Pending, Phase, State, goal, scores, sees


class PointStack(msgspec.Struct, frozen=True):
    """A point card in play."""

    card: str
    owner: Annotated[int, Meta(description="the seat that played the point card")]
    jacks: Annotated[Sequence[str], Meta(description="bottom to top")]


class Announced(msgspec.Struct, frozen=True, kw_only=True):
    """The one-off that is being decided or carried out."""

    card: str
    seat: Annotated[int, Meta(description="who announced it")]
    target: str | UnsetType = UNSET
    counters: Annotated[Sequence[str], Meta(description="the twos played so far")]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The `state` of a turn: what the seat may know. Arrays are by seat."""

    phase: Phase
    turn: Annotated[int, Meta(description="counted from 1")]
    turn_player: int
    hand: Annotated[
        Sequence[str] | UnsetType, Meta(description="your own; left out for a spectator")
    ] = UNSET
    hand_sizes: Sequence[int]
    opponent_hand: Annotated[
        Sequence[str] | UnsetType, Meta(description="only while you may see it")
    ] = UNSET
    known: Annotated[
        Sequence[Sequence[str]],
        Meta(description="cards of each hand that the other player knows to be there"),
    ]
    points: Annotated[
        Sequence[Sequence[PointStack]], Meta(description="by who controls them, in the order laid")
    ]
    layouts: Annotated[Sequence[Sequence[str]], Meta(description="kings and queens")]
    glasses: Annotated[Sequence[Sequence[str]], Meta(description="eights, by who played them")]
    scores: Sequence[int]
    goals: Annotated[Sequence[int], Meta(description="the points that each seat needs to win")]
    deck: Annotated[int, Meta(description="cards left in the draw pile")]
    deck_top: Annotated[
        Sequence[str], Meta(description="its top cards that everybody knows, topmost first")
    ]
    scrap: Annotated[Sequence[str], Meta(description="the discard pile, oldest first")]
    pending: Annotated[
        Announced | UnsetType, Meta(description="the one-off being decided or carried out")
    ] = UNSET
    revealed: Annotated[Sequence[str], Meta(description="turned up by a seven, to be played now")]
    frozen: Annotated[
        Sequence[Sequence[str]], Meta(description="cards that may not be played this turn")
    ]
    passes: Annotated[int, Meta(description="passes in a row so far")]


def view_of(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator, who knows only what is public."""
    sees_other = seat is not None and sees(state, seat)
    return View(
        phase=state.phase,
        turn=state.turn,
        turn_player=state.turn_player,
        hand=UNSET if seat is None else names_in(state.hands[seat]),
        hand_sizes=(state.hands[0].bit_count(), state.hands[1].bit_count()),
        opponent_hand=names_in(state.hands[1 - seat]) if seat is not None and sees_other else UNSET,
        known=_both(known_to(state, seat)),
        points=(_stacks(state, 0), _stacks(state, 1)),
        layouts=_both(state.layouts),
        glasses=_both(state.glasses),
        scores=scores(state),
        goals=(goal(state, 0), goal(state, 1)),
        deck=len(state.deck),
        deck_top=names_of(state.deck[: state.known_top]),
        scrap=names_of(state.scrap),
        pending=_announced(state.pending) if state.pending else UNSET,
        revealed=names_of(state.revealed),
        frozen=_both(state.frozen),
        passes=state.passes,
    )


def known_to(state: State, seat: int | None) -> Pair:
    """Of each hand, the cards of which a seat knows that the player across knows them.

    Who wore glasses is public, so each seat also knows what the other has seen of its own hand.
    """
    if seat is None:
        return state.known
    return state.known[0] | state.seen[0], state.known[1] | state.seen[1]


def _both(pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return names_in(pair[0]), names_in(pair[1])


def _stacks(state: State, seat: int) -> tuple[PointStack, ...]:
    return tuple(
        [
            PointStack(NAMES[stack.card], stack.owner, names_of(stack.jacks))
            for stack in state.stacks
            if stack.controller == seat
        ]
    )


def _announced(pending: Pending) -> Announced:
    return Announced(
        card=NAMES[pending.card],
        seat=pending.seat,
        target=UNSET if pending.target is None else NAMES[pending.target],
        counters=names_of(pending.counters),
    )
