"""From state to state: leads, beats, takings, and how a game ends."""

from typing import Final, Literal

import msgspec

from referee.cards import NAMES, SUITS, bits_of, lister, suit_of
from referee.games.svoyi_koziri.shapes import NO_POSITIONS, Options, Position, Positions, State

TAKE: Final = "take"
PACK: Final = range(52)
PLAY: Final[tuple[str, ...]] = tuple(f"play {name}" for name in NAMES[: PACK.stop])
CARD_OF: Final[dict[str, int]] = {action: card for card, action in enumerate(PLAY)}

plays: Final = lister(PLAY)  # for each card of a set


def beats(card: int, led: int, own_trump: int) -> bool:
    """Whether the replier, whose trump suit is `own_trump`, beats the led card with `card`."""
    if suit_of(card) == suit_of(led):
        return card > led
    return suit_of(card) == own_trump


# By own trump and led card, all cards that beat it.
_BEATING: Final = [
    [bits_of([card for card in PACK if beats(card, led, own_trump)]) for led in PACK]
    for own_trump in range(len(SUITS))
]


def beating(hand: int, led: int, own_trump: int) -> int:
    """The cards of a hand that beat the led card."""
    return hand & _BEATING[own_trump][led]


def choices(state: State) -> tuple[bool, int]:
    """Whether the seat to move may take, and the cards that it may play."""
    if state.led is None:
        return False, state.hands[state.leader]
    replier = 1 - state.leader
    cards = beating(state.hands[replier], state.led, state.trumps[replier])
    return not cards or state.options.take == "free", cards


def noted(positions: Positions, position: Position) -> Positions:
    """The positions, and one more."""
    place = position[0] % len(positions)
    noted = [*positions]
    noted[place] = (*noted[place], position)
    return tuple(noted)


def at_lead(state: State) -> State:
    """The state with its position counted; a draw when it has now occurred too often."""
    position = (*state.hands, state.leader)
    occurrences = state.positions[position[0] % len(state.positions)].count(position) + 1
    limit = state.options.repetition
    drawn = limit and occurrences >= limit
    return msgspec.structs.replace(
        state,
        positions=noted(state.positions, position),
        occurrences=occurrences,
        over="repetition" if drawn else _ply_limit(state.options, state.plies),
    )


def recounted(state: State, count: int) -> State:
    """The state whose last lead was at a position that has occurred so often."""
    led = 0 if state.led is None else 1 << state.led
    hands = _with_hand(state, state.leader, state.hands[state.leader] | led)
    positions = NO_POSITIONS
    for _ in range(count):
        positions = noted(positions, (*hands, state.leader))
    counted = msgspec.structs.replace(state, positions=positions, occurrences=count)
    if not all(state.hands):
        return msgspec.structs.replace(counted, over="out")
    drawn = 0 < state.options.repetition <= count
    limit = _ply_limit(state.options, state.plies)
    return msgspec.structs.replace(counted, over="repetition" if drawn else limit)


def _ply_limit(options: Options, plies: int) -> Literal["ply_limit"] | None:
    assert options.max_plies is not None
    return "ply_limit" if plies >= options.max_plies else None


def _with_hand(state: State, seat: int, hand: int) -> tuple[int, int]:
    return (hand, state.hands[1]) if seat == 0 else (state.hands[0], hand)


def played(state: State, seat: int, card: int) -> State:
    """The state after a lead or a beat. Going out on the last allowed ply is a win."""
    hand, plies = state.hands[seat] & ~(1 << card), state.plies + 1
    is_lead = state.led is None
    limit = _ply_limit(state.options, plies) if is_lead else None
    after = State(
        options=state.options,
        trumps=state.trumps,
        leader=seat,  # a beater leads next
        hands=_with_hand(state, seat, hand),
        pile=(*state.pile, card),
        led=card if is_lead else None,
        plies=plies,
        positions=state.positions,
        occurrences=state.occurrences,
        over=limit if hand else "out",
    )
    return after if is_lead or not hand else at_lead(after)


def taken(state: State, seat: int) -> State:
    """The state after a taking: the pile is in the taker's hand, the table is empty."""
    hand = state.hands[seat] | bits_of(state.pile)
    return at_lead(
        State(
            options=state.options,
            trumps=state.trumps,
            leader=seat if state.options.after_take == "taker" else state.leader,
            hands=_with_hand(state, seat, hand),
            plies=state.plies + 1,
            positions=state.positions,
        )
    )
