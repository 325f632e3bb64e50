"""Is one bot better than another? A comparison that may stop after any deal block, and then is right.

It takes whole blocks in the order of the schedule, never in the order in which they finish: long games
have other results than short ones, and whoever counts the quick ones first sees differences that are not there.
Pure: a comparison is a value, and the next block makes another one.
"""

import math
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Generic, TypeVar

import msgspec

from tournaments.evalues import Wealth, bet, betting_interval, clipped, log_e_value, no_bets
from tournaments.intervals import Interval
from tournaments.pentanomial import (
    NORMALISED,
    effect_ratio,
    effect_size,
    normalised_ratio,
    wald_bounds,
)

Item = TypeVar("Item")

_GAMES_OF_PAIR: Final = 2
_QUARTERS: Final = 4  # a pair's mean score is 0, 1/4 … 1


class Verdict(StrEnum):
    """What a comparison has come to; all but the first are final."""

    UNDECIDED = "undecided"
    BETTER = "better"
    WORSE = "worse"
    NO_GAIN = "no_gain"
    CAP = "cap"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How a comparison is decided; nothing of it may depend on results.

    `bound` is None with two seats. With more it is the largest mean difference of game points a block is
    believed to bring: what lies beyond it is cut. `alpha` is the chance of a wrong "better" or "worse" together.
    `sprt` are two values of normalised Elo: then the question is which of them is true, and the errors are
    `alpha` each. With more than two seats they mean the same effect size of a block as in a pair of games.
    `cap` is the number of blocks after which it ends without an answer.
    """

    bound: float | None = None
    alpha: float = 0.05
    sprt: tuple[float, float] | None = None
    cap: int | None = None

    def __post_init__(self) -> None:
        if self.bound is not None and not 0 < self.bound < math.inf:
            raise ValueError("the bound of a difference must be more than 0")
        if not 0 < self.alpha < 0.5:
            raise ValueError("alpha must lie between 0 and 0.5")
        if self.sprt and not self.sprt[0] < self.sprt[1]:
            raise ValueError("the first Elo of a sequential test must be less than the second")
        if self.cap is not None and self.cap < 1:
            raise ValueError("a comparison needs one block at least")


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The blocks until now: pair scores of the first bot, or its leads in game points; and the verdict.

    >>> comparison = Comparison()
    >>> for _ in range(9):
    ...     comparison = comparison.after(1.0)
    >>> comparison.verdict, comparison.blocks
    (<Verdict.BETTER: 'better'>, 9)
    """

    plan: Plan = Plan()
    results: tuple[float, ...] = ()
    better: Wealth = no_bets()
    worse: Wealth = no_bets()
    verdict: Verdict = Verdict.UNDECIDED

    def after(self, result: float) -> "Comparison":
        """With the next block of the schedule. A decided comparison stays as it was when it was decided."""
        if self.verdict is not Verdict.UNDECIDED:
            return self
        outcome = _outcome(result, self.plan.bound)
        seen = msgspec.structs.replace(
            self,
            results=(*self.results, result),
            better=bet(self.better, outcome),
            worse=bet(self.worse, -outcome),
        )
        return msgspec.structs.replace(seen, verdict=_verdict(seen))

    @property
    def blocks(self) -> int:
        """How many blocks it has taken."""
        return len(self.results)

    @property
    def mean(self) -> float | None:
        """The mean pair score, or the mean lead in game points, nothing cut; None before the first block."""
        return math.fsum(self.results) / len(self.results) if self.results else None

    @property
    def cut(self) -> int:
        """How many blocks were cut at the bound."""
        bound = self.plan.bound or math.inf
        return sum(abs(result) > bound for result in self.results)

    @property
    def log_e_better(self) -> float:
        """The logarithm of the e-value against "the first bot is not better"."""
        return log_e_value(self.better)

    @property
    def log_e_worse(self) -> float:
        """The logarithm of the e-value against "the first bot is not worse"."""
        return log_e_value(self.worse)

    @property
    def ratio(self) -> float | None:
        """The log-likelihood ratio of the two values of Elo that the plan names; None when it names none."""
        if self.plan.sprt is None:
            return None
        return _ratio(self.results, self.plan.bound, self.plan.sprt)

    def interval(self) -> Interval:
        """Where the true mean lies, at all times at once with a chance of 1 - alpha; of leads cut at the bound.

        It leaves "equal" out exactly when the evidence is enough for a verdict.
        """
        bound = self.plan.bound
        seen = Counter((_outcome(result, bound) + 1) / 2 for result in self.results)
        found = betting_interval(seen.items(), self.plan.alpha)
        if bound is None:
            return found
        return Interval((2 * found.low - 1) * bound, (2 * found.high - 1) * bound)


class InOrder(Generic[Item]):
    """Blocks come in any order and leave in that of the schedule.

    >>> blocks = InOrder[str]()
    >>> blocks.take(1, "second"), blocks.take(0, "first")
    ([], ['first', 'second'])
    """

    def __init__(self, first: int = 0) -> None:
        self._next = first
        self._waiting: dict[int, Item] = {}

    def take(self, number: int, item: Item) -> list[Item]:
        """What can now be counted. A number that was there before is left out: the first result stays."""
        if number >= self._next:
            self._waiting.setdefault(number, item)
        released = []
        while self._next in self._waiting:
            released.append(self._waiting.pop(self._next))
            self._next += 1
        return released

    @property
    def waiting(self) -> Mapping[int, Item]:
        """What is finished while something before it is not."""
        return dict(self._waiting)


def _outcome(result: float, bound: float | None) -> float:
    """What a bet on the first bot pays, -1 to 1."""
    if bound is not None:
        return clipped(result, bound)
    if not 0 <= result <= 1 or result * _QUARTERS % 1:
        raise ValueError(f"a pair's score is 0, 1/4, 1/2, 3/4 or 1, not {result}")
    return 2 * result - 1


def _verdict(seen: Comparison) -> Verdict:
    found = _by_ratio(seen) if seen.plan.sprt else _by_bets(seen)
    if found is Verdict.UNDECIDED and seen.blocks == seen.plan.cap:
        return Verdict.CAP
    return found


def _by_bets(seen: Comparison) -> Verdict:
    limit = math.log(2 / seen.plan.alpha)  # two claims share alpha
    if seen.log_e_better >= limit:
        return Verdict.BETTER
    return Verdict.WORSE if seen.log_e_worse >= limit else Verdict.UNDECIDED


def _by_ratio(seen: Comparison) -> Verdict:
    lower, upper = wald_bounds(seen.plan.alpha, seen.plan.alpha)
    ratio = seen.ratio
    assert ratio is not None
    if ratio >= upper:
        return Verdict.BETTER
    return Verdict.NO_GAIN if ratio <= lower else Verdict.UNDECIDED


def _ratio(results: tuple[float, ...], bound: float | None, sprt: tuple[float, float]) -> float:
    if bound is None:
        quarters = Counter(round(result * _QUARTERS) for result in results)
        return normalised_ratio([quarters[place] for place in range(_QUARTERS + 1)], *sprt)
    to_effect = math.sqrt(_GAMES_OF_PAIR) / NORMALISED
    return effect_ratio(len(results), effect_size(results), *(elo * to_effect for elo in sprt))
