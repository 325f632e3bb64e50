"""What `croupier tournament` and `croupier compare` have in common: an event is played with what is here."""

import os
from collections.abc import Callable

import msgspec
import trio

from referee.channels.isolation import LayerName
from referee.channels.probing import choose
from referee.channels.runaways import end_runaways
from referee.channels.sweep import adopt_orphans
from referee.cli.errors import UsageError, say
from referee.cli.interrupts import Interrupts
from referee.cli.watching import Watching
from tournaments.backend import local
from tournaments.event import Event, Schedule, setting
from tournaments.league import League
from tournaments.runner import Ended, Run
from tournaments.store import Store
from tournaments.tally import Tally

FINISHING = "The deals now playing will be finished; Ctrl-C again stops at once."


class Outcome(msgspec.Struct, frozen=True):
    """How a run ended, None when it was cut short; and the exit status that a signal asked for."""

    ended: Ended | None
    interrupted: int | None


def cpus_for(league: League, jobs: int | None, *, affinity: bool) -> list[int | None]:
    """A processor for each game at once, None for any; raises `UsageError`."""
    cores = sorted(os.sched_getaffinity(0))
    at_once = league.seats if league.ponder else 1  # bots that compute, in one game
    jobs = jobs or max(1, len(cores) // at_once)
    if affinity and jobs > len(cores):
        raise UsageError(
            f"-j {jobs}: this machine has {len(cores)} processors, and each game gets one for itself; "
            "games that share them are measured wrongly. To have it all the same: --no-affinity"
        )
    # Bots that think on each other's time need more than one.
    return list(cores[:jobs]) if affinity and at_once == 1 else [None] * jobs


def layer_for(league: League) -> LayerName:
    """The one that works here; raises `IsolationError`."""
    if not any(bot.argv for bot in league.bots):
        return "posix"
    adopt_orphans()  # what the trial of a sandbox leaves is ours to bury, and what a dead worker leaves
    layer, warning = choose(league.isolation)
    if warning:
        say(warning)
    return layer.name


def tally_of(event: Event, schedule: Schedule, store: Store) -> Tally:
    """What is stored already, counted."""
    tally = Tally(event.names, event.league.seats, len(schedule) * event.league.seats)
    for games in store.games(event.number).values():
        for played in games:
            tally.add(played)
    return tally


def play_event(
    event: Event,
    schedule: Schedule,
    store: Store,
    cpus: list[int | None],
    watcher: Watching,
    should_stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Plays what is missing, until `should_stop` says so or a signal does; raises `StoreError`."""
    if runaways := end_runaways():
        watcher.say(f"ended what an earlier run had left running: {runaways} processes of its bots")
    interrupts = Interrupts(watcher.say, FINISHING)
    hidden = [str(store.folder.absolute())]
    ended: Ended | None = None

    async def play() -> None:
        nonlocal ended
        settings = [setting(event, hidden, cpu) for cpu in cpus]
        async with local(settings) as backend, trio.open_nursery() as nursery:
            nursery.start_soon(watcher.refresh)
            run = Run(
                event,
                schedule,
                store,
                backend,
                watcher,
                lambda: interrupts.should_stop() or should_stop(),
            )
            ended = await run.play()
            nursery.cancel_scope.cancel()

    trio.run(interrupts.run, play)
    return Outcome(ended, interrupts.status)
