"""Which games count, and what is counted of them: plain sums, without a word on chance.

A block counts when all its games are there and all blocks before it count. Else fast games would count
before slow ones, and tables would lean to whoever loses slowly.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, count
from math import fsum
from typing import TypeAlias

import msgspec

from tournaments.intervals import score_interval
from tournaments.shapes import Meeting, Played
from tournaments.tiebreaks import Crosstable

Seats: TypeAlias = Sequence[tuple[Played, int]]
"""A bot's games, and its seat in each."""

Pair: TypeAlias = tuple[int, int]


def in_blocks(played: Iterable[Played]) -> dict[int, list[Played]]:
    """Games by the number of their block; blocks and turns in order."""
    blocks: dict[int, list[Played]] = {}
    for game in sorted(played, key=lambda game: (game.block, game.turn)):
        blocks.setdefault(game.block, []).append(game)
    return blocks


def whole(played: Iterable[Played], seats: int) -> list[Played]:
    """The games of whole blocks, wherever these are."""
    blocks = in_blocks(played).values()
    return [game for block in blocks if _is_whole(block, seats) for game in block]


def whole_prefix(played: Iterable[Played], seats: int) -> list[Played]:
    """The games of blocks 0, 1, 2 and so on, up to the first that is not whole."""
    blocks = in_blocks(played)
    counted: list[Played] = []
    for number in count():
        block = blocks.get(number, [])
        if not _is_whole(block, seats):
            return counted
        counted += block
    raise AssertionError


def _is_whole(block: Sequence[Played], seats: int) -> bool:
    return [game.turn for game in block] == list(range(seats))


def points(game: Played, seat: int) -> float:
    """1 for a sole first place, one half for a shared one, else 0."""
    if game.places[seat] > 1:
        return 0.0
    return 1.0 if game.places.count(1) == 1 else 0.5


def worth(game: Played, seat: int) -> float:
    """What the game counts for a bot: points of a win with two seats, game points with more."""
    return points(game, seat) if len(game.bots) == 2 else game.scores[seat]


def above(game: Played, seat: int, other: int) -> float:
    """1 when it is placed above the other, one half beside it, 0 below."""
    mine, theirs = game.places[seat], game.places[other]
    return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0


def place(game: Played, seat: int) -> float:
    """The place; who shares places gets the mean of them: 1, 2.5, 2.5, 4."""
    mine = game.places[seat]
    return mine + (game.places.count(mine) - 1) / 2


def mean(values: Sequence[float]) -> float | None:
    """None without a value."""
    return fsum(values) / len(values) if values else None


def seats_of(bots: int, games: Iterable[Played]) -> list[list[tuple[Played, int]]]:
    """For each bot its games and seats."""
    seats: list[list[tuple[Played, int]]] = [[] for _ in range(bots)]
    for game in games:
        for seat, bot in enumerate(game.bots):
            seats[bot].append((game, seat))
    return seats


def win_share(seats: Seats) -> float:
    """The share of first places; who shares one with another has half of it."""
    firsts = Counter(game.places.count(1) for game, seat in seats if game.places[seat] == 1)
    return sum(times / among for among, times in sorted(firsts.items())) / max(1, len(seats))


class Units(msgspec.Struct, frozen=True):
    """What varies by chance: the unit of each whole block, and the group of units that each belongs to.

    A unit is a block, and its group is its table: who sits there is no chance. When tables share deals, a unit
    is a deal at all tables, and there are no groups.
    """

    of_block: Mapping[int, int]
    group: Mapping[int, int]

    def means(self, values: Iterable[tuple[Played, float]]) -> tuple[list[float], list[int] | None]:
        """The mean of each unit, and the units' groups; games of broken blocks are left out."""
        units: dict[int, list[float]] = {}
        for game, value in values:
            if game.block in self.of_block:
                units.setdefault(self.of_block[game.block], []).append(value)
        means = [fsum(each) / len(each) for each in units.values()]
        return means, [self.group[unit] for unit in units] if self.group else None


def units_of(games: Iterable[Played], deals: Sequence[int]) -> Units:
    """`games` are those of whole blocks; `deals`, when tables share them, is the deal of each block."""
    tables: dict[tuple[int, ...], int] = {}
    of_block, group = {}, {}
    for game in games:
        of_block[game.block] = deals[game.block] if deals else game.block
        group[game.block] = tables.setdefault(tuple(sorted(game.bots)), len(tables))
    return Units(of_block, {} if deals else group)


class Meetings:
    """All that two bots did in the games they had in common, pair by pair."""

    def __init__(self, bots: int, games: Iterable[Played]) -> None:
        self._bots = bots
        self._pairs: dict[Pair, list[tuple[Played, int, int]]] = {}
        for game in games:
            seated = sorted((bot, seat) for seat, bot in enumerate(game.bots))
            for (one, here), (other, there) in combinations(seated, 2):
                self._pairs.setdefault((one, other), []).append((game, here, there))

    def crosstable(self) -> Crosstable:
        """For breaking ties."""
        sums = [[0.0] * self._bots for _ in range(self._bots)]
        games = [[0] * self._bots for _ in range(self._bots)]
        for (one, other), met in self._pairs.items():
            total = fsum(_lead(*each) for each in met)
            games[one][other] = games[other][one] = len(met)
            sums[one][other] = total
            sums[other][one] = len(met) - total if _is_duel(met) else -total
        return Crosstable(sums, games)

    def table(self, units: Units) -> list[list[Meeting | None]]:
        """What each bot did against each other."""
        rows: list[list[Meeting | None]] = [[None] * self._bots for _ in range(self._bots)]
        for (one, other), met in self._pairs.items():
            rows[one][other] = _meeting(met, units)
            rows[other][one] = _meeting([(game, b, a) for game, a, b in met], units)
        return rows


def _is_duel(met: Sequence[tuple[Played, int, int]]) -> bool:
    return len(met[0][0].bots) == 2


def _lead(game: Played, seat: int, other: int) -> float:
    """With two seats the score, with more the difference of game points."""
    if len(game.bots) == 2:
        return above(game, seat, other)
    return game.scores[seat] - game.scores[other]


def _meeting(met: Sequence[tuple[Played, int, int]], units: Units) -> Meeting:
    ends = [above(*each) for each in met]
    blocks, groups = units.means((each[0], end) for each, end in zip(met, ends, strict=True))
    return Meeting(
        games=len(met),
        wins=ends.count(1.0),
        draws=ends.count(0.5),
        losses=ends.count(0.0),
        score=fsum(ends) / len(ends),
        interval=score_interval(blocks, groups),
        difference=None if _is_duel(met) else fsum(_lead(*each) for each in met) / len(met),
    )
