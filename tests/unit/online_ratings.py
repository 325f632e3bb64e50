"""Oracle arithmetic: online ratings that Croupier does not use, by their authors' formulas.

They are here so that the cases about them are computed and not skipped: whoever wonders what another
tool would show can compare.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import msgspec

GLICKO: Final = 173.7178
BETA: Final = 25 / 6
TAU: Final = 25 / 300

NORMAL: Final = NormalDist()


class Opponent(msgspec.Struct, array_like=True):
    """Whom one met in a rating period of Glicko-2, and what came of it."""

    rating: float
    deviation: float
    score: float


def elo_update(ratings: tuple[float, float], score: float, k: float) -> tuple[float, list[float]]:
    """The score that was expected of the first, and both new ratings."""
    expected = 1 / (1 + 10 ** ((ratings[1] - ratings[0]) / 400))
    by = k * (score - expected)
    return expected, [ratings[0] + by, ratings[1] - by]


def glicko2(
    rating: float, deviation: float, volatility: float, opponents: Sequence[Opponent], tau: float
) -> tuple[float, float, float]:
    """One rating period (Glickman, "Example of the Glicko-2 system", steps 2 to 8)."""
    mu, phi = (rating - 1500) / GLICKO, deviation / GLICKO
    information = surplus = 0.0
    for each in opponents:
        g = 1 / math.sqrt(1 + 3 * (each.deviation / GLICKO / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-g * (mu - (each.rating - 1500) / GLICKO)))
        information += g * g * expected * (1 - expected)
        surplus += g * (each.score - expected)
    variance = 1 / information
    sigma = _volatility(phi, volatility, variance, variance * surplus, tau)
    new_phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + information)
    return 1500 + GLICKO * (mu + new_phi**2 * surplus), GLICKO * new_phi, sigma


def _volatility(phi: float, sigma: float, v: float, delta: float, tau: float) -> float:
    """Step 5: the root by the Illinois method."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - a) / tau**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        high = next(a - k * tau for k in range(1, 1000) if f(a - k * tau) >= 0)
    f_low, f_high = f(low), f(high)
    while abs(high - low) > 1e-9:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def weng_lin(
    mu: Sequence[float], sigma: Sequence[float], ranks: Sequence[int]
) -> tuple[list[float], list[float]]:
    """One game by the model of Plackett and Luce (Weng and Lin 2011, algorithm 4), as OpenSkill has it."""
    bots = range(len(mu))
    c = math.sqrt(sum(each**2 + BETA**2 for each in sigma))
    worth = [math.exp(each / c) for each in mu]
    behind = [sum(worth[i] for i in bots if ranks[i] >= ranks[q]) for q in bots]
    tied = [ranks.count(rank) for rank in ranks]
    new_mu, new_sigma = [], []
    for i in bots:
        omega = delta = 0.0
        for q in bots:
            if ranks[q] <= ranks[i]:
                share = worth[i] / behind[q]
                omega += ((i == q) - share) / tied[q]
                delta += share * (1 - share) / tied[q]
        new_mu.append(mu[i] + omega * sigma[i] ** 2 / c)
        shrunk = 1 - delta * (sigma[i] / c) ** 3
        new_sigma.append(sigma[i] * math.sqrt(max(shrunk, 1e-4)))
    return new_mu, new_sigma


def trueskill_win(
    mu: Sequence[float], sigma: Sequence[float], draw_probability: float
) -> tuple[list[float], list[float]]:
    """The first of two beats the second (Herbrich, Minka and Graepel 2006, without draws)."""
    variances = [each**2 + TAU**2 for each in sigma]
    c = math.sqrt(2 * BETA**2 + sum(variances))
    margin = NORMAL.inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * BETA / c
    t = (mu[0] - mu[1]) / c - margin
    v = NORMAL.pdf(t) / NORMAL.cdf(t)
    w = v * (v + t)
    winner, loser = (
        [mean + sign * variance / c * v, math.sqrt(variance * (1 - variance / c**2 * w))]
        for mean, variance, sign in zip(mu, variances, (1, -1), strict=True)
    )
    return winner, loser
