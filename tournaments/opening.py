"""Begins an event in a run folder, or goes on with the one that is there if it still is the same."""

import os
import secrets
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from referee import __version__, chance
from referee.channels.isolation import LayerName
from tournaments.amending import Amendment, Changed, Extension, amendment, merged
from tournaments.errors import EventChangedError, StoreError
from tournaments.event import Event
from tournaments.league import League, as_json, from_json
from tournaments.store import Store, StoredEvent

PROGRAM: Final = f"croupier {__version__}"
_REMEDY: Final = "Undo the change and run it again, or keep these results and play a new event beside them: --new-event"


def open_event(
    store: Store, league: League, layer: LayerName, *, is_new: bool = False
) -> tuple[Event, str]:
    """The event to be played, and in words what became of the one that is there.

    Raises `EventChangedError`, and `StoreError` when the event's secret is missing or another's.
    """
    events = store.events()
    if is_new or not events:
        event = _begin(store, league, layer, len(events) + 1)
        return (
            event,
            f"event {event.number} begins; its deals are committed to: {commitment(event.secret)}",
        )
    return _go_on(store, events[-1], league, layer)


def stored_event(store: Store, row: StoredEvent) -> Event:
    """An event as it is stored; its secret is empty when it is not here or another's."""
    secret = _secret(store.folder, row)
    return _event(row, from_json(row.league), secret)


def commitment(secret: str) -> str:
    """What an organiser can publish beforehand: SHA-256 of the secret's 64 digits."""
    return sha256(secret.encode()).hexdigest()


def secret_file(folder: Path, event: int) -> Path:
    """Where the secret of an event is kept; for the organiser's eyes while it is being played."""
    return folder / f"event-{event}.secret"


def _begin(store: Store, league: League, layer: LayerName, number: int) -> Event:
    secret = secrets.token_hex(32) if league.seed is None else chance.secret_from_seed(league.seed)
    _write_secret(secret_file(store.folder, number), secret)
    id_ = f"{league.name} #{number}"
    store.add_event(
        number,
        id_=id_,
        league=as_json(league),
        layer=layer,
        program=PROGRAM,
        commitment=commitment(secret),
    )
    return Event(number=number, id=id_, league=league, secret=secret, layer=layer, program=PROGRAM)


def _go_on(store: Store, row: StoredEvent, league: League, layer: LayerName) -> tuple[Event, str]:
    old = from_json(row.league)
    change = amendment(old, league)
    if wrong := _what_forbids(row, change, layer):
        lines = "\n".join(f"  {line}" for line in wrong)
        raise EventChangedError(
            f"{store.folder} has results of another tournament. What has changed:\n{lines}\n{_REMEDY}"
        )
    secret = _secret(store.folder, row)
    if not secret:
        raise StoreError(
            f"{secret_file(store.folder, row.number)} is missing or not that of event {row.number}: "
            "without it the other deals cannot be drawn. Bring it back, or play a new event: --new-event"
        )
    today = merged(old, league)
    if as_json(today) != row.league:
        store.change_league(row.number, as_json(today))
    done = f"is extended {change.words}" if isinstance(change, Extension) else "goes on"
    return _event(row, today, secret), f"event {row.number} {done}"


def _what_forbids(row: StoredEvent, change: Amendment, layer: LayerName) -> list[str]:
    """Why games of today would not be of the event that has begun."""
    wrong = list(change.lines) if isinstance(change, Changed) else []
    if row.program != PROGRAM:
        wrong.append(f"the program: {row.program} began it, this is {PROGRAM}")
    if row.layer != layer:
        wrong.append(f"isolation: it began under {row.layer}, and this would be {layer}")
    return wrong


def _event(row: StoredEvent, league: League, secret: str) -> Event:
    layer = msgspec.convert(row.layer, LayerName)
    return Event(
        number=row.number,
        id=row.id,
        league=league,
        secret=secret,
        layer=layer,
        program=row.program,
    )


def _secret(folder: Path, row: StoredEvent) -> str:
    """Empty when it is not there, or another's."""
    try:
        secret = secret_file(folder, row.number).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return secret if commitment(secret) == row.commitment else ""


def _write_secret(path: Path, secret: str) -> None:
    """On the disk before anything is played with it. One without an event is of no use to anybody."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, f"{secret}\n".encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
