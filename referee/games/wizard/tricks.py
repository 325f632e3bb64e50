"""Cards in a trick: what must be followed, who takes it, what a round is worth."""

from collections.abc import Iterable, Sequence
from typing import Final

from referee.cards import NAMES, NUMBERS, SUIT_BITS, hand_from

PACK: Final = len(NAMES)

# Suits are 0..3; 4 is none: the suit of wizards and jesters, of a trick that nobody must follow, and
# the trump of a round without one.
NO_SUIT: Final = 4
SUIT_OF: Final[tuple[int, ...]] = tuple(min(card // 13, NO_SUIT) for card in range(PACK))
NOTHING: Final = -1  # the power of an empty trick
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


def joining(card: int, trump: int, led: int, power: int) -> tuple[int, int]:
    """The suit led and the card's power, when it joins a trick of this suit and highest power."""
    if power <= 0:  # only jesters so far: this card sets the suit
        led = SUIT_OF[card]
    return led, _POWER[trump][led][card]


def standing(trick: Iterable[int], trump: int) -> tuple[int, int, int]:
    """Of the cards so far: the suit to follow, the highest power, and which card has it first."""
    led, highest, winner = NO_SUIT, NOTHING, 0
    for nth, card in enumerate(trick):
        led, power = joining(card, trump, led, highest)
        if power > highest:
            highest, winner = power, nth
    return led, highest, winner


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
