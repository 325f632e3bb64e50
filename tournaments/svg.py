"""Small pictures in SVG: shapes, a scale, and numbers that look the same everywhere.

What is drawn, and in which colours, is not known here: a shape has a class.
"""

import math

import msgspec

from tournaments.markup import Markup, tag


def number(value: float) -> str:
    """With at most two decimals, and never as `-0` or `1e-05`.

    >>> [number(each) for each in (12.0, -3.256, -0.001, 1e-5)]
    ['12', '-3.26', '0', '0']
    """
    words = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if words == "-0" else words


class Scale(msgspec.Struct, frozen=True):
    """From values to pixels; what lies outside is drawn at the edge."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value is, in pixels."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)


def ticks(low: float, high: float, at_most: int, least: float) -> list[float]:
    """Two or more round numbers, from `low` or below it to `high` or above it, `least` or more apart.

    >>> ticks(1092, 1687, 6, 10)
    [1000.0, 1200.0, 1400.0, 1600.0, 1800.0]
    >>> ticks(1500, 1500, 6, 10)
    [1490.0, 1500.0, 1510.0]
    """
    size = 10.0 ** math.floor(math.log10(max((high - low) / (at_most - 1), least)))
    step = next(
        step
        for step in (factor * size for factor in (1, 2, 5, 10, 20))
        if step >= least and math.ceil(high / step) - math.floor(low / step) < at_most
    )
    first, last = math.floor(low / step), math.ceil(high / step)
    if first == last:
        first, last = first - 1, last + 1
    return [each * step for each in range(first, last + 1)]


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """From a point to a point."""
    return tag("line", x1=number(x1), y1=number(y1), x2=number(x2), y2=number(y2), class_=kind)


def dot(x: float, y: float, radius: float, kind: str) -> Markup:
    """A circle."""
    return tag("circle", cx=number(x), cy=number(y), r=number(radius), class_=kind)


def box(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """A rectangle between two corners; never so narrow that it cannot be seen."""
    size = {"width": number(max(x2 - x1, 1)), "height": number(y2 - y1)}
    return tag("rect", x=number(x1), y=number(y1), **size, class_=kind)


def text(x: float, y: float, words: str, kind: str) -> Markup:
    """Words in the middle above a point."""
    return tag("text", words, x=number(x), y=number(y), text_anchor="middle", class_=kind)


def picture(width: float, height: float, *shapes: Markup, label: str | None = None) -> Markup:
    """The whole. Without a label it only shows what is written beside it: readers are not told."""
    told = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    size = {"width": number(width), "height": number(height)}
    return tag("svg", *shapes, **size, viewBox=f"0 0 {number(width)} {number(height)}", **told)
