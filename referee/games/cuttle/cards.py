"""Cards and actions of Cuttle as numbers and words.

Cuttle has an order of its own: ace low, and rank before suit. So a card is here `rank * 4 + suit`,
with ranks from the ace and suits C D H S: ascending numbers are the canonical order, and a higher
number is the higher card in a scuttle. Numbers of `referee.cards` do not come in here.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from referee.cards import SUITS, bits_of, lister

RANKS: Final = "A23456789TJQK"
ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = range(13)

NAMES: Final[tuple[str, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)
NUMBERS: Final[dict[str, int]] = {name: number for number, name in enumerate(NAMES)}
PACK: Final = (1 << len(NAMES)) - 1

# The cards of a set: aces first, kings last, each rank in the order C D H S; and the same as words.
# Most sets here are small and come again turn after turn, as targets or layouts: keeping them saves
# a tenth of the time of a legal list, and a third of that of a view.
cards_in: Final = lru_cache(4096)(lister(range(len(NAMES))))
names_in: Final = lru_cache(4096)(lister(NAMES))


def rank_of(card: int) -> int:
    """0 for an ace to 12 for a king."""
    return card >> 2


WORTH: Final = tuple(rank_of(card) + 1 for card in NUMBERS.values())  # in points: an ace is one


def _of_ranks(*ranks: int) -> int:
    return sum(0xF << 4 * rank for rank in ranks)


NUMBER_CARDS: Final = _of_ranks(*range(ACE, TEN + 1))
TWOS: Final = _of_ranks(TWO)
THREES: Final = _of_ranks(THREE)
JACKS: Final = _of_ranks(JACK)
QUEENS: Final = _of_ranks(QUEEN)
KINGS: Final = _of_ranks(KING)
PERMANENTS: Final = _of_ranks(EIGHT, QUEEN, KING)
AIMED: Final = _of_ranks(TWO, NINE)  # one-offs that name a target
ONE_OFFS: Final = _of_ranks(ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, NINE)


def _sunk_by(card: int, suit_order: str) -> int:
    """The point cards that this one scuttles: lower ranks, and lower suits of its own rank."""
    lower = (1 << (card & ~3)) - 1
    suits_below = suit_order[: suit_order.index(SUITS[card & 3])]
    return lower | bits_of((card & ~3) + SUITS.index(suit) for suit in suits_below)


SINKS: Final[dict[str, tuple[int, ...]]] = {
    order: tuple(_sunk_by(card, order) for card in cards_in(NUMBER_CARDS))
    for order in ("CDHS", "SHDC")
}


def names_of(cards: Iterable[int]) -> tuple[str, ...]:
    """The cards of a row as words, in the order of the row."""
    return tuple([NAMES[card] for card in cards])


def bits_from(names: Iterable[str]) -> int:
    """The set of the cards of these names.

    >>> names_in(bits_from(["KS", "2D", "AC"]))
    ('AC', '2D', 'KS')
    """
    return bits_of(NUMBERS[name] for name in names)


class Move(NamedTuple):
    """An action taken apart: `scuttle 9C 7H` is the verb and both cards."""

    verb: str
    cards: tuple[int, ...] = ()


# The verbs in canonical order, with how many cards each names (a discard: as many as are asked).
VERBS: Final[dict[str, tuple[int, ...]]] = {
    "draw": (0,),
    "pass": (0,),
    "points": (1,),
    "scuttle": (2,),
    "permanent": (1,),
    "jack": (2,),
    "oneoff": (1, 2),
    "decline": (0,),
    "counter": (1,),
    "take": (1,),
    "discard": tuple(range(1, len(NAMES))),
}


def words(verb: str, cards: Iterable[int]) -> str:
    """The action as it is written everywhere.

    >>> words("scuttle", [NUMBERS["9C"], NUMBERS["7H"]])
    'scuttle 9C 7H'
    """
    return " ".join([verb, *(NAMES[card] for card in cards)])


def _alone(verb: str) -> tuple[str, ...]:
    return tuple(f"{verb} {name}" for name in NAMES)


def _aimed(verb: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"{verb} {name} {target}" for target in NAMES) for name in NAMES)


POINTS: Final = _alone("points")
PERMANENT: Final = _alone("permanent")
ONE_OFF: Final = _alone("oneoff")
COUNTER: Final = _alone("counter")
TAKE: Final = _alone("take")
SCUTTLE: Final = _aimed("scuttle")
JACK_ON: Final = _aimed("jack")
ONE_OFF_AT: Final = _aimed("oneoff")


@lru_cache(16384)  # all actions of normal play, and most discards
def parse(action: str) -> Move | None:
    """The action taken apart, legal or not; None: no verb with the cards it wants."""
    verb, *names = action.split(" ")
    if len(names) not in VERBS.get(verb, ()) or not all(name in NUMBERS for name in names):
        return None
    return Move(verb, tuple([NUMBERS[name] for name in names]))
