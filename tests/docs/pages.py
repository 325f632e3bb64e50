"""The pages of the documentation, and the fenced blocks in them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]

_FENCE: Final = re.compile(r"^```(\w+) ?(.*)\n((?s:.*?))^```$", re.MULTILINE)


class Block(NamedTuple):
    """One fenced block: its language, the `key=value` words after it, its text."""

    language: str
    info: dict[str, str]
    body: str


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page in order."""
    for language, words, body in _FENCE.findall(page.read_text(encoding="utf-8")):
        info = dict(word.split("=", 1) for word in shlex.split(words))
        yield Block(language, info, body)


def name_of(page: Path) -> str:
    """The page as a person writes it: `docs/protocol.md`."""
    return str(page.relative_to(ROOT))
