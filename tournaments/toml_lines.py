"""TOML with the places of its keys, so that what is wrong can be told with file and line. Pure."""

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import inspect

from referee.match import shown

KeyPath: TypeAlias = tuple[str | int, ...]

_HEADER: Final = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY: Final = re.compile(
    r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_PART: Final = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_AT: Final = re.compile(r"(.*) \(at line (\d+), column (\d+)\)")
_SHOWN: Final = 60
_SIMPLE: Final[dict[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.StrType: "a text in quotes",
    inspect.DictType: "a table",
    inspect.ListType: "an array of tables, [[…]]",
    inspect.VarTupleType: "a list of whole numbers",
    inspect.TupleType: "a list of whole numbers",
}


class TomlError(Exception):
    """The text is no TOML; the message says where and why."""


class Problems:
    """Collects what is wrong, a line each."""

    def __init__(self, file: str, places: Mapping[KeyPath, int]) -> None:
        self._file, self._places = file, places
        self.lines: list[str] = []

    def add(self, path: KeyPath, what: str) -> None:
        """Something about a key."""
        line = self._line_of(path)
        where = f"{self._file}:{line}" if line else self._file
        self.lines.append(f"{where}: {shown(_dotted(path), 200)}: {shown(what, 600)}")

    def unknown(self, table: KeyPath, key: str, known: Iterable[str]) -> None:
        """A key that means nothing here."""
        close = difflib.get_close_matches(key, list(known), n=1)
        hint = f". Did you mean '{close[0]}'?" if close else f" (keys: {', '.join(known)})"
        self.add((*table, key), f"unknown key{hint}")

    def wrong(self, path: KeyPath, kind: Any, value: Any) -> None:
        """A value of another kind."""
        self.add(path, f"expected {wanted(kind)}, got {_written(value)}")

    def missing(self, table: KeyPath, key: str, kind: Any) -> None:
        """A key that must be there."""
        self.add((*table, key), f"missing: expected {wanted(kind)}")

    def _line_of(self, path: KeyPath) -> int | None:
        """Of the key, or of the nearest table around it that stands in the file."""
        while path:
            if path in self._places:
                return self._places[path]
            path = path[:-1]
        return None


def load(text: str, file: str) -> tuple[dict[str, Any], Problems]:
    """The values, and a collector of problems that knows where each stands; raises `TomlError`."""
    try:
        values = tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        found = _AT.fullmatch(str(exc))
        raise TomlError(
            f"{file}:{found[2]}:{found[3]}: {found[1]}" if found else f"{file}: {exc}"
        ) from exc
    return values, Problems(file, places_of(text))


def places_of(text: str) -> dict[KeyPath, int]:
    """The line of each key and table, from 1; the first where one stands several times.

    It reads lines and not TOML: inside a text of several lines it may see keys where there are none.

    >>> places_of("a = 1\\n[t]\\nb.c = 2\\n[[u]]\\n[[u]]\\nd = 3")[("u", 1, "d")]
    6
    """
    places: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _indexed(_parts(header[2]), counts, is_array=header[1] == "[[")
            places.setdefault(table, number)
            places.setdefault(tuple(part for part in table[:1]), number)
        elif key := _KEY.match(line):
            path = table
            for part in _parts(key[1]):
                path = (*path, part)
                places.setdefault(path, number)
    return places


def wanted(kind: Any) -> str:
    """What a value must be, in words.

    >>> from typing import Annotated, Literal
    >>> from msgspec import Meta
    >>> wanted(Annotated[int, Meta(ge=1)] | None), wanted(Literal["all", "faults"])
    ('a whole number of 1 or more', "'all' or 'faults'")
    """
    return _in_words(inspect.type_info(kind))


def _in_words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(type=inner):
            return _in_words(inner)
        case inspect.UnionType(types=types):
            some = [each for each in types if not isinstance(each, inspect.NoneType)]
            return " or ".join(map(_in_words, some))
        case inspect.IntType(ge=low):
            return "a whole number" if low is None else f"a whole number of {low} or more"
        case inspect.LiteralType(values=values):
            return _alternatives([repr(value) for value in values])
        case inspect.EnumType(cls=cls):
            return _alternatives([repr(str(value)) for value in cls])
        case _:
            return _SIMPLE[type(kind)]


def _alternatives(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _parts(words: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(words)]


def _indexed(parts: list[str], counts: dict[KeyPath, int], *, is_array: bool) -> KeyPath:
    """The path of a table, with the numbers of the arrays' tables it stands in."""
    path: KeyPath = ()
    for place, part in enumerate(parts):
        path = (*path, part)
        if is_array and place == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _dotted(path: KeyPath) -> str:
    """`bots[2].run`, counted from 1, as people do."""
    words = ""
    for part in path:
        words += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if words else part
    return words


def _written(value: Any) -> str:
    """A value as it may stand in the file, cut."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except TypeError:
        text = str(value)  # a date
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
