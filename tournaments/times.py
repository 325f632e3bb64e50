"""Times of decisions as counts by class of time: a tournament has millions of them, and keeps none.

Classes are even on a logarithmic scale, so that microseconds and minutes are equally well known.
"""

import math
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Final

from tournaments.shapes import TimeUse

PER_DECADE: Final = 20
"""Classes from a time to ten times it: the borders of a class are 12 % apart."""

_MS: Final = 1000  # microseconds


def class_of(ms: float) -> int:
    """The class of a time in milliseconds; class 0 is everything up to about a microsecond.

    >>> [class_of(ms) for ms in (0, 0.0005, 1, 10, 1000)]
    [0, 0, 60, 80, 120]
    """
    return max(0, math.floor(_place(ms))) if ms > 0 else 0


def classes_of(times: Iterable[float]) -> dict[int, int]:
    """How many of these times, in milliseconds, are in each class."""
    return merged([{class_of(ms): 1} for ms in times])


def merged(counts: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """The sum of such counts, in the order of the classes."""
    total: dict[int, int] = {}
    for each in counts:
        for number, count in each.items():
            total[number] = total.get(number, 0) + count
    return dict(sorted(total.items()))


def time_use(counts: Mapping[int, int], slowest: float) -> TimeUse | None:
    """Quartiles of what was counted; `slowest`, in milliseconds, is exact. None without a decision."""
    if not any(counts.values()):
        return None
    low, median, high = (min(slowest, _quantile(counts, share)) for share in (0.25, 0.5, 0.75))
    return TimeUse(low=low, median=median, high=high, slowest=slowest)


def _place(ms: float) -> float:
    # A power of ten must not fall into the class below itself.
    return PER_DECADE * math.log10(ms * _MS) + 1e-9


def _quantile(counts: Mapping[int, int], share: float) -> float:
    """In milliseconds; times are taken to lie evenly within their class."""
    classes = sorted(number for number, count in counts.items() if count)
    sums = list(accumulate(counts[number] for number in classes))
    wanted = share * sums[-1]
    number, upto = next(pair for pair in zip(classes, sums, strict=True) if pair[1] >= wanted)
    within = 1 - (upto - wanted) / counts[number]
    return math.pow(10, (number + within) / PER_DECADE) / _MS
