"""Cards as numbers, words and bits: rank `A23456789TJQK` + suit `CDHS`, ace high in the tables.

A card is a number: 0..51 is `suit * 13 + rank` with the suits in the order C D H S and the ranks low
to high (2 … A); then come the four wizards W1..W4 and the four jesters N1..N4 of Wizard. A hand is a
set of cards as the bits of one whole number. That makes ascending bits the canonical hand order.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"

NAMES: Final[tuple[str, ...]] = (
    *(rank + suit for suit in SUITS for rank in RANKS),
    *(kind + digit for kind in "WN" for digit in "1234"),
)
NUMBERS: Final[dict[str, int]] = {name: number for number, name in enumerate(NAMES)}
SUIT_BITS: Final[tuple[int, ...]] = tuple(0x1FFF << (13 * suit) for suit in range(4))


def suit_of(card: int) -> int:
    """0..3 for C D H S; 4 for wizards and jesters."""
    return card // 13


def bits_of(cards: Iterable[int]) -> int:
    """The hand that holds `cards`."""
    hand = 0
    for card in cards:
        hand |= 1 << card
    return hand


@lru_cache(4096)  # a hand is listed many times while it changes little
def cards_in(hand: int) -> tuple[int, ...]:
    """The cards of a hand in canonical order: C D H S, low to high."""
    return tuple([card for card in range(hand.bit_length()) if hand >> card & 1])


@lru_cache(4096)
def names_in(hand: int) -> tuple[str, ...]:
    """The cards of a hand as words, in canonical order."""
    return tuple([NAMES[card] for card in cards_in(hand)])


def hand_from(names: Iterable[str]) -> int:
    """The hand that holds the cards of these names.

    >>> names_in(hand_from(["KS", "2D", "AC"]))
    ('AC', '2D', 'KS')
    """
    return bits_of(NUMBERS[name] for name in names)
