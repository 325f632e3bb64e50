"""`croupier match`: a plan from the arguments, the games, the table."""

import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import msgspec
import trio
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee import chance, screen
from referee.bots import BotSpec, parse_bots
from referee.channels.isolation import LayerName
from referee.channels.probing import IsolationMode, choose
from referee.channels.runaways import end_runaways, guarded
from referee.channels.sweep import adopt_orphans
from referee.channels.watch import Budget
from referee.cli.errors import UsageError, game_named, options_from, say
from referee.cli.interrupts import Interrupts
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.game import OptionsError
from referee.lag import LagMeter, LagSummary
from referee.logbook import Logbook, fresh_path
from referee.report import fault_report, void_lines
from referee.results import GameResult
from referee.series import Plan, SeriesError, play_series
from tournaments.played import played_of_match
from tournaments.shapes import Played, Standing
from tournaments.standings import sentence, standings

CANNOT_GO_ON: Final = 3
_PROMISES: Final[dict[LayerName, str]] = {
    "posix": "posix: trusted bots only (a bot could tamper with the others)",
    "bwrap": "bwrap: no network, no view of the others, files of its own folder only",
}


class MatchArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The command line, parsed but not understood."""

    game: str
    bots: tuple[str, ...]
    games: int
    options: tuple[str, ...]
    seed: int | None
    move_ms: int | None
    game_ms: int | None
    increment_ms: int
    margin_ms: int
    start_ms: int
    on_fault: OnFault
    max_faults: int
    memory_mb: int
    processes: int
    ponder: bool
    isolation: IsolationMode
    restart: Literal["never", "game"] | None
    log: Path | None
    no_log: bool
    quiet: bool
    json: bool


def run_match(arguments: MatchArguments) -> int:
    """Plays and prints; 4 when a bot was at fault."""
    path = None if arguments.no_log else arguments.log or fresh_path(datetime.now().astimezone())
    adopt_orphans()
    plan = _isolated(plan_from(arguments), arguments.isolation, path)
    logbook = Logbook(path)
    if runaways := end_runaways():
        say(f"ended what an earlier match had left running: {runaways} processes of its bots")
    lag = LagMeter()
    began = time.perf_counter()
    with guarded(), _progress(plan, quiet=arguments.quiet) as progress:
        interrupts = Interrupts(progress.say)
        results, broken = trio.run(_play, plan, logbook, progress, interrupts, lag)
    seconds = time.perf_counter() - began
    games = played_of_match(results)
    rows = _rows(games, plan.bots)
    if arguments.json:
        report = msgspec.json.encode(json_report(plan, results, rows, path, lag.summary()))
        sys.stdout.buffer.write(report + b"\n")
    elif rows[0].games:
        _print_report(plan, results, rows, logbook, seconds, sentence(games, rows))
    kept = "" if path is None else " and are in the log"
    played = f"{rows[0].games} of {plan.games} games were played{kept}."
    if broken:
        say(f"The match cannot go on: {broken}. {played}")
        return CANNOT_GO_ON
    if interrupts.status is not None:
        say(f"Interrupted. {played}")
        return interrupts.status
    return 4 if any(row.faults for row in rows) else 0


def _rows(played: Sequence[Played], bots: Sequence[BotSpec]) -> list[Standing]:
    """The lines of the table in the order in which the bots were given."""
    table = standings(played, [bot.name for bot in bots], seats=len(bots), every_game=True)
    return sorted(table.rows, key=lambda row: row.bot)


def _isolated(plan: Plan, mode: IsolationMode, log: Path | None) -> Plan:
    """With the layer that works here; raises `IsolationError`."""
    if not any(bot.argv for bot in plan.bots):
        return plan
    layer, warning = choose(mode)
    if warning:
        say(warning)
    # The log has deals that are played once more in other seats.
    return msgspec.structs.replace(plan, layer=layer.hiding([log] if log else []))


async def _play(
    plan: Plan, logbook: Logbook, progress: "_Progress", interrupts: Interrupts, lag: LagMeter
) -> tuple[list[GameResult], str]:
    """The results, and why the series could not go on."""
    results: list[GameResult] = []
    broken = ""

    def heard(result: GameResult) -> None:
        results.append(result)
        if result.outcome:
            progress.advance()

    async def play() -> None:
        nonlocal broken
        try:
            await play_series(
                plan,
                logbook,
                heard,
                on_trouble=progress.say,
                should_stop=interrupts.should_stop,
                lag=lag,
            )
        except* SeriesError as group:
            broken = str(group.exceptions[0])

    await interrupts.run(play)
    return results, broken


def plan_from(arguments: MatchArguments) -> Plan:
    """The plan; raises `UsageError` and `BotError`."""
    game = game_named(arguments.game)
    options = options_from(game, arguments.options)
    bots = parse_bots(arguments.bots)
    if len(bots) not in game.seats:
        few, many = game.seats.start, game.seats.stop - 1
        wanted = f"{few}" if few == many else f"{few} to {many}"
        raise UsageError(f"{game.title} is played by {wanted} bots; {len(bots)} given")
    try:
        game.deal(Random(0), len(bots), options)
    except OptionsError as exc:  # some options fit one number of seats and not another
        raise UsageError(f"Option {exc}") from exc
    seed = arguments.seed
    return Plan(
        game=game,
        options=options,
        bots=bots,
        games=arguments.games,
        seed=seed,
        secret=secrets.token_hex(32) if seed is None else chance.secret_from_seed(seed),
        start_ms=arguments.start_ms,
        clock=Clock(
            move_ms=arguments.move_ms,
            bank_ms=arguments.game_ms,
            increment_ms=arguments.increment_ms,
            margin_ms=arguments.margin_ms,
        ),
        conduct=Conduct(arguments.on_fault, arguments.max_faults),
        budget=Budget(arguments.memory_mb, arguments.processes),
        ponder=arguments.ponder,
        restart=arguments.restart or ("game" if game.hidden else "never"),
    )


def json_report(
    plan: Plan,
    results: Sequence[GameResult],
    rows: Sequence[Standing],
    path: Path | None,
    lag: LagSummary | None,
) -> dict[str, Any]:
    """What `--json` prints: the games that count, and those that do not."""
    counted = [result for result in results if result.outcome]
    return {
        "schema": 1,
        "game": plan.game.name,
        "options": plan.options,
        "seed": plan.seed,
        "isolation": plan.layer.name,
        "restart": plan.restart,
        "log": None if path is None else str(path),
        "lag_ms": lag,
        "voids": [{"game": r.game, "why": r.void} for r in results if not r.outcome],
        "games": [_json_game(plan.bots, result) for result in counted],
        "bots": [_json_bot(row, plan.game.tally) for row in rows],
    }


def _json_game(bots: Sequence[BotSpec], result: GameResult) -> dict[str, Any]:
    outcome = result.outcome
    assert outcome
    return {
        "game": result.game,
        "bots": [bots[bot].name for bot in result.bots],
        "scores": outcome.scores,
        "places": outcome.places,
        "reason": outcome.reason,
        "verdicts": result.verdicts,
        "actions": result.actions,
    }


def _json_bot(row: Standing, tally: str) -> dict[str, Any]:
    interval = row.interval
    return {
        "name": row.name,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "place": row.place,
        "score": row.score,
        "score_95": None if interval is None else [interval.low, interval.high],
        **({tally.replace(" ", "_"): row.tally} if tally else {}),
        "faults": sum(row.faults.values()),
        "ms_median": round(row.time.median, 3) if row.time else None,
        "ms_max": round(row.time.slowest, 3) if row.time else None,
        "peak_kib": row.peak_kib,
        "cpu_ms": row.cpu_ms,
    }


def _print_report(
    plan: Plan,
    results: Sequence[GameResult],
    rows: Sequence[Standing],
    logbook: Logbook,
    seconds: float,
    verdict: str,
) -> None:
    names = [bot.name for bot in plan.bots]
    out = screen.console()
    options = screen.options_note(plan.options)
    out.print(screen.match_title(names, plan.game.title, options, plan.games, plan.seed))
    out.print()
    out.print(screen.standings_table(rows, plan.game.tally))
    out.print()
    if lines := [*fault_report(results, names, logbook.path), *void_lines(results)]:
        out.print("\n".join(lines), soft_wrap=True, end="\n\n")
    speed = f"{seconds:.1f} s, {len(results) / seconds:.1f} games/s."
    out.print(f"{verdict} {speed}", soft_wrap=True)
    if any(bot.argv for bot in plan.bots):
        out.print(f"isolation {_PROMISES[plan.layer.name]}", soft_wrap=True)
    if logbook.path:
        out.print(f"log     {logbook.path}", soft_wrap=True)
        out.print(f"seal    {logbook.seal}", soft_wrap=True)
        out.print(f"replay  croupier replay {logbook.path} --game 1", soft_wrap=True)


def _progress(plan: Plan, *, quiet: bool) -> AbstractContextManager["_Progress"]:
    """Says on stderr how far it is: a bar on a terminal, else a line for every tenth."""
    if quiet or plan.games == 1:
        return nullcontext(_Progress())
    return _bar(plan) if sys.stderr.isatty() else nullcontext(_Lines(plan.games))


class _Progress:
    """Nothing but what must be said."""

    def advance(self) -> None:
        """One more game counts."""

    def say(self, words: str) -> None:
        """A line for the operator."""
        say(words)


class _Lines(_Progress):
    """A line for every tenth of the games."""

    def __init__(self, games: int) -> None:
        self._games, self._done = games, 0

    def advance(self) -> None:
        self._done += 1
        if self._done % max(1, self._games // 10) == 0:
            say(f"game {self._done} of {self._games}")


class _Bar(_Progress):
    """A bar on a terminal."""

    def __init__(self, bar: Progress, games: int) -> None:
        self._bar, self._task = bar, bar.add_task("games", total=games)

    def advance(self) -> None:
        self._bar.advance(self._task)

    def say(self, words: str) -> None:
        self._bar.console.print(words, soft_wrap=True)


@contextmanager
def _bar(plan: Plan) -> Iterator[_Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = screen.console(sys.stderr)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        yield _Bar(bar, plan.games)
