"""Other truths that a seat cannot tell from the real one: for its search, and to test secrecy."""

from collections.abc import Sequence
from random import Random

from msgspec import UNSET
from msgspec.structs import replace

from referee.cards import bits_of, cards_in
from referee.games.cuttle.cards import NUMBERS, PACK, bits_from
from referee.games.cuttle.effects import LOTS, ending, settled
from referee.games.cuttle.options import Options
from referee.games.cuttle.state import Pair, Pending, Stack, State, put
from referee.games.cuttle.view import Announced, View


def redealt(state: State, seat: int, rng: Random) -> State:
    """The state with the cards that `seat` cannot place dealt anew."""
    other = 1 - seat
    kept = state.known[other] | state.seen[other]
    top, rest = state.deck[: state.known_top], state.deck[state.known_top :]
    hidden = cards_in(state.hands[other] & ~kept)
    unplaced = [*hidden, *rest]
    rng.shuffle(unplaced)
    hand = kept | bits_of(unplaced[: len(hidden)])
    return replace(
        state,
        hands=put(state.hands, other, hand),
        deck=(*top, *unplaced[len(hidden) :]),
        lot=None if state.lot is None else rng.randrange(LOTS),
    )


def determinized(view: View, seat: int, options: Options, rng: Random) -> State:
    """A full state in which `seat` has exactly this view."""
    other = 1 - seat
    kept = bits_from(view.known[other] if view.opponent_hand is UNSET else view.opponent_hand)
    assert view.hand is not UNSET
    state = _visible(view, put(put((0, 0), seat, bits_from(view.hand)), other, kept), options)
    unplaced = [*cards_in(PACK & ~_placed(state))]
    rng.shuffle(unplaced)
    missing = view.hand_sizes[other] - kept.bit_count()
    hand = kept | bits_of(unplaced[:missing])
    state = replace(
        state,
        hands=put(state.hands, other, hand),
        deck=(*state.deck, *unplaced[missing:]),
        lot=rng.randrange(LOTS) if options.four_mode == "random" else None,
    )
    end = ending(state) if view.phase == "over" else None
    return settled(replace(state, over=end[0], winner=end[1]) if end else state)


def _visible(view: View, hands: Pair, options: Options) -> State:
    """The part of the state that the view shows."""
    stacks = [
        Stack(NUMBERS[stack.card], stack.owner, _row(stack.jacks))
        for side in view.points
        for stack in side
    ]
    return State(
        options=options,
        hands=hands,
        deck=_row(view.deck_top),
        stacks=tuple(stacks),
        layouts=_pair(view.layouts),
        glasses=_pair(view.glasses),
        scrap=_row(view.scrap),
        phase=view.phase,
        turn=view.turn,
        turn_player=view.turn_player,
        to_move=_to_move(view),
        pending=None if view.pending is UNSET else _pending(view.pending),
        revealed=_row(view.revealed),
        known=_pair(view.known),
        known_top=len(view.deck_top),
        frozen=_pair(view.frozen),
        passes=view.passes,
    )


def _row(names: Sequence[str]) -> tuple[int, ...]:
    return tuple([NUMBERS[name] for name in names])


def _pair(names: Sequence[Sequence[str]]) -> Pair:
    return bits_from(names[0]), bits_from(names[1])


def _pending(shown: Announced) -> Pending:
    target = None if shown.target is UNSET else NUMBERS[shown.target]
    return Pending(NUMBERS[shown.card], shown.seat, target, _row(shown.counters))


def _to_move(view: View) -> int:
    """The turn player, but in a counter window the seats alternate, and a four asks its victim."""
    if view.phase == "four":
        return 1 - view.turn_player
    if view.phase != "counter":
        return view.turn_player
    assert view.pending is not UNSET
    return (1 - view.pending.seat) ^ len(view.pending.counters) & 1


def _placed(state: State) -> int:
    """All cards that lie somewhere."""
    rows = [*state.deck, *state.scrap, *state.revealed]
    on_table = [card for stack in state.stacks for card in stack.cards]
    pairs = (state.hands, state.layouts, state.glasses)
    return bits_of([*rows, *on_table]) | _union(pairs)


def _union(pairs: tuple[Pair, ...]) -> int:
    union = 0
    for one, other in pairs:
        union |= one | other
    return union
