"""Cards as numbers, words and bits: rank `A23456789TJQK` + suit `CDHS`, ace high in the tables.

A card is a number: 0..51 is `suit * 13 + rank` with the suits in the order C D H S and the ranks low
to high (2 … A); then come the four wizards W1..W4 and the four jesters N1..N4 of Wizard. A hand is a
set of cards as the bits of one whole number. That makes ascending bits the canonical hand order.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"

NAMES: Final[tuple[str, ...]] = (
    *(rank + suit for suit in SUITS for rank in RANKS),
    *(kind + digit for kind in "WN" for digit in "1234"),
)
NUMBERS: Final[dict[str, int]] = {name: number for number, name in enumerate(NAMES)}
BITS: Final[tuple[int, ...]] = tuple(1 << card for card in range(len(NAMES)))
_BIT_OF: Final[dict[str, int]] = dict(zip(NAMES, BITS, strict=True))
SUIT_BITS: Final[tuple[int, ...]] = tuple(0x1FFF << (13 * suit) for suit in range(4))


def suit_of(card: int) -> int:
    """0..3 for C D H S; 4 for wizards and jesters."""
    return card // 13


def bits_of(cards: Iterable[int]) -> int:
    """The hand that holds `cards`."""
    hand = 0
    for card in cards:
        hand |= BITS[card]  # a third faster than `1 << card`
    return hand


def _sets_of(words: Sequence[T]) -> list[tuple[T, ...]]:
    """The words of every set of these cards, at the set's bits."""
    sets: list[tuple[T, ...]] = [()]
    for word in words:
        sets += [(*smaller, word) for smaller in sets]
    return sets


def lister(words: Sequence[T]) -> Callable[[int], tuple[T, ...]]:
    """What lists the words of any set of cards in canonical order, given a word for each card.

    A referee's time goes here: six looks at tables are 3 to 8 times as fast as a look at each card.
    """
    first, second, third, fourth, fifth, sixth = [
        _sets_of(words[start : start + 10]) for start in range(0, 60, 10)
    ]

    def listed(cards: int) -> tuple[T, ...]:
        return (
            first[cards & 1023]
            + second[cards >> 10 & 1023]
            + third[cards >> 20 & 1023]
            + fourth[cards >> 30 & 1023]
            + fifth[cards >> 40 & 1023]
            + sixth[cards >> 50]
        )

    return listed


# The cards of a hand in canonical order: C D H S, low to high; and the same as words.
cards_in: Final = lister(range(len(NAMES)))
names_in: Final = lister(NAMES)


def hand_from(names: Iterable[str]) -> int:
    """The hand that holds the cards of these names.

    >>> names_in(hand_from(["KS", "2D", "AC"]))
    ('AC', '2D', 'KS')
    """
    hand = 0
    for name in names:
        hand |= _BIT_OF[name]
    return hand
