"""Logs on disk: written game by game, read whether compressed or not.

A game is buffered and written in one piece with its seal, then brought to the disk: what is in the
file is whole games, whatever happens to the machine.
"""

import gzip
import os
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO

from msgspec import UNSET

from protocol.log import Aside, Chain, Close, Header, LogLine, encode_line


class LogFileError(Exception):
    """A log cannot be read or written; the message names the file and the remedy."""


class LogFullError(LogFileError):
    """The disk takes no more; what was there before is still whole."""


class Logbook:
    """A log being written. With `path` None it keeps its seals and writes nothing.

    Sealed games are brought to the disk by `save`, which may be tried again when it failed.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.games = 0
        self._file: IO[bytes] | None = None
        self._open: list[bytes] = []  # lines of the game that is being played
        self._sealed = b""
        self._chain: Chain | None = None
        if path:
            self._file = _create(path)

    @property
    def seal(self) -> str:
        """The last seal."""
        return self._chain.seal if self._chain else ""

    def begin(self, header: Header) -> None:
        """The first line."""
        line = encode_line(header)
        self._chain = Chain(line)
        self._sealed = line

    def add(self, line: LogLine) -> None:
        """One line of the game that is being played."""
        assert self._chain
        encoded = encode_line(line)
        if isinstance(line, Aside):
            self._chain.add_aside(encoded)
        else:
            self._chain.add(encoded)
        self._open.append(encoded)

    def end_game(self) -> None:
        """Seals the game; what is sealed and not saved yet is kept."""
        assert self._chain
        self.games += 1
        seal = encode_line(self._chain.seal_line(self.games))
        self._sealed += b"".join(self._open) + seal
        self._open.clear()

    def save(self) -> None:
        """Brings what is sealed to the disk; raises `LogFullError`, and then the file is as before."""
        if self._file:
            _append(self._file, self._sealed)
        self._sealed = b""

    def close(self, secret: str | None) -> None:
        """The last line; a game that was not ended is left out. Without a header: no log at all."""
        try:
            if self._chain:
                self._sealed += encode_line(self._close_line(secret))
                self.save()
        finally:
            if self._file:
                self._file.close()
                if not self._chain and self.path:
                    self.path.unlink()

    def _close_line(self, secret: str | None) -> Close:
        assert self._chain
        opened = UNSET if secret is None else secret
        return Close(games=self.games, seal=self._chain.seal, secret=opened)


def _append(file: IO[bytes], data: bytes) -> None:
    """All or nothing."""
    end = file.seek(0, os.SEEK_END)
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())
    except OSError as exc:
        file.truncate(end)
        raise LogFullError(f"cannot write log {file.name}: {exc.strerror}") from exc


def _create(path: Path) -> IO[bytes]:
    try:
        return path.open("xb", buffering=0)
    except FileExistsError:
        raise LogFileError(f"log {path} is there already: choose another name") from None
    except OSError as exc:
        raise LogFileError(f"cannot write log {path}: {exc.strerror}") from exc


def fresh_path(now: datetime) -> Path:
    """A name for a log in the working directory that is not taken."""
    stem = f"croupier-{now:%Y%m%d-%H%M%S}"
    number = 1
    path = Path(f"{stem}.jsonl")
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.jsonl")
    return path


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a log with their newlines, also of a compressed one; raises `LogFileError`."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as file:
            yield from file
    except (OSError, EOFError, zlib.error) as exc:
        words = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc)
        raise LogFileError(f"cannot read log {path}: {words}") from exc


def logs_in(paths: Sequence[Path]) -> list[Path]:
    """The logs that were named: files as they are, folders with all logs below them."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = sorted(p for p in path.rglob("*") if p.name.endswith((".jsonl", ".jsonl.gz")))
            if not below:
                raise LogFileError(f"folder {path} holds no logs (*.jsonl, *.jsonl.gz)")
            found += below
        else:
            found.append(path)
    return found
