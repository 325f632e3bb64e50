"""Wizard: bids what the hand is likely to win, and plays what makes the score likely to be high.

Every card gets a chance to win a trick; the chances of a hand give the chance of every number of
tricks, and these the points to expect of a bid or of a card. So it wins while tricks are wanted, and
throws away its most dangerous cards when they are not.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from referee.builtin.question import Question
from referee.cards import NUMBERS, SUIT_BITS, SUITS, cards_in, hand_from
from referee.games.wizard.shapes import View
from referee.games.wizard.tricks import (
    NO_SUIT,
    NOTHING,
    PACK,
    SUIT_OF,
    WIZARDS,
    joining,
    points,
    standing,
)

# Of many cards the one that would beat mine mostly falls on another trick: in tricks to come n cards
# threaten like n to the power of this. Tried out, as is the next.
_ELSEWHERE: Final = 0.3
# What a plain card loses because its suit may not be led any more: in full with a single card in hand,
# and ever less the more there are.
_UNLED: Final = 0.6


def choose(question: Question) -> str:
    """One of the legal actions."""
    view = msgspec.convert(question.state, View)
    return _BY_PHASE[view.phase](question, view)


def _trump(question: Question, view: View) -> str:
    """The suit with which the hand is likely to win most."""
    hand = _hand(view)

    def tricks(action: str) -> float:
        trump = SUITS.index(action[-1])
        rest = _Rest(view, trump)
        return sum([rest.later(card) for card in cards_in(hand)])

    return max(question.legal, key=tricks)


def _bid(question: Question, view: View) -> str:
    """The bid that promises most points."""
    rest = _Rest(view, _trump_of(view))
    tricks = _numbers_of_tricks([rest.later(card) for card in cards_in(_hand(view))])
    return max(question.legal, key=lambda action: _score(int(action[4:]), 0, tricks))


def _play(question: Question, view: View) -> str:
    """The card after which most points are to be expected."""
    rest = _Rest(view, _trump_of(view))
    later = {card: rest.later(card) for card in cards_in(_hand(view))}
    bid, won = view.bids[question.seat] or 0, view.won[question.seat]

    def expected(action: str) -> float:
        card = NUMBERS[action[5:]]
        now = rest.now(card)
        tricks = _numbers_of_tricks([later[other] for other in later if other != card])
        return now * _score(bid, won + 1, tricks) + (1 - now) * _score(bid, won, tricks)

    return max(question.legal, key=expected)


_BY_PHASE: Final[dict[str, Callable[[Question, View], str]]] = {
    "trump": _trump,
    "bid": _bid,
    "play": _play,
}


def _hand(view: View) -> int:
    assert view.hand is not UNSET
    return hand_from(view.hand)


def _trump_of(view: View) -> int:
    return NO_SUIT if view.trump is None else SUITS.index(view.trump)


def _numbers_of_tricks(chances: Sequence[float]) -> list[float]:
    """How likely each number of tricks is, as if every card won or lost for itself."""
    numbers = [1.0]
    for chance in chances:
        lost = 1 - chance
        numbers = [
            with_it * chance + without * lost
            for with_it, without in zip([0.0, *numbers], [*numbers, 0.0], strict=True)
        ]
    return numbers


def _score(bid: int, won: int, tricks: Sequence[float]) -> float:
    """The points to expect when so many tricks are won and more may follow."""
    return sum([chance * points(bid, won + more) for more, chance in enumerate(tricks)])


class _Rest:
    """The cards that the seat does not see, and how likely they beat one of its own."""

    def __init__(self, view: View, trump: int) -> None:
        hand = _hand(view)
        upcard = () if view.upcard is UNSET else (view.upcard,)
        shown = [name for trick in (*view.played, view.trick) for _, name in trick]
        self._unseen = (1 << PACK) - 1 & ~(hand | hand_from([*shown, *upcard]))
        self._count = max(1, self._unseen.bit_count())
        self._each = float(hand.bit_count())
        self._others = len(view.bids) - 1
        self._to_come = self._others - len(view.trick)
        self._trump = trump
        self._led, self._power, _ = standing([NUMBERS[name] for _, name in view.trick], trump)

    def now(self, card: int) -> float:
        """How likely the card takes the trick on the table."""
        led, power = joining(card, self._trump, self._led, self._power)
        if power <= self._power:
            return 0.0
        return self._unbeaten(card, led, self._each) ** self._to_come

    def later(self, card: int) -> float:
        """How likely the card takes a trick some time in the round."""
        led, power = joining(card, self._trump, NO_SUIT, NOTHING)
        if not power:  # a jester
            return 0.0
        chance = self._unbeaten(card, led, self._each**_ELSEWHERE) ** self._others
        plain = led not in (self._trump, NO_SUIT)
        return chance * (1 - _UNLED / self._each**0.5) if plain else chance

    def _unbeaten(self, card: int, led: int, cards: float) -> float:
        """How likely an opponent with so many cards has none that beats this one and may be played."""
        suit = SUIT_OF[card]
        if suit == NO_SUIT:  # of wizards the first one wins, and jesters win only among themselves
            return float(WIZARDS >> card & 1)
        higher = self._lacks(SUIT_BITS[suit] & -1 << card, cards)
        if suit != led:  # a trump on a plain suit that the opponent may have to follow
            higher = 1 - self._lacks(SUIT_BITS[led], cards) * (1 - higher)
        elif NO_SUIT != self._trump != suit:
            trumps = 1 - self._lacks(SUIT_BITS[self._trump], cards)
            higher *= 1 - self._lacks(SUIT_BITS[suit], cards) * trumps
        return higher * self._lacks(WIZARDS, cards)

    def _lacks(self, cards: int, of: float) -> float:
        """How likely an opponent with so many cards has none of these."""
        return math.pow(1 - (self._unseen & cards).bit_count() / self._count, of)
