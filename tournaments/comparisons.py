"""Can the games tell two bots apart? All pairs at once: shared ranks, and how many more deals would tell.

Two seats: differences of Bradley-Terry ratings. They stand for the same order as the mean scores do when all
meet equally often, and allow for the opponents when not. A pair's own games alone say less, and mean
scores as such vary with the opponents, which is not chance.

More seats: differences of game points within games, by least squares. For bots of one table that is Student's t
on the differences of whole blocks. Over many tables the games of either bot with third ones count, too: with
seven bots at tables of four that is worth three quarters more games than those where both sat.

Either way whole blocks are the unit of chance, and the p values go through Holm's method: the chance that any bot at
all is wrongly ranked above another is at most 5 %.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

import msgspec

from tournaments.intervals import CONFIDENCE, Interval, holm, normal_quantile, t_cdf, t_interval
from tournaments.linear import Matrix
from tournaments.rankings import PointStrengths
from tournaments.ratings import Strengths

MOST_DEALS: Final = 10_000
"""No more deals are foretold than these."""

_ALPHA: Final = 1 - CONFIDENCE
_NOTHING: Final = 1e-9  # less is a trace of the arithmetic

Pair: TypeAlias = tuple[int, int]


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """How much better one bot is than another: an estimate from so many blocks of the one that has fewer.

    `p` is how likely chance alone makes equals differ so much, `p_of_all` allows for all the other pairs.
    """

    effect: float
    error: float
    blocks: int
    p: float
    p_of_all: float = 1.0

    @property
    def is_clear(self) -> bool:
        """Whether the games tell the two apart."""
        return self.p_of_all < _ALPHA

    @property
    def interval(self) -> Interval:
        """That of the effect, 95 %, for this pair alone."""
        return t_interval(self.effect, self.error, self.blocks - 1)


Contrasts: TypeAlias = Mapping[Pair, Contrast]
"""Of every two bots, in both directions; a pair is missing when nothing is known of it."""


def contrasts(strengths: Strengths | PointStrengths) -> dict[Pair, Contrast]:
    """All pairs that games link, if both have played two blocks."""
    values = strengths.elo if isinstance(strengths, Strengths) else strengths.points
    met, islands = strengths.met, strengths.islands
    found = {
        (one, other): _contrast(
            values[one] - values[other],
            _error(strengths.covariance, one, other),
            min(met[one], met[other]),
        )
        for one in range(len(met))
        for other in range(one)
        if min(met[one], met[other]) > 1 and islands[one] == islands[other]
    }
    adjusted = zip(found.items(), holm([each.p for each in found.values()]), strict=True)
    of_all = {pair: msgspec.structs.replace(each, p_of_all=p) for (pair, each), p in adjusted}
    turned = {
        (other, one): msgspec.structs.replace(each, effect=-each.effect)
        for (one, other), each in of_all.items()
    }
    return of_all | turned


def _error(covariance: Matrix, one: int, other: int) -> float:
    variance = covariance[one][one] + covariance[other][other] - 2 * covariance[one][other]
    return math.sqrt(max(0.0, variance))


def _contrast(effect: float, error: float, blocks: int) -> Contrast:
    if abs(effect) < _NOTHING:
        return Contrast(effect=0.0, error=error, blocks=blocks, p=1.0)
    if error < _NOTHING * abs(effect):  # all blocks are alike: a toss of coins would be that, too
        return Contrast(effect=effect, error=0.0, blocks=blocks, p=2.0 ** (1 - blocks))
    p = 2 * t_cdf(-abs(effect) / error, blocks - 1)
    return Contrast(effect=effect, error=error, blocks=blocks, p=p)


def ranks(bots: Collection[int], found: Contrasts) -> dict[int, tuple[int, int]]:
    """For each of these bots the best and the last place among them that the games leave possible."""
    clear = [pair for pair, each in found.items() if each.is_clear and each.effect > 0]
    better = Counter(loser for _, loser in clear)
    worse = Counter(winner for winner, _ in clear)
    return {bot: (1 + better[bot], len(bots) - worse[bot]) for bot in bots}


def deals_more(found: Contrasts, pair: Pair, deals: float) -> int | None:
    """About how many more deals a table would tell the two apart, after `deals` of them, if the lead stays.

    The error shrinks with the root of the number of deals. None when it is clear already, and when the first of the
    two is not ahead.
    """
    contrast = found.get(pair)
    if contrast is None or contrast.is_clear or contrast.effect <= 0:
        return None
    open_pairs = sum(not each.is_clear for each in found.values()) // 2  # each is there twice
    level = _ALPHA / open_pairs
    if contrast.error:
        factor = (normal_quantile(1 - level / 2) * contrast.error / contrast.effect) ** 2
    else:
        factor = (1 - math.log2(level)) / contrast.blocks
    more = deals * (min(factor, MOST_DEALS) - 1)
    return max(1, min(MOST_DEALS, math.ceil(more)))
