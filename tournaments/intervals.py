"""The statistics of results. Pure Python; a deal block, not a game, is the unit of chance."""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import msgspec

CONFIDENCE: Final = 0.95

_EVEN_GAME: Final = 1 / 4  # the variance of a game between equals
_EVEN_PAIR: Final = 1 / 8  # that of the mean score of two such games


class Interval(msgspec.Struct, frozen=True):
    """The 95 % interval of an estimate, in the estimate's own units."""

    low: float
    high: float


def score_interval(blocks: Sequence[float], groups: Sequence[int] | None = None) -> Interval | None:
    """The 95 % interval of a mean score, from the scores (0 to 1) of whole deal blocks.

    Wilson's interval with Student's t, as if games were fewer or more by as much as the blocks differ
    less or more than single games would. One even pair of independent games is added to what is known of that, so that 10
    blocks won of 10 give no interval of no width; a single block gives the whole range. None without a block.

    `groups` has a number for each block, that of its opponent or table: what differs between groups by the schedule is no
    chance, so only differences within groups count.
    """
    if not blocks:
        return None
    mean, share, degrees = _score(blocks, groups)
    if not degrees:
        return Interval(0.0, 1.0)
    wide = t_quantile((1 + CONFIDENCE) / 2, degrees) ** 2 * share / len(blocks)
    reach = math.sqrt(wide * mean * (1 - mean) + wide * wide / 4)
    low, high = (mean + wide / 2 - reach) / (1 + wide), (mean + wide / 2 + reach) / (1 + wide)
    return Interval(low if mean > 0 else 0.0, high if mean < 1 else 1.0)


def mean_interval(blocks: Sequence[float], groups: Sequence[int] | None = None) -> Interval | None:
    """The 95 % interval of a mean without bounds, such as game points, from whole deal blocks.

    Student's t; None when no group has two blocks, for then they say nothing about chance.
    """
    squares, degrees = _within(blocks, groups)
    if degrees < 1:
        return None
    mean = math.fsum(blocks) / len(blocks)
    return t_interval(mean, math.sqrt(squares / degrees / len(blocks)), degrees)


def chance_of_superiority(blocks: Sequence[float]) -> float:
    """How likely the true mean score is above one half: 0.975 where `score_interval` begins at one half."""
    if len(blocks) < 2:
        return 0.5
    mean, share, degrees = _score(blocks, None)
    return t_cdf((mean - 0.5) / math.sqrt(share / 4 / len(blocks)), degrees)


def _score(blocks: Sequence[float], groups: Sequence[int] | None) -> tuple[float, float, int]:
    """Mean, variance of a block as a share of that of one game, degrees of freedom."""
    squares, degrees = _within(blocks, groups)
    mean = math.fsum(blocks) / len(blocks)
    share = (squares + _EVEN_PAIR) / (degrees * mean * (1 - mean) + _EVEN_GAME)
    return mean, share, degrees


def _within(blocks: Sequence[float], groups: Sequence[int] | None) -> tuple[float, int]:
    """The sum of squares around the means of the groups, and its degrees of freedom."""
    members: dict[int, list[float]] = {}
    for block, group in zip(blocks, groups or [0] * len(blocks), strict=True):
        members.setdefault(group, []).append(block)
    means = {group: math.fsum(values) / len(values) for group, values in members.items()}
    squares = math.fsum(
        (value - means[group]) ** 2 for group, values in members.items() for value in values
    )
    return squares, len(blocks) - len(members)


def t_interval(middle: float, error: float, degrees: int) -> Interval:
    """The 95 % interval around an estimate with this standard error."""
    reach = t_quantile((1 + CONFIDENCE) / 2, degrees) * error
    return Interval(middle - reach, middle + reach)


def holm(p_values: Sequence[float]) -> list[float]:
    """P values that allow for all comparisons made at once, in the given order (Holm's step-down method).

    Whatever is below 0.05 here, the chance that anything at all is wrongly so is 5 %.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def normal_cdf(z: float) -> float:
    """The normal distribution: the probability of a draw below `z`."""
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_quantile(probability: float) -> float:
    """The normal distribution: the value that lies above a draw with this probability (0 to 1, both excluded).

    >>> round(normal_quantile(0.975), 3)
    1.96
    """
    return NormalDist().inv_cdf(probability)


@lru_cache(maxsize=4096)
def t_quantile(probability: float, degrees: int) -> float:
    """Student's t: the value that lies above a draw with this probability (0.5 to 1).

    >>> round(t_quantile(0.975, 4), 3)
    2.776
    """
    low, high = 0.0, 1.0
    while t_cdf(high, degrees) < probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, degrees) < probability else (low, middle)
    return high


def t_cdf(t: float, degrees: int) -> float:
    """Student's t: the probability of a draw below `t`."""
    tail = _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
    return tail if t < 0 else 1 - tail


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function by its continued fraction (Lentz's method)."""
    if x in {0.0, 1.0}:
        return x
    if x > (a + 1) / (a + b + 2):  # the fraction converges quickly on the other side only
        return 1 - _incomplete_beta(b, a, 1 - x)
    log_front = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return math.exp(log_front) / (a * _beta_fraction(a, b, x))


def _beta_fraction(a: float, b: float, x: float) -> float:
    """1 + d1/(1 + d2/(1 + …)), the denominator of the incomplete beta function."""
    value = c = 1.0
    d = 0.0
    for i in range(1, 1000):
        m = i // 2
        if i % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value
