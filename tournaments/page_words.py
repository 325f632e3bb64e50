"""Numbers of the page in words. What is not known is called unknown, and never a number."""

import math
from typing import Final

from tournaments.intervals import Interval
from tournaments.shapes import Rating, Standing, Standings

UNKNOWN: Final = "unknown"


def fixed(value: float, digits: int = 1) -> str:
    """With a real minus sign, and none before a zero.

    >>> [fixed(each) for each in (12.34, -0.04, -3)]
    ['12.3', '0.0', '−3.0']
    """
    if not math.isfinite(value):
        return UNKNOWN
    words = f"{abs(value):.{digits}f}"
    return f"−{words}" if value < 0 and float(words) else words


def signed(value: float) -> str:
    """A difference: `+12.3`, `−3.0`, `0.0`."""
    words = fixed(value)
    return f"+{words}" if words != UNKNOWN and value > 0 and float(words) else words


def percent(share: float) -> str:
    """`62.5 %`."""
    words = fixed(100 * share)
    return words if words == UNKNOWN else f"{words} %"


def span(interval: Interval | None, scale: float = 1) -> str:
    """`53.1–71.2`; with negative ends `−3.0 to 4.5`, for a dash is no sign."""
    if interval is None or not is_finite(interval.low, interval.high):
        return UNKNOWN
    low, high = fixed(scale * interval.low), fixed(scale * interval.high)
    return f"{low} to {high}" if "−" in low + high else f"{low}–{high}"


def is_finite(*values: float) -> bool:
    """Whether all are numbers that can be written and drawn."""
    return all(map(math.isfinite, values))


def reach(rating: Rating | None) -> str:
    """What stands beside a rating: `±21`, where the sides differ `1480–1620`, or that it is fixed."""
    if rating is None or not math.isfinite(rating.elo):
        return ""
    if rating.is_anchor:
        return "fixed"
    between = rating.interval
    if between is None or not is_finite(between.low, between.high):
        return f"± {UNKNOWN}"
    below, above = rating.elo - between.low, between.high - rating.elo
    if abs(below - above) < 1:
        return f"±{fixed((below + above) / 2, 0)}"
    low, high = fixed(between.low, 0), fixed(between.high, 0)
    return f"{low} to {high}" if "−" in low + high else f"{low}–{high}"


def ranks(row: Standing) -> str:
    """`1`, or where the games leave several places possible `2–3`."""
    first, last = row.ranks
    return str(first) if first == last else f"{first}–{last}"


def duration(milliseconds: float) -> str:
    """`0.4 ms`, `212 ms`, `12.3 s`."""
    if milliseconds >= 10_000:
        return f"{fixed(milliseconds / 1000)} s"
    words = fixed(milliseconds, 1 if milliseconds < 10 else 0)
    return words if words == UNKNOWN else f"{words} ms"


def memory(kib: int | None) -> str:
    """`24 MiB`; built-in bots have none of their own."""
    return "–" if kib is None else f"{kib / 1024:.0f} MiB"


def plural(count: int, word: str) -> str:
    """`1 game`, `2 games`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def progress(standings: Standings) -> str:
    """How many games the page is about: `840 of 840 games`, or what is still to come."""
    counted, more = standings.counted, standings.played - standings.counted
    if counted == standings.planned:
        return f"{counted} of {standings.planned} games"
    verb = "game counts" if counted == 1 else "games count"
    waiting = f", {more} more {'is' if more == 1 else 'are'} played" if more > 0 else ""
    return f"{counted} {verb}{waiting}, planned {standings.planned}"
