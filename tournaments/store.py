"""What a tournament keeps: one SQLite file, the one source of truth, and a lock.

A block's games are stored whole, in one transaction, after its log is on the disk under its own name;
what is there already is never written again. Used from one thread, by a process that has no clock to keep.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from tournaments.errors import StoreError, StoreFullError
from tournaments.shapes import Played

FILE: Final = "store.sqlite"
LOCK: Final = "lock"
VERSION: Final = 1
ATTEMPTS: Final = 3  # a block that fails so often is left out, until the tournament is run again

_BUSY_SECONDS: Final = 10.0
_SCHEMA: Final = """
CREATE TABLE event (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, league TEXT NOT NULL, layer TEXT NOT NULL,
  program TEXT NOT NULL, commitment TEXT NOT NULL, began TEXT NOT NULL
) STRICT;
CREATE TABLE block (
  key TEXT PRIMARY KEY, event INTEGER NOT NULL REFERENCES event, log TEXT, sha256 TEXT NOT NULL,
  seal TEXT NOT NULL, voids INTEGER NOT NULL, seconds REAL NOT NULL, ended TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE game (
  key TEXT PRIMARY KEY, block TEXT NOT NULL REFERENCES block, turn INTEGER NOT NULL,
  result TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX game_block ON game (block, turn);
CREATE TABLE attempt (
  event INTEGER NOT NULL REFERENCES event, block TEXT NOT NULL, ended TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT;
CREATE INDEX attempt_block ON attempt (block);
"""
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Played).decode


class StoredEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A row of events; `league` is its JSON, `commitment` the SHA-256 of the secret's digits."""

    number: int
    id: str
    league: str
    layer: str
    program: str
    commitment: str
    began: str


class StoredBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block that was played; `log` is relative to the run folder, None when it was not kept."""

    key: str
    log: str | None
    sha256: str
    seal: str
    voids: int
    seconds: float


class Store:
    """The store of a run folder."""

    def __init__(self, database: sqlite3.Connection, folder: Path) -> None:
        self._database = database
        self.folder = folder

    def events(self) -> list[StoredEvent]:
        """All events, the oldest first."""
        rows = self._database.execute(
            "SELECT number, id, league, layer, program, commitment, began FROM event ORDER BY number"
        )
        fields = StoredEvent.__struct_fields__
        return [StoredEvent(**dict(zip(fields, row, strict=True))) for row in rows]

    def add_event(
        self, number: int, *, id_: str, league: str, layer: str, program: str, commitment: str
    ) -> None:
        """One more event, with nothing played yet."""
        with self._transaction():
            self._database.execute(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, id_, league, layer, program, commitment, _now()),
            )

    def change_league(self, number: int, league: str) -> None:
        """The league of an event was extended."""
        with self._transaction():
            self._database.execute("UPDATE event SET league = ? WHERE number = ?", (league, number))

    def keys(self, event: int) -> set[str]:
        """The blocks of an event that are stored."""
        rows = self._database.execute("SELECT key FROM block WHERE event = ?", (event,))
        return {key for (key,) in rows}

    def commit(self, event: int, block: StoredBlock, games: Mapping[str, Played]) -> list[str]:
        """Stores a block and its games by their keys; what is there already stays as it is.

        Gives the keys of games that were there with another result. Raises `StoreFullError`.
        """
        with self._transaction():
            differing = [key for key, played in games.items() if self._differs(key, played)]
            now = _now()
            self._database.execute(
                "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (
                    *(block.key, event, block.log, block.sha256, block.seal),
                    *(block.voids, block.seconds, now),
                ),
            )
            self._database.executemany(
                "INSERT INTO game VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [
                    (key, block.key, played.turn, _encode(played).decode())
                    for key, played in games.items()
                ],
            )
            self._add_attempt(event, block.key, "played")
        return differing

    def fail(self, event: int, key: str, why: str) -> None:
        """An attempt at a block that came to nothing, by no bot's fault."""
        with self._transaction():
            self._add_attempt(event, key, why)

    def games(self, event: int) -> dict[str, list[Played]]:
        """All games of an event, by the keys of their blocks, in order of turns."""
        found: dict[str, list[Played]] = {}
        for key, result in self._database.execute(
            "SELECT game.block, game.result FROM game JOIN block ON block.key = game.block"
            " WHERE block.event = ? ORDER BY game.block, game.turn",
            (event,),
        ):
            found.setdefault(key, []).append(_decode(result))
        return found

    def game_keys(self, block: str) -> list[str]:
        """The keys of a block's games, in order of turns."""
        rows = self._database.execute(
            "SELECT key FROM game WHERE block = ? ORDER BY turn", (block,)
        )
        return [key for (key,) in rows]

    def blocks(self, event: int) -> Iterator[StoredBlock]:
        """What is known of each block that was played."""
        rows = self._database.execute(
            "SELECT key, log, sha256, seal, voids, seconds FROM block WHERE event = ? ORDER BY log, key",
            (event,),
        )
        fields = StoredBlock.__struct_fields__
        return (StoredBlock(**dict(zip(fields, row, strict=True))) for row in rows)

    def unplayable(self, event: int) -> frozenset[str]:
        """The blocks that failed too often and were never played."""
        rows = self._database.execute(
            "SELECT block FROM attempt WHERE event = ? AND block NOT IN (SELECT key FROM block)"
            " GROUP BY block HAVING count(*) >= ?",
            (event, ATTEMPTS),
        )
        return frozenset(key for (key,) in rows)

    def _differs(self, key: str, played: Played) -> bool:
        """Whether the game is stored with another end. Times and memory never are the same."""
        row = self._database.execute("SELECT result FROM game WHERE key = ?", (key,)).fetchone()
        return row is not None and _essence(_decode(row[0])) != _essence(played)

    def _add_attempt(self, event: int, key: str, outcome: str) -> None:
        self._database.execute(
            "INSERT INTO attempt VALUES (?, ?, ?, ?)", (event, key, _now(), outcome)
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, and on the disk when it is left."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise
        except sqlite3.OperationalError as exc:
            full = exc.sqlite_errorcode in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
            kind = StoreFullError if full else StoreError
            raise kind(f"cannot write {self.folder / FILE}: {exc}") from exc


def _essence(played: Played) -> tuple[object, ...]:
    return played.bots, played.scores, played.places, played.reason, played.verdicts


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def writing(folder: Path) -> Iterator[Store]:
    """The store of this folder, made if need be, for this process alone; raises `StoreError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise StoreError(f"cannot make folder {folder}: {exc.strerror}") from exc
    with _locked(folder), closing(_opened(folder)) as database:
        yield Store(database, folder)


@contextmanager
def reading(folder: Path) -> Iterator[Store]:
    """The store of this folder, also while it is written; raises `StoreError`."""
    if not (folder / FILE).is_file():
        raise StoreError(f"{folder} is no run folder of a tournament: it has no {FILE}")
    with closing(_opened(folder, is_reader=True)) as database:
        yield Store(database, folder)


def is_run_folder(path: Path) -> bool:
    """Whether a tournament was played into this folder."""
    return (path / FILE).is_file()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Two tournaments in one folder: the second is refused. The lock ends with the process."""
    path = folder / LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as exc:
        raise StoreError(f"cannot write {path}: {exc.strerror}") from exc
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
            raise StoreError(
                f"another tournament is being played into {folder} (process {holder}): "
                "wait for its end, or name another folder with --dir"
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)


def _opened(folder: Path, *, is_reader: bool = False) -> sqlite3.Connection:
    path = folder / FILE
    try:
        database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and not is_reader:
            _make(database)
        elif version != VERSION:
            raise StoreError(
                f"{path} has version {version} of the store; this program knows version {VERSION}: "
                "use the version of Croupier that wrote it, or another folder with --dir"
            )
        if is_reader:
            database.execute("PRAGMA query_only = ON")
        else:
            database.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as exc:
        raise StoreError(f"cannot use {path}: {exc}") from exc
    return database


def _make(database: sqlite3.Connection) -> None:
    """A new store, all of it or nothing."""
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
