"""From state to state: the deal of a round, trump, bids, cards, scores."""

from typing import Final, TypeVar

import msgspec

from referee.cards import BITS, NAMES, SUITS, lister
from referee.games.wizard.shapes import LARGEST_ROUND, SEATS, Options, PlayedCard, Round, State
from referee.games.wizard.tricks import (
    NO_SUIT,
    NOTHING,
    SUIT_OF,
    WIZARDS,
    joining,
    places,
    points,
)

TRUMP: Final[tuple[str, ...]] = tuple(f"trump {suit}" for suit in SUITS)
BID: Final[tuple[str, ...]] = tuple(f"bid {tricks}" for tricks in range(LARGEST_ROUND + 1))
PLAY: Final[tuple[str, ...]] = tuple(f"play {name}" for name in NAMES)
CARD_OF: Final[dict[str, int]] = {action: card for card, action in enumerate(PLAY)}
_BID_OF: Final[dict[str, int]] = {action: tricks for tricks, action in enumerate(BID)}

# Tuples of one, because `trick + one` is twice as fast as `(*trick, card)`.
_PLAYED: Final[list[list[tuple[PlayedCard]]]] = [
    [((seat, name),) for name in NAMES] for seat in range(SEATS.stop)
]

T = TypeVar("T")


def begun(
    options: Options, rounds: int, now: Round, ahead: tuple[Round, ...], scores: tuple[int, ...]
) -> State:
    """The state after the deal of a round. A wizard turned up: the dealer names the trump."""
    seats, upcard = len(now.hands), now.upcard
    trump = NO_SUIT if upcard is None else SUIT_OF[upcard]
    naming = upcard is not None and bool(WIZARDS >> upcard & 1)
    left = (now.dealer + 1) % seats
    return State(
        options=options,
        rounds=rounds,
        ahead=ahead,
        round=now,
        phase="trump" if naming else "bid",
        mover=now.dealer if naming else left,
        hands=now.hands,
        trump=trump,
        bids=(None,) * seats,
        won=(0,) * seats,
        leader=left,
        trick=(),
        led=NO_SUIT,
        power=NOTHING,
        winner=left,
        played=(),
        scores=scores,
    )


plays: Final = lister(PLAY)  # for each card of a set


def with_trump(state: State, action: str) -> State:
    """The dealer has named the trump."""
    trump = TRUMP.index(action)
    return msgspec.structs.replace(state, phase="bid", mover=state.leader, trump=trump)


def bids_allowed(state: State) -> tuple[str, ...]:
    """The bids that the rule leaves."""
    cards, barred = state.round.cards, _barred_bid(state)
    if barred is None or not 0 <= barred <= cards:
        return BID[: cards + 1]
    return (*BID[:barred], *BID[barred + 1 : cards + 1])


def _barred_bid(state: State) -> int | None:
    """The bid that would make the bids add up to the tricks, where the rule forbids it."""
    dealer, rule = state.round.dealer, state.options.bid_rule
    if rule == "free" or state.mover != dealer:
        return None
    even = state.round.cards - sum(bid for bid in state.bids if bid is not None)
    if rule == "hook":
        return even
    # Canadian: only a dealer who leads alone is bound, and 0 stays allowed.
    leads_alone = places(state.scores).count(1) == 1 and places(state.scores)[dealer] == 1
    return even if leads_alone and even != 0 else None


def with_bid(state: State, action: str) -> State:
    """The state after a bid; the dealer's is the last."""
    assert state.mover is not None
    bids = _put(state.bids, state.mover, _BID_OF[action])
    last = state.mover == state.round.dealer
    mover = (state.mover + 1) % len(bids)  # after the dealer comes the leader
    return msgspec.structs.replace(state, phase="play" if last else "bid", mover=mover, bids=bids)


def with_card(state: State, seat: int, card: int) -> State:
    """The state after a card, with the trick, the round and the next deal that it brings about."""
    left = [*state.hands]
    left[seat] ^= BITS[card]
    hands = tuple(left)
    trick = state.trick + _PLAYED[seat][card]
    led, power = joining(card, state.trump, state.led, state.power)
    winner, leader, mover = seat, state.leader, seat + 1
    if mover == len(hands):
        mover = 0
    if power <= state.power:
        winner, power = state.winner, state.power
    won, played = state.won, state.played
    if len(trick) == len(hands):
        leader = mover = winner
        won = _put(won, winner, won[winner] + 1)
        played = (*played, trick)
        trick, led, power = (), NO_SUIT, NOTHING
    after = State(
        state.options,
        state.rounds,
        state.ahead,
        state.round,
        "play",
        mover,
        hands,
        state.trump,
        state.bids,
        won,
        leader,
        trick,
        led,
        power,
        winner,
        played,
        state.scores,
    )
    return after if hands[mover] else _scored(after)


def _scored(state: State) -> State:
    """The state when the round's last trick is taken: the next round, or the end."""
    scores = tuple(
        score + points(bid or 0, won)
        for score, bid, won in zip(state.scores, state.bids, state.won, strict=True)
    )
    if not state.ahead:
        return msgspec.structs.replace(state, mover=None, scores=scores)
    return begun(state.options, state.rounds, state.ahead[0], state.ahead[1:], scores)


def _put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    changed = [*values]
    changed[seat] = value
    return tuple(changed)
