"""Evidence that may be looked at after every block: e-values and confidence sequences by betting.

Someone who does not believe that the first bot is better takes bets at fair odds. What a unit of money has become
is the e-value: if he is right it reaches 20 at any time at all with a chance of 5 % at most, however often it
is looked at (Ville; Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting").
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from tournaments.intervals import Interval

Wealth: TypeAlias = tuple[float, ...]
"""The logarithm of what one unit has become, for each of the stakes."""

STAKES: Final = (0.01, 0.025, 0.05, 0.1, 0.175, 0.25, 0.35, 0.45, 0.6, 0.75, 0.9)
"""Shares of the money that are at stake in each block, each with one eleventh of it."""

PLANNED: Final = 300
"""The number of blocks at which an asymptotic confidence sequence is narrowest."""

_HALVINGS: Final = 40


def no_bets(stakes: Sequence[float] = STAKES) -> Wealth:
    """The wealth before the first block."""
    return (0.0,) * len(stakes)


def bet(wealth: Wealth, outcome: float, stakes: Sequence[float] = STAKES) -> Wealth:
    """The wealth after a bet that pays `outcome`, -1 (all of the stake is lost) to 1 (it is doubled)."""
    pairs = zip(wealth, stakes, strict=True)
    return tuple(log + math.log1p(stake * outcome) for log, stake in pairs)


def log_e_value(wealth: Wealth) -> float:
    """The logarithm of the mean over the stakes."""
    top = max(wealth)
    return top + math.log(math.fsum(math.exp(log - top) for log in wealth) / len(wealth))


def log_e_of_pairs(counts: Sequence[int], stakes: Sequence[float] = STAKES) -> float:
    """The logarithm of the e-value against "the mean score is at most one half"; counts from lost to won.

    >>> round(log_e_of_pairs([0, 0, 0, 0, 10]), 3)
    4.582
    """
    top = len(counts) - 1
    outcomes = [(2 * place / top - 1, count) for place, count in enumerate(counts)]
    return log_e_value(_wealth(outcomes, stakes))


def log_e_of_differences(
    differences: Iterable[float], bound: float, stakes: Sequence[float] = STAKES
) -> float:
    """The logarithm of the e-value against "the mean difference, cut at the bound, is at most 0".

    The bound must be known before the first block.
    """
    return log_e_value(_wealth([(clipped(d, bound), 1) for d in differences], stakes))


def clipped(difference: float, bound: float) -> float:
    """The difference in units of the bound, cut at -1 and 1."""
    return max(-1.0, min(1.0, difference / bound))


def betting_interval(
    outcomes: Iterable[tuple[float, int]], alpha: float = 0.05, stakes: Sequence[float] = STAKES
) -> Interval:
    """A confidence sequence of a mean between 0 and 1, from outcomes and how often each came.

    It holds at all times at once with a chance of 1 - alpha: whoever claims a mean outside of it has
    lost 2/alpha times the stake to bets on more, or on less.
    """
    found = [(value, count) for value, count in outcomes if count]
    limit = math.log(2 / alpha)

    def is_too_low(mean: float) -> bool:
        bets = [(value / mean - 1, count) for value, count in found]
        return log_e_value(_wealth(bets, stakes)) >= limit

    def is_too_high(mean: float) -> bool:
        bets = [((1 - value) / (1 - mean) - 1, count) for value, count in found]
        return log_e_value(_wealth(bets, stakes)) >= limit

    return Interval(_border(is_too_low, 0.0, 1.0), _border(is_too_high, 1.0, 0.0))


def asymptotic_radius(
    deviation: float, blocks: int, alpha: float = 0.05, planned: int = PLANNED
) -> float:
    """Half the width of a confidence sequence of a mean, for many blocks whose luck is not too lopsided.

    For 50 blocks and more: it rests on the normal distribution, and with very skewed differences it is wrong far
    more often than it says (Waudby-Smith and others, "Time-uniform central limit theory").
    """
    grown = blocks * asymptotic_rho(alpha, planned) ** 2
    spread = 2 * (grown + 1) / (blocks * grown) * math.log(math.sqrt(grown + 1) / alpha)
    return deviation * math.sqrt(spread)


def asymptotic_rho(alpha: float = 0.05, planned: int = PLANNED) -> float:
    """What makes the asymptotic confidence sequence narrowest at the planned number of blocks."""
    log = -2 * math.log(alpha)
    return math.sqrt((log + math.log(log) + 1) / planned)


def _wealth(outcomes: Sequence[tuple[float, int]], stakes: Sequence[float]) -> Wealth:
    return tuple(
        math.fsum(count * math.log1p(stake * outcome) for outcome, count in outcomes)
        for stake in stakes
    )


def _border(is_out: Callable[[float], bool], outer: float, inner: float) -> float:
    """The last value from the outer end that is out; the outer end itself when none is."""
    for _ in range(_HALVINGS):
        middle = (outer + inner) / 2
        outer, inner = (middle, inner) if is_out(middle) else (outer, middle)
    return outer
