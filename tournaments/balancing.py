"""A choice of tables in which all bots sit, and all pairs meet, about equally often. Pure.

Greedy, then improved by random exchanges. For up to ten bots it finds an exact balance wherever there is
one (a balanced incomplete block design); beyond, pairs differ by one or two meetings.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import combinations
from math import comb
from random import Random
from typing import Final

import msgspec

from tournaments.schedule import ScheduleError, Table

_SWAPS: Final = 20_000
_LOOK_EVERY: Final = 100
_KEEP_EQUAL: Final = 0.3  # how often an exchange is kept that makes it neither better nor worse


class Balance(msgspec.Struct, frozen=True):
    """How even a choice of tables is: the fewest and the most, over all bots and all pairs."""

    appearances: tuple[int, int]
    meetings: tuple[int, int]


def balance(tables: Iterable[Table], count: int) -> Balance:
    """How even these tables of `count` bots are."""
    seated = dict.fromkeys(range(count), 0)
    met = dict.fromkeys(combinations(range(count), 2), 0)
    for table in tables:
        for bot in table:
            seated[bot] += 1
        for pair in combinations(sorted(table), 2):
            met[pair] += 1
    return Balance(
        (min(seated.values()), max(seated.values())), (min(met.values()), max(met.values()))
    )


def balanced_tables(count: int, seats: int, tables: int, seed: str) -> list[Table]:
    """So many different tables of `count` bots, as even as can be; `seed` makes it repeatable.

    Raises `ScheduleError` when there are not so many.
    """
    most = comb(count, seats)
    if not 0 < tables <= most:
        raise ScheduleError(f"{count} bots form {most} tables of {seats}, not {tables}")
    draft = _Draft(count, seats, Random(int.from_bytes(blake2b(seed.encode()).digest())))
    for _ in range(tables):
        draft.add()
    for number in range(_SWAPS if tables > 1 else 0):
        if number % _LOOK_EVERY == 0 and draft.is_even():
            break
        draft.exchange()
    return sorted(tuple(sorted(table)) for table in draft.tables)


class _Draft:
    """Tables while they are being chosen, and how often each pair meets at them."""

    def __init__(self, count: int, seats: int, rng: Random) -> None:
        self._count, self._seats, self._rng = count, seats, rng
        self._seated: Counter[int] = Counter()
        self._met: Counter[frozenset[int]] = Counter()
        self.tables: list[frozenset[int]] = []

    def add(self) -> None:
        """One more table: of those who have sat least, who have met each other least."""
        table: frozenset[int] = frozenset()
        while len(table) < self._seats:
            free = [bot for bot in range(self._count) if bot not in table]
            self._rng.shuffle(free)
            table |= {min(free, key=lambda bot: (self._seated[bot], self._known(table, bot)))}
        if table in self.tables:
            every = (frozenset(each) for each in combinations(range(self._count), self._seats))
            left = [each for each in every if each not in self.tables]
            table = min(left, key=lambda each: sum(self._seated[bot] for bot in each))
        self.tables.append(table)
        self._seated.update(table)
        self._met.update(map(frozenset, combinations(table, 2)))

    def is_even(self) -> bool:
        """Whether no exchange can make the pairs more even."""
        met = [self._met[frozenset(pair)] for pair in combinations(range(self._count), 2)]
        return max(met) - min(met) <= 1

    def exchange(self) -> None:
        """Two bots change tables, if the pairs become no less even by it."""
        one, other = self._rng.sample(range(len(self.tables)), 2)
        ours = self.tables[one] - self.tables[other]
        theirs = self.tables[other] - self.tables[one]
        leaving, coming = self._any(ours), self._any(theirs)
        new_one = self.tables[one] - {leaving} | {coming}
        new_other = self.tables[other] - {coming} | {leaving}
        if new_one == new_other or new_one in self.tables or new_other in self.tables:
            return
        change: Counter[frozenset[int]] = Counter()
        for stay, out, into in (
            (self.tables[one] - {leaving}, leaving, coming),
            (self.tables[other] - {coming}, coming, leaving),
        ):
            change.subtract(frozenset((bot, out)) for bot in stay)
            change.update(frozenset((bot, into)) for bot in stay)
        worse = sum((self._met[p] + by) ** 2 - self._met[p] ** 2 for p, by in change.items())
        if worse < 0 or (worse == 0 and self._rng.uniform(0, 1) < _KEEP_EQUAL):
            self.tables[one], self.tables[other] = new_one, new_other
            self._met.update(change)

    def _known(self, table: Iterable[int], bot: int) -> int:
        return sum(self._met[frozenset((other, bot))] for other in table)

    def _any(self, bots: Iterable[int]) -> int:
        choice: Sequence[int] = sorted(bots)
        return self._rng.choice(choice)
