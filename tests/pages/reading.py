"""A page as a reader has it: its elements, its words, its tables."""

from html.parser import HTMLParser
from typing import Final

OPEN_ENDED: Final = {"meta"}


class Reader(HTMLParser):
    """Collects elements with their attributes, the words in each, and the cells of each table.

    An element that is not closed, or closed by another's tag, is an error.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}
        self.tables: dict[str, list[list[str]]] = {}
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), "an attribute that is there twice"
        self.elements.append((tag, dict(attrs)))
        if tag in OPEN_ENDED:
            return
        self._open.append(tag)
        self.words.setdefault(tag, []).append("")
        if tag == "div":
            self._caption = dict(attrs).get("aria-label") or ""
        if tag == "table":
            self.tables[self._caption] = []
        if tag == "tr":
            self.tables[self._caption].append([])
        if tag in {"td", "th"}:
            self.tables[self._caption][-1].append("")
        if tag == "small":
            self.tables[self._caption][-1][-1] += " "

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self._open):
            self.words[tag][-1] += data
        if {"td", "th"} & set(self._open) and "text" not in self._open:
            self.tables[self._caption][-1][-1] += data
