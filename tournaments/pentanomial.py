"""Two bots in pairs of games: the five results of a pair summed up, and the test of two hypotheses.

The generalised sequential probability ratio test (GSPRT) of Michel Van den Bergh, as fishtest and fastchess use it.
`counts` go from all lost to all won: five of pairs (points 0, 1/2, 1, 3/2, 2), three of single games.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from tournaments.intervals import CONFIDENCE, normal_cdf, normal_quantile
from tournaments.ratings import elo_of_score, score_of_elo

NORMALISED: Final = 800 / math.log(10)
"""Normalised Elo of a game whose mean is one standard deviation above one half."""

_UNSEEN: Final = 1e-3  # what never happened is not impossible
_LARGEST: Final = 1e6  # an effect beyond it comes of rounding
_HALVINGS: Final = 60
_ROUNDS: Final = 100
_CLOSE: Final = 1e-12


class PairSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What the pairs say about the first bot; the `_pm` are half widths of 95 % intervals.

    `variance` is that of a pair's mean score (0 to 1). `elo` is logistic; `nelo` is normalised: the distance from one half
    in standard deviations of a game. None stands for what would be infinite. `los` is the
    likelihood of superiority.
    """

    pairs: int
    score: float
    variance: float
    elo: float | None
    elo_pm: float | None
    nelo: float | None
    nelo_pm: float
    los: float


def summary(counts: Sequence[int]) -> PairSummary | None:
    """None when nothing was played.

    >>> found = summary([34, 54, 63, 64, 75])
    >>> found and (found.pairs, round(found.elo, 1), round(found.elo_pm, 1))
    (290, 55.6, 27.7)
    """
    pairs = sum(counts)
    if not pairs:
        return None
    score, variance = _moments([count / pairs for count in counts])
    error = math.sqrt(variance / pairs)
    z = normal_quantile((1 + CONFIDENCE) / 2)
    games = len(counts) // 2
    return PairSummary(
        pairs=pairs,
        score=score,
        variance=variance,
        elo=_finite(elo_of_score(score)),
        elo_pm=_half_width(score - z * error, score + z * error),
        nelo=_effect(score - 0.5, math.sqrt(games * variance), NORMALISED),
        nelo_pm=NORMALISED * z / math.sqrt(games * pairs),
        los=_los(score - 0.5, error),
    )


def wald_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Stop when the log-likelihood ratio leaves these two: H0 accepted below, H1 above.

    >>> tuple(round(bound, 3) for bound in wald_bounds())
    (-2.944, 2.944)
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def normalised_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of two values of normalised Elo."""
    games = len(counts) // 2
    to_effect = math.sqrt(games) / NORMALISED
    seen = _seen(counts)
    return _ratio(seen, *(_with_effect(seen, elo * to_effect) for elo in (elo0, elo1)))


def logistic_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of two values of logistic Elo, which is of two mean scores."""
    seen = _seen(counts)
    return _ratio(seen, *(_with_mean(seen, score_of_elo(elo)) for elo in (elo0, elo1)))


def approximate_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """`normalised_ratio` by its first terms: 2 % off at most in a match of usual length."""
    seen = _seen(counts)
    games = len(counts) // 2
    mean, variance = _moments([count / sum(seen) for count in seen])
    return effect_ratio(
        games * sum(seen),
        (mean - 0.5) / math.sqrt(games * variance),
        elo0 / NORMALISED,
        elo1 / NORMALISED,
    )


def effect_ratio(count: float, effect: float, effect0: float, effect1: float) -> float:
    """The log-likelihood ratio of two effect sizes, means in standard deviations, of independent values."""
    return count / 2 * math.log((1 + (effect - effect0) ** 2) / (1 + (effect - effect1) ** 2))


def effect_size(values: Sequence[float]) -> float:
    """The mean in standard deviations; 0 when all values are alike, for they say nothing of chance."""
    if not values:
        return 0.0
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in values) / len(values))
    if not deviation:
        return 0.0
    return max(-_LARGEST, min(_LARGEST, mean / deviation))


def _seen(counts: Sequence[float]) -> list[float]:
    return [count or _UNSEEN for count in counts]


def _points(places: int) -> list[float]:
    return [place / (places - 1) for place in range(places)]


def _moments(shares: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the score."""
    pairs = list(zip(_points(len(shares)), shares, strict=True))
    mean = math.fsum(score * share for score, share in pairs)
    return mean, math.fsum((score - mean) ** 2 * share for score, share in pairs)


def _ratio(seen: Sequence[float], under0: Sequence[float], under1: Sequence[float]) -> float:
    return math.fsum(
        count * math.log(one / none) for count, none, one in zip(seen, under0, under1, strict=True)
    )


def _with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution with this mean."""
    return _tilted(_shares(seen), [score - mean for score in _points(len(seen))])


def _with_effect(seen: Sequence[float], effect: float) -> list[float]:
    """The likeliest distribution whose mean is this many standard deviations above one half.

    Proposition 3.5 of "Comments on normalized elo": where it is linear, the condition is that of a mean; then again from
    there, until nothing changes.
    """
    shares = _shares(seen)
    points = _points(len(seen))
    found = [1 / len(seen)] * len(seen)
    for _ in range(_ROUNDS):
        mean, variance = _moments(found)
        deviation = math.sqrt(variance)
        weights = [
            score - 0.5 - effect * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
            for score in points
        ]
        before, found = found, _tilted(shares, weights)
        if max(abs(a - b) for a, b in zip(before, found, strict=True)) < _CLOSE:
            break
    return found


def _shares(seen: Sequence[float]) -> list[float]:
    return [count / sum(seen) for count in seen]


def _tilted(shares: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The likeliest distribution under which these weights have the mean 0: p / (1 + x w)."""
    pairs = list(zip(shares, weights, strict=True))

    def mean(x: float) -> float:
        return math.fsum(share * weight / (1 + x * weight) for share, weight in pairs)

    x = _root(mean, -1 / max(weights), -1 / min(weights))
    return [share / (1 + x * weight) for share, weight in pairs]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, strictly between two points."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def _effect(distance: float, deviation: float, unit: float) -> float | None:
    if deviation:
        return unit * distance / deviation
    return None if distance else 0.0


def _los(distance: float, error: float) -> float:
    if error:
        return normal_cdf(distance / error)
    return 0.5 if not distance else float(distance > 0)


def _half_width(low: float, high: float) -> float | None:
    if low <= 0 or high >= 1:
        return None
    return (elo_of_score(high) - elo_of_score(low)) / 2


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
