"""The statistics of results. Pure Python; a deal block, not a game, is the unit of chance."""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import msgspec

CONFIDENCE: Final = 0.95


class Interval(msgspec.Struct, frozen=True):
    """The 95 % interval of an estimate, in the estimate's own units."""

    low: float
    high: float


def score_interval(blocks: Sequence[float]) -> Interval | None:
    """The 95 % interval of a mean score, from the scores (0 to 1) of whole deal blocks.

    A t interval after adding one block that was lost and one that was won (as Agresti and Coull do
    for a proportion): with it, 10 blocks won of 10 give no interval of no width, and a single block
    gives the whole range. None without a block.
    """
    if not blocks:
        return None
    mean, error, degrees = _smoothed(blocks)
    reach = t_quantile((1 + CONFIDENCE) / 2, degrees) * error
    return Interval(max(0.0, mean - reach), min(1.0, mean + reach))


def mean_interval(blocks: Sequence[float]) -> Interval | None:
    """The 95 % interval of a mean without bounds, such as game points, from whole deal blocks.

    Student's t; None with fewer than two blocks, for they say nothing about chance.
    """
    n = len(blocks)
    if n < 2:
        return None
    mean = math.fsum(blocks) / n
    variance = math.fsum((block - mean) ** 2 for block in blocks) / (n - 1)
    return t_interval(mean, math.sqrt(variance / n), n - 1)


def t_interval(middle: float, error: float, degrees: int) -> Interval:
    """The 95 % interval around an estimate with this standard error."""
    reach = t_quantile((1 + CONFIDENCE) / 2, degrees) * error
    return Interval(middle - reach, middle + reach)


def chance_of_superiority(blocks: Sequence[float]) -> float:
    """How likely the true mean score is above one half; same smoothing as `score_interval`."""
    mean, error, degrees = _smoothed(blocks)
    return t_cdf((mean - 0.5) / error, degrees)


def _smoothed(blocks: Sequence[float]) -> tuple[float, float, int]:
    """Mean, standard error and degrees of freedom with one lost and one won block added."""
    scores = [*blocks, 0.0, 1.0]
    n = len(scores)
    mean = math.fsum(scores) / n
    variance = math.fsum((score - mean) ** 2 for score in scores) / (n - 1)
    return mean, math.sqrt(variance / n), n - 1


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
