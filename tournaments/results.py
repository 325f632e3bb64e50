"""What a run folder says: the table of an event, from nothing but its store."""

from collections.abc import Sequence

import msgspec

from protocol.faults import FaultCode
from referee.series import STARTS_BEFORE_BENCH
from tournaments.errors import StoreError
from tournaments.event import Event, Schedule, in_schedule
from tournaments.opening import stored_event
from tournaments.shapes import Played, Standings
from tournaments.standings import standings
from tournaments.store import Store, StoredEvent


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """An event as far as it was played.

    `played` are its games in the order of the schedule, `logs` names the log of each block by the block's number,
    relative to the run folder; one that was not kept is left out. `unplayable` counts blocks.
    """

    event: Event
    began: str
    commitment: str
    tables: int
    played: Sequence[Played]
    logs: dict[int, str]
    unplayable: int
    standings: Standings


def results_of(store: Store, number: int | None = None) -> Results:
    """The results of an event, by default of the newest; raises `StoreError`."""
    row = _row(store, number)
    event = stored_event(store, row)
    schedule = Schedule(event)
    unplayable = store.unplayable(event.number)
    playable = [task for task in schedule.tasks() if task.key not in unplayable]
    played = in_schedule(schedule, store.games(event.number), unplayable)
    league = event.league
    table = standings(
        played,
        event.names,
        seats=league.seats,
        versions=[bot.version for bot in league.bots],
        anchor=league.anchor,
        planned=len(schedule) * league.seats,
        benched=benched(played),
        deals=[task.block.deal for task in playable] if league.shared_deals else (),
    )
    logs = {block.key: block.log for block in store.blocks(event.number)}
    return Results(
        event=event,
        began=row.began,
        commitment=row.commitment,
        tables=len(schedule.tables),
        played=played,
        logs={place: log for place, task in enumerate(playable) if (log := logs.get(task.key))},
        unplayable=len(unplayable),
        standings=table,
    )


def benched(played: Sequence[Played]) -> list[int]:
    """Bots that could not be started so often in a row, at the end, that it was no longer tried."""
    missed: dict[int, int] = {}
    for game in played:
        for bot, verdict in zip(game.bots, game.verdicts, strict=True):
            missed[bot] = missed.get(bot, 0) + 1 if verdict == FaultCode.NO_START else 0
    return [bot for bot, times in missed.items() if times >= STARTS_BEFORE_BENCH]


def _row(store: Store, number: int | None) -> StoredEvent:
    events = store.events()
    if not events:
        raise StoreError(f"{store.folder}: no event has begun here yet")
    if number is None:
        return events[-1]
    for row in events:
        if row.number == number:
            return row
    numbers = ", ".join(str(row.number) for row in events)
    raise StoreError(f"{store.folder} has no event {number} (events: {numbers})")
