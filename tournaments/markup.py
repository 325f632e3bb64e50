"""HTML and SVG as values: what is not markup already is escaped, so that no name becomes a tag."""

from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

import msgspec

from referee.match import shown

_LIMIT: Final = 2_000
_VOID: Final = {"meta"}
_SHAPES: Final = {"circle", "line", "rect"}  # SVG closes them itself
# A line of their own in the file, so that a difference of two pages can be read.
_BLOCKS: Final = {
    *("body", "caption", "dd", "div", "dl", "footer", "h1", "h2", "h3", "head", "header"),
    *("li", "main", "meta", "p", "section", "style", "table", "tbody", "thead", "title", "tr"),
    *("html", "ul"),
}


class Markup(msgspec.Struct, frozen=True):
    """Text that goes into the page as it is."""

    text: str


Node: TypeAlias = str | Markup


def tag(element: str, /, *children: Node, **attributes: str | None) -> Markup:
    """An element. Strings are words, never markup; an attribute that is None is left out.

    Python's names of attributes: `class_` is `class`, `aria_label` is `aria-label`.

    >>> tag("b", "a < b", class_="big", title=None).text
    '<b class="big">a &lt; b</b>'
    """
    words = "".join(
        f' {_attribute(key)}="{_safe(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    end = "\n" if element in _BLOCKS else ""
    if element in _SHAPES and not children:
        return Markup(f"<{element}{words}/>")
    if element in _VOID:
        return Markup(f"<{element}{words}>{end}")
    return Markup(f"<{element}{words}>{joined(children).text}</{element}>{end}")


def joined(nodes: Iterable[Node], between: Node = "") -> Markup:
    """One after the other."""
    return Markup(_text(between).join(map(_text, nodes)))


def name_of(words: str, limit: int = 64) -> Markup:
    """A name from outside: its direction of writing does not leak into what stands around it."""
    return tag("bdi", shown(words, limit))


def _text(node: Node) -> str:
    return node.text if isinstance(node, Markup) else _safe(node)


def _safe(words: str) -> str:
    return escape(shown(words, _LIMIT), quote=True)


def _attribute(key: str) -> str:
    return key.removesuffix("_").replace("_", "-")
