"""The pictures of the page: dots with their intervals on one axis, and times on a logarithmic one."""

import math
from collections.abc import Sequence
from typing import Final

import msgspec

from tournaments.intervals import Interval
from tournaments.markup import Markup
from tournaments.page_words import duration, fixed, is_finite, percent
from tournaments.shapes import Standing, TimeUse
from tournaments.svg import Scale, box, dot, line, picture, text, ticks

_WIDTH: Final = 280
_EDGE: Final = 18  # room for half of a label
_HEIGHT: Final = 24
_MIDDLE: Final = _HEIGHT / 2
_MOST_TICKS: Final = 7
_SHORTEST_MS: Final = 0.1  # what is quicker is drawn there


class Estimate(msgspec.Struct, frozen=True):
    """A number with its 95 % interval, fit to be drawn; an anchor's is given, not found."""

    value: float
    interval: Interval | None
    is_anchor: bool = False


class Axis(msgspec.Struct, frozen=True):
    """One scale for all rows, with the places of its grid lines and what is written there."""

    scale: Scale
    marks: tuple[tuple[float, str], ...]

    def head(self, label: str) -> Markup:
        """The numbers, over the rows."""
        numbers = [text(self.scale.at(value), 13, words, "mark") for value, words in self.marks]
        return picture(_WIDTH, 18, *numbers, label=label)

    def row(self, *shapes: Markup) -> Markup:
        """Shapes on the grid."""
        places = [self.scale.at(value) for value, _ in self.marks]
        grid = [line(place, 0, place, _HEIGHT, "grid") for place in places]
        return picture(_WIDTH, _HEIGHT, *grid, *shapes)


def estimates(rows: Sequence[Standing]) -> list[Estimate | None]:
    """What the rank list draws: ratings, or the scores where no rating is known."""
    ratings = [_rating(row) for row in rows]
    return ratings if any(ratings) else [_score(row) for row in rows]


def _rating(row: Standing) -> Estimate | None:
    rating = row.rating
    if rating is None or not math.isfinite(rating.elo):
        return None
    return Estimate(rating.elo, _finite(rating.interval), rating.is_anchor)


def _score(row: Standing) -> Estimate | None:
    if not row.games or not math.isfinite(row.score):
        return None
    return Estimate(row.score, _finite(row.interval))


def _finite(interval: Interval | None) -> Interval | None:
    return interval if interval and is_finite(interval.low, interval.high) else None


def estimate_axis(found: Sequence[Estimate | None], seats: int) -> Axis | None:
    """An axis for all of them; None when there is nothing to draw."""
    known = [each for each in found if each]
    if not known:
        return None
    ends = [end for each in known for end in _ends(each)]
    is_share = seats == 2 and max(ends) <= 1
    marks = ticks(min(ends), max(ends), _MOST_TICKS, 0.05 if is_share else 1)
    words = _percents if is_share else _numbers
    return Axis(
        Scale(marks[0], marks[-1], _EDGE, _WIDTH - _EDGE),
        tuple((value, words(value)) for value in marks),
    )


def _percents(value: float) -> str:
    return percent(value).replace(".0", "")


def _numbers(value: float) -> str:
    return fixed(value, 0)


def _ends(each: Estimate) -> tuple[float, ...]:
    return (each.value, each.interval.low, each.interval.high) if each.interval else (each.value,)


def estimate_row(each: Estimate | None, axis: Axis) -> Markup:
    """A dot with a bar from end to end of its interval; a ring for an anchor."""
    if each is None:
        return axis.row()
    place = axis.scale.at(each.value)
    if each.is_anchor:
        return axis.row(dot(place, _MIDDLE, 5, "fixed"))
    if each.interval is None:
        return axis.row(dot(place, _MIDDLE, 4, "point"))
    low, high = axis.scale.at(each.interval.low), axis.scale.at(each.interval.high)
    caps = [line(end, _MIDDLE - 4, end, _MIDDLE + 4, "bar") for end in (low, high)]
    return axis.row(
        line(low, _MIDDLE, high, _MIDDLE, "bar"), *caps, dot(place, _MIDDLE, 4, "point")
    )


def time_axis(times: Sequence[TimeUse], limit_ms: float | None) -> Axis:
    """Whole powers of ten around all times and the limit."""
    ends = [_log(end) for use in times for end in (use.low, use.slowest)]
    ends += [_log(limit_ms)] if limit_ms else []
    low, high = math.floor(min(ends)), math.ceil(max(ends))
    powers = range(low, max(high, low + 1) + 1)
    return Axis(
        Scale(powers[0], powers[-1], _EDGE, _WIDTH - _EDGE),
        tuple((power, _power_of_ten(power)) for power in powers),
    )


def time_row(use: TimeUse, axis: Axis, limit_ms: float | None) -> Markup:
    """A box around the middle half, the median in it, a line to the slowest, the limit dashed."""
    low, median, high, slowest = (
        axis.scale.at(_log(each)) for each in (use.low, use.median, use.high, use.slowest)
    )
    shapes = [
        line(high, _MIDDLE, slowest, _MIDDLE, "reach"),
        line(slowest, _MIDDLE - 4, slowest, _MIDDLE + 4, "reach"),
        box(low, _MIDDLE - 6, high, _MIDDLE + 6, "half"),
        line(median, _MIDDLE - 6, median, _MIDDLE + 6, "bar"),
    ]
    if limit_ms:
        place = axis.scale.at(_log(limit_ms))
        shapes.append(line(place, 0, place, _HEIGHT, "limit"))
    return axis.row(*shapes)


def _log(milliseconds: float) -> float:
    return math.log10(max(milliseconds, _SHORTEST_MS))


def _power_of_ten(power: int) -> str:
    """`0.1 ms`, `100 ms`, `1 s`."""
    return f"{10 ** (power - 3)} s" if power >= 3 else duration(10.0**power).replace(".0", "")
