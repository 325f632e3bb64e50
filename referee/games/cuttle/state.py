"""The whole truth of a game of Cuttle, and what follows from it alone: control, scores, sight."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.cards import bits_of
from referee.games.cuttle.cards import KINGS, QUEENS, WORTH
from referee.games.cuttle.options import Options

Phase: TypeAlias = Literal["main", "counter", "three", "four", "seven", "five", "limit", "over"]
Reason: TypeAlias = Literal["points", "stalemate", "turn_limit"]
Pair: TypeAlias = tuple[int, int]

NONE: Final[Pair] = (0, 0)


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The order of the pack. Seat 0 gets the first five cards, seat 1 the next six.

    `lot` is there only under `four_mode = "random"`, the one rule that draws after the shuffle: it
    seeds the draw for the first such four, and that draw gives the lot of the next one. So a log
    replays to the same cards, and since no view shows the lot, nobody can foresee them.
    """

    deck: Annotated[tuple[str, ...], Meta(description="52 cards, the top one first")]
    lot: Annotated[
        int | UnsetType, Meta(description="seeds the draws for fours; only when they are random")
    ] = UNSET


class Stack(msgspec.Struct, frozen=True):
    """A point card, who played it, and the jacks on it from bottom to top."""

    card: int
    owner: int
    jacks: tuple[int, ...] = ()

    @property
    def controller(self) -> int:
        """Each jack is played against the controller before it, so they alternate."""
        return self.owner ^ len(self.jacks) & 1

    @property
    def cards(self) -> tuple[int, ...]:
        return (self.card, *self.jacks)


class Pending(msgspec.Struct, frozen=True):
    """The one-off that is being decided or carried out: its target, and the twos played so far."""

    card: int
    seat: int
    target: int | None = None
    counters: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True, dict=True):  # the dict is for `legal_actions` alone
    """The whole truth. Sets of cards are bits; pairs are by seat; the first card of `deck` is its top.

    An announced one-off lies in the scrap already; `pending` only says what it is about.
    """

    options: Options
    hands: Pair
    deck: tuple[int, ...]
    stacks: tuple[Stack, ...] = ()  # in the order in which their point cards were laid
    layouts: Pair = NONE
    glasses: Pair = NONE
    scrap: tuple[int, ...] = ()
    phase: Phase = "main"
    turn: int = 1
    turn_player: int = 0
    to_move: int = 0
    pending: Pending | None = None
    revealed: tuple[int, ...] = ()
    known: Pair = NONE  # cards of each hand that are public
    seen: Pair = NONE  # cards of each hand that the other player has seen through glasses
    known_top: int = 0  # how many cards on top of the deck are public
    frozen: Pair = NONE
    passes: int = 0
    lot: int | None = None
    over: Reason | None = None
    winner: int | None = None


def put(pair: Pair, seat: int, value: int) -> Pair:
    """The pair with another value for this seat."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def point_cards(state: State, seat: int) -> int:
    """The point cards that this seat controls."""
    return bits_of([stack.card for stack in state.stacks if stack.controller == seat])


def top_jacks(state: State, seat: int) -> int:
    """The topmost jacks of the stacks that this seat controls through them."""
    jacks = [stack.jacks[-1] for stack in state.stacks if stack.jacks and stack.controller == seat]
    return bits_of(jacks) if jacks else 0


def scores(state: State) -> Pair:
    """The points in play by who controls them."""
    points = [0, 0]
    for stack in state.stacks:
        points[stack.controller] += WORTH[stack.card]
    return points[0], points[1]


def goal(state: State, seat: int) -> int:
    """The points that this seat needs to win."""
    return state.options.king_goals[(state.layouts[seat] & KINGS).bit_count()]


def queens(state: State, seat: int) -> int:
    """The queens in this seat's layout."""
    return state.layouts[seat] & QUEENS


def pile_left(state: State) -> int:
    """Cards in the draw pile once the card in question has left it.

    Of two cards turned up by a seven one goes back before the other does anything.
    """
    return len(state.deck) + max(0, len(state.revealed) - 1)


def sees(state: State, seat: int) -> bool:
    """Whether this seat sees the other hand."""
    if state.glasses[seat]:
        return True
    return state.options.empty_pile_reveals and not pile_left(state)


def holder(state: State, card: int) -> int:
    """Whose card this is: in hand or in play; a card from the pile is the turn player's."""
    bit = 1 << card
    for seat in (0, 1):
        if (state.hands[seat] | state.layouts[seat] | state.glasses[seat]) & bit:
            return seat
    for stack in state.stacks:
        if card in stack.cards:
            return stack.controller
    return state.turn_player
