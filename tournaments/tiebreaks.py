"""Who is ahead among equals; places and shares of the first place within a game.

Ties are broken by what was played and never by a name, a number or a lot. What is left of them is a
shared place.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final, TypeAlias

import msgspec

Key: TypeAlias = Callable[[int], float]
"""What counts for a bot; more is better."""

_DIGITS: Final = 9  # what differs less is a trace of the arithmetic


class Crosstable(msgspec.Struct, frozen=True):
    """What the bots did against each other: `sums[i][j]` is that of i against j, in `games[i][j]` games.

    With two seats the sum of scores (a draw is one half), with more that of differences of game points.
    """

    sums: Sequence[Sequence[float]]
    games: Sequence[Sequence[int]]

    def mean(self, one: int, other: int) -> float | None:
        """Of a game; None where the two have not met."""
        games = self.games[one][other]
        return self.sums[one][other] / games if games else None


def order_of_duels(
    scores: Sequence[float | None], table: Crosstable, wins: Sequence[int]
) -> list[list[int]]:
    """The best bot first; those that nothing tells apart are in one list.

    Mean score, then mean score among the tied, then Sonneborn-Berger, then the share of games won. A bot that has
    not played has no score and is last.
    """
    played = [max(1, sum(row)) for row in table.games]
    berger = sonneborn_berger(_means(table), [score or 0.0 for score in scores])
    return _refined(
        _by_score(scores),
        lambda tied: head_to_head(table, tied),
        lambda _: berger.__getitem__,
        lambda _: lambda bot: wins[bot] / played[bot],
    )


def order_of_tables(
    scores: Sequence[float | None],
    table: Crosstable,
    places: Sequence[float | None],
    shares: Sequence[float],
) -> list[list[int]]:
    """With more than two seats: mean game points, then the mean difference of game points among the tied in the games
    they had in common, then the mean place, then the share of first places."""
    return _refined(
        _by_score(scores),
        lambda tied: head_to_head(table, tied),
        lambda _: lambda bot: -(places[bot] or 0.0),
        lambda _: shares.__getitem__,
    )


def head_to_head(table: Crosstable, tied: Sequence[int]) -> Key:
    """The mean of a bot's games against the other tied ones; it says nothing unless all of them have met."""
    if any(not table.games[one][other] for one in tied for other in tied if one != other):
        return lambda _: 0.0

    def mean(bot: int) -> float:
        others = [other for other in tied if other != bot]
        games = sum(table.games[bot][other] for other in others)
        return sum(table.sums[bot][other] for other in others) / games if games else 0.0

    return mean


def sonneborn_berger(
    results: Sequence[Sequence[float | None]], points: Sequence[float]
) -> list[float]:
    """What a bot has scored against each opponent, times that opponent's points: wins over the strong count more.

    `results[i][j]` is the score of i against j, None where they have not met. Where pairs meet more than
    once, mean results and mean scores make up for different numbers of games.

    >>> sonneborn_berger([[None, 1, 0.5], [0, None, 1], [0.5, 0, None]], [1.5, 1, 0.5])
    [1.25, 0.5, 0.75]
    """
    return [
        sum(
            result * theirs
            for result, theirs in zip(row, points, strict=True)
            if result is not None
        )
        for row in results
    ]


def mean_places(scores: Sequence[float]) -> list[float]:
    """The places in one game; who shares places gets the mean of them.

    >>> mean_places([40, 90, 40, 10])
    [2.5, 1.0, 2.5, 4.0]
    """
    return [
        sum(other > score for other in scores) + (scores.count(score) + 1) / 2 for score in scores
    ]


def win_shares(scores: Sequence[float]) -> list[float]:
    """What each has of the first place of one game.

    >>> win_shares([90, 40, 90])
    [0.5, 0.0, 0.5]
    """
    best = max(scores)
    return [(score == best) / scores.count(best) for score in scores]


def _means(table: Crosstable) -> list[list[float | None]]:
    bots = range(len(table.games))
    return [[table.mean(one, other) for other in bots] for one in bots]


def _by_score(scores: Sequence[float | None]) -> list[list[int]]:
    known = [bot for bot, score in enumerate(scores) if score is not None]
    unknown = [bot for bot, score in enumerate(scores) if score is None]
    groups = _parted(known, lambda bot: scores[bot] or 0.0)
    return [*groups, unknown] if unknown else groups


def _refined(groups: list[list[int]], *criteria: Callable[[list[int]], Key]) -> list[list[int]]:
    """Each criterion parts what those before it have left together."""
    for criterion in criteria:
        groups = [part for group in groups for part in _parted(group, criterion(group))]
    return groups


def _parted(group: Iterable[int], key: Key) -> list[list[int]]:
    """The group in parts of equal keys, the highest first."""

    def rounded(bot: int) -> float:
        return -round(key(bot), _DIGITS)

    return [list(part) for _, part in groupby(sorted(group, key=rounded), key=rounded)]
