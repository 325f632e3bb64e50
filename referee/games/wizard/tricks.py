"""Cards in a trick: what must be followed, who takes it, what a round is worth."""

from collections.abc import Iterable, Sequence
from typing import Final

from referee.cards import NAMES, NUMBERS, SUIT_BITS, hand_from

PACK: Final = len(NAMES)

# Suits are 0..3; 4 is none: the suit of wizards and jesters, of a trick that nobody must follow, and
# the trump of a round without one.
NO_SUIT: Final = 4
SUIT_OF: Final[tuple[int, ...]] = tuple(min(card // 13, NO_SUIT) for card in range(PACK))
FOLLOWING: Final[tuple[int, ...]] = (*SUIT_BITS, 0)

_FIRST_JESTER: Final = NUMBERS["N1"]
WIZARDS: Final = hand_from(["W1", "W2", "W3", "W4"])
SPECIALS: Final = WIZARDS | hand_from(["N1", "N2", "N3", "N4"])


def _power(card: int, trump: int, led: int) -> int:
    """What a card is worth in a trick; jesters and cards of other suits nothing."""
    if SUIT_OF[card] == NO_SUIT:
        return 0 if card >= _FIRST_JESTER else 100
    return (50 if SUIT_OF[card] == trump else 20 if SUIT_OF[card] == led else -20) + card % 13


_POWER: Final = [
    [[max(0, _power(card, trump, led)) for card in range(PACK)] for led in range(NO_SUIT + 1)]
    for trump in range(NO_SUIT + 1)
]


def led_suit(trick: Iterable[int]) -> int:
    """The suit to follow: that of the first card that is no jester."""
    for card in trick:
        if card < _FIRST_JESTER:
            return SUIT_OF[card]
    return NO_SUIT


def winner_of(trick: Sequence[int], trump: int) -> int:
    """Which card takes the trick, counted from the lead; of equals the first."""
    powers = _POWER[trump][led_suit(trick)]
    strengths = [powers[card] for card in trick]
    return strengths.index(max(strengths))


def playable(hand: int, led: int) -> int:
    """The cards of a hand that may be played when this suit is led."""
    following = hand & FOLLOWING[led]
    return following | hand & SPECIALS if following else hand


def points(bid: int, won: int) -> int:
    """What a seat scores in a round."""
    return 20 + 10 * won if bid == won else -10 * abs(bid - won)


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """1 is best; equal totals share the place."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
