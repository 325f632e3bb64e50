"""Wizard as a beginner plays it: counts sure and likely tricks, bids them, and tries to make the bid.

All is said in chances: of each card, how likely it is to take a trick some time in the round.
"""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any, Final

from referee.builtin.question import Question
from referee.cards import RANKS, SUITS

PACK: Final = 60
WIZARDS: Final = 4
# A plain card must fear each trump, though less than a higher card of its suit. And of many cards in
# the hands a stronger one falls elsewhere more often than on mine. Tried out in games against itself.
FEAR_OF_TRUMPS: Final = 0.5
ELSEWHERE: Final = 0.6
NOT_FOLLOWED: Final = 0.7  # a plain card is worth nothing when another suit is led
OWN_HAND: Final = 0.8  # how far a bid goes by the hand, and not by what the others left
FIRST_WIZARD: Final = 0.97
SPARE: Final = 0.5  # tricks more than are wanted before likely ones are thrown away


def choose(question: Question) -> str:
    """One of the legal actions."""
    hand = question.state["hand"]
    if question.state["phase"] == "trump":
        return max(question.legal, key=lambda action: _as_trump(hand, action.split()[1]))
    if question.state["phase"] == "bid":
        return _bid(question)
    return f"play {_card(question)}"


def _as_trump(hand: Sequence[str], suit: str) -> float:
    """What a suit is worth as trump; many count more than high ones."""
    return sum(8 + RANKS.index(card[0]) for card in hand if _suit(card) == suit)


def _bid(question: Question) -> str:
    state = question.state
    hand = state["hand"]
    own = sum(_chance(card, hand, state) for card in hand)
    bids = [bid for bid in state["bids"] if bid is not None]
    left = max(0, state["cards"] - sum(bids)) / (len(state["bids"]) - len(bids))
    expected = OWN_HAND * own + (1 - OWN_HAND) * left
    # Ties go down: it is easier to lose a trick than to take one.
    return min(question.legal, key=lambda bid: (abs(int(bid.split()[1]) - expected), bid))


def _card(question: Question) -> str:
    state, seat = question.state, question.seat
    cards = [action.split()[1] for action in question.legal]
    hand, trick, trump = state["hand"], state["trick"], state["trump"]
    wanted = state["bids"][seat] - state["won"][seat]
    chances = {card: _chance(card, hand, state) for card in cards}
    rest = sum(_chance(card, hand, state) for card in hand)
    is_last = len(trick) == len(state["bids"]) - 1
    if wanted > 0 and rest <= wanted + SPARE:
        return _to_win(cards, chances, trick, trump, is_last=is_last)
    return _to_lose(cards, chances, trick, trump, is_last=is_last)


def _to_win(
    cards: Sequence[str],
    chances: Mapping[str, float],
    trick: Sequence[Any],
    trump: str | None,
    *,
    is_last: bool,
) -> str:
    """The cheapest card that takes the trick for sure, else the best one; if none can, the worst."""
    winners = [card for card in cards if _wins(card, trick, trump)]
    if not winners:
        return min(cards, key=chances.__getitem__)
    if is_last:
        return min(winners, key=chances.__getitem__)
    return max(winners, key=chances.__getitem__)


def _to_lose(
    cards: Sequence[str],
    chances: Mapping[str, float],
    trick: Sequence[Any],
    trump: str | None,
    *,
    is_last: bool,
) -> str:
    """The most dangerous card that does not take the trick, else the one that most likely will not."""
    losers = [card for card in cards if not _wins(card, trick, trump)]
    if losers:
        return max(losers, key=chances.__getitem__)
    if is_last:  # it is taken anyhow: by what would take another one
        return max(cards, key=chances.__getitem__)
    return min(cards, key=chances.__getitem__)


def _wins(card: str, trick: Sequence[Any], trump: str | None) -> bool:
    """Whether the card takes the trick as it stands; of an empty one, if it may be led to win."""
    before = [played for _, played in trick]
    if card[0] == "W":
        return not any(played[0] == "W" for played in before)
    led = next((_suit(played) for played in [*before, card] if played[0] != "N"), None)
    if card[0] == "N":
        return False
    power = _power(card, led, trump)
    return all(_power(played, led, trump) < power for played in before)


def _power(card: str, led: str | None, trump: str | None) -> int:
    if card[0] == "W":
        return 100
    if card[0] == "N":
        return -1
    rank = RANKS.index(card[0])
    if _suit(card) == trump:
        return 50 + rank
    return 20 + rank if _suit(card) == led else rank - 20


def _suit(card: str) -> str | None:
    """None for wizards and jesters (N)."""
    return card[1] if card[1] in SUITS else None


def _chance(card: str, hand: Sequence[str], state: Mapping[str, Any]) -> float:
    """How likely the card takes a trick, if it is tried."""
    if card[0] == "N":
        return 0.0
    if card[0] == "W":
        return FIRST_WIZARD
    players, trump = len(state["bids"]), state["trump"]
    gone = {played for trick in [*state["played"], state["trick"]] for _, played in trick}
    unseen = PACK - len(hand) - len(gone)
    in_play = min(1.0, (players - 1) * len(hand) / max(1, unseen))
    out = {*hand, *gone}
    wizards = WIZARDS - sum(other[0] == "W" for other in out)
    higher = wizards + sum(rank + card[1] not in out for rank in RANKS[RANKS.index(card[0]) + 1 :])
    followed = 1.0
    if card[1] != trump:
        if trump is not None:
            higher += FEAR_OF_TRUMPS * sum(rank + trump not in out for rank in RANKS)
        followed -= NOT_FOLLOWED * (players - 1) / players / len(hand) ** 0.5
    return followed * exp(-higher * in_play * len(hand) ** -ELSEWHERE)
