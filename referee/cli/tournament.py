"""`croupier tournament`: from a league file to a table, again and again until all is played."""

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import trio

from referee import screen
from referee.channels.isolation import LayerName
from referee.cli.errors import say
from referee.cli.playing import Outcome, cpus_for, layer_for, play_event, tally_of
from referee.cli.standings import json_line, print_standings
from referee.cli.watching import watching
from referee.games import GAMES
from referee.match import shown
from tournaments.balancing import balance
from tournaments.event import Event, Schedule, Task
from tournaments.league import League, load_league
from tournaments.opening import open_event
from tournaments.results import results_of
from tournaments.shapes import Played
from tournaments.store import Store, writing
from tournaments.trial import GAMES as TRIAL_GAMES
from tournaments.trial import tried

BOT_AT_FAULT: Final = 4
CANNOT_GO_ON: Final = 3
_MAX_TABLES: Final = 20  # that are listed


class TournamentArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The command line, parsed but not understood."""

    league: Path
    folder: Path | None
    jobs: int | None
    dry_run: bool
    new_event: bool
    affinity: bool
    strict: bool
    json: bool
    quiet: bool


def run_tournament(arguments: TournamentArguments) -> int:
    """Plays what is missing and prints the table; 4 when a bot was at fault and that matters."""
    league = load_league(arguments.league)
    folder = arguments.folder or arguments.league.with_suffix(".d")
    cpus = cpus_for(league, arguments.jobs, affinity=arguments.affinity)
    layer = layer_for(league)
    if arguments.dry_run:
        return _dry_run(league, layer, folder, cpus)
    with writing(folder) as store:
        outcome = _play(arguments, store, league, layer, cpus)
        results = results_of(store)
    if arguments.json:
        sys.stdout.buffer.write(json_line(results, folder))
    else:
        print_standings(results, folder)
    table = results.standings
    say_the_end(outcome, f"{table.played} of {table.planned} games are stored")
    if outcome.ended and outcome.ended.broken:
        return CANNOT_GO_ON
    if outcome.interrupted is not None:
        return outcome.interrupted
    return BOT_AT_FAULT if arguments.strict and any(row.faults for row in table.rows) else 0


def _play(
    arguments: TournamentArguments,
    store: Store,
    league: League,
    layer: LayerName,
    cpus: list[int | None],
) -> Outcome:
    event, words = open_event(store, league, layer, is_new=arguments.new_event)
    schedule = Schedule(event)
    if not arguments.quiet:
        say("\n".join([*plan_lines(event, schedule, len(cpus)), words]))

    def stream(task: Task, games: Sequence[Played]) -> None:
        if arguments.json:
            _print_games(event, schedule, task, games)

    tally = tally_of(event, schedule, store)
    with watching(event, tally, stream, quiet=arguments.quiet) as watcher:
        return play_event(event, schedule, store, cpus, watcher)


def _print_games(event: Event, schedule: Schedule, task: Task, games: Sequence[Played]) -> None:
    """A line of JSON for each game that now counts."""
    for key, played in zip(schedule.game_keys(task), games, strict=True):
        line = {
            "type": "game",
            "key": key,
            "deal": task.block.deal,
            "bots": [event.names[bot] for bot in played.bots],
            "scores": played.scores,
            "places": played.places,
            "reason": played.reason,
            "verdicts": played.verdicts,
            "steps": played.steps,
        }
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


def plan_lines(event: Event, schedule: Schedule, jobs: int) -> list[str]:
    """What is going to be played, and how."""
    league = event.league
    game = GAMES[league.game]
    seats = league.seats
    seatings = "both seats" if seats == 2 else f"{seats} rotations of seats"
    shared = "the same for all tables" if league.shared_deals else "of its own for each table"
    restart = {"game": "for every game", "never": "for every deal"}[league.restart]
    options = screen.options_note(league.options)
    count, games = len(schedule.tables), len(schedule) * seats
    tables = f"{count} {'table' if count == 1 else 'tables'} of {seats} × {league.deals} deals"
    bots = f"{league.format} · {len(league.bots)} bots"
    return [
        f"{shown(league.name, 64)} · {game.title}{options} · {bots}",
        f"  {tables} × {seatings}: {games} games, {jobs} at a time",
        *([] if league.tables is None else [f"  {balance_words(schedule, len(league.bots))}"]),
        f"  deals {shared}; bots are started anew {restart}; isolation {event.layer}",
    ]


def balance_words(schedule: Schedule, bots: int) -> str:
    """How even a choice of tables is."""
    even = balance(schedule.tables, bots)
    (few, many), (least, most) = even.appearances, even.meetings
    sits = f"{few}" if few == many else f"{few} to {many}"
    meets = f"{least}" if least == most else f"{least} to {most}"
    return f"a balanced choice of tables: each bot sits at {sits}, each pair meets at {meets}"


def _dry_run(league: League, layer: LayerName, folder: Path, cpus: list[int | None]) -> int:
    """Prints the plan, with the time it will take as two games on trial say."""
    # A secret of its own: the deals on trial are none that will be played.
    secret = secrets.token_hex(32)
    event = Event(number=1, id="trial", league=league, secret=secret, layer=layer, program="")
    schedule = Schedule(event)
    out = screen.console()
    lines = [*plan_lines(event, schedule, len(cpus)), f"  into {shown(str(folder), 1000)}"]
    out.print("\n".join([*lines, *table_lines(event, schedule)]), soft_wrap=True)
    trial = trio.run(tried, event, schedule, cpus[0])
    for words in trial.faults:
        out.print(f"  ! {shown(words, 300)}", soft_wrap=True)
    total = trial.seconds * len(schedule) * league.seats / len(cpus)
    out.print(
        f"  about {_duration(total)}, if all games take as long as {TRIAL_GAMES} on trial did "
        f"({trial.seconds:.2f} s each)"
    )
    return 0


def table_lines(event: Event, schedule: Schedule) -> list[str]:
    """The tables by their bots' names, the first of many."""
    lines = [
        f"  table {number}: {', '.join(shown(event.names[bot], 64) for bot in table)}"
        for number, table in enumerate(schedule.tables, 1)
    ]
    if len(lines) > _MAX_TABLES:
        lines[_MAX_TABLES:] = [f"  and {len(lines) - _MAX_TABLES} tables more"]
    return lines


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def say_the_end(outcome: Outcome, count: str) -> None:
    """Why it is over, when it is not because all was played."""
    ended = outcome.ended
    if ended and ended.broken:
        say(f"The tournament cannot go on: {ended.broken}. {count}.")
    elif outcome.interrupted is not None:
        say(f"Interrupted. {count}; run the same command again to go on.")
    elif ended and ended.unplayable:
        say(
            f"{ended.unplayable} deals could not be played; run the same command again to try "
            "them once more."
        )
