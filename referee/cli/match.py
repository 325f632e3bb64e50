"""`croupier match`: a plan from the arguments, the games, the table."""

import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
import trio
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee import chance, screen
from referee.bots import BotSpec, parse_bots
from referee.channels.sweep import adopt_orphans
from referee.cli.errors import UsageError, game_named, options_from
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.game import OptionsError
from referee.logbook import Logbook, fresh_path
from referee.results import GameResult
from referee.series import Plan, play_series
from tournaments.standings import Standing, sentence, standings


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
    restart: Literal["never", "game"] | None
    log: Path | None
    no_log: bool
    quiet: bool
    json: bool


def run_match(arguments: MatchArguments) -> int:
    """Plays and prints; 4 when a bot was at fault."""
    plan = plan_from(arguments)
    path = None if arguments.no_log else arguments.log or fresh_path(datetime.now().astimezone())
    logbook = Logbook(path)
    adopt_orphans()
    began = time.perf_counter()
    with _progress(plan, quiet=arguments.quiet) as on_result:
        results = trio.run(play_series, plan, logbook, on_result)
    seconds = time.perf_counter() - began
    rows = standings(results, [bot.name for bot in plan.bots])
    if arguments.json:
        report = msgspec.json.encode(json_report(plan, results, rows, path))
        sys.stdout.buffer.write(report + b"\n")
    else:
        _print_report(plan, results, rows, logbook, seconds)
    return 4 if any(row.faults for row in rows) else 0


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
        restart=arguments.restart or ("game" if game.hidden else "never"),
    )


def json_report(
    plan: Plan, results: Sequence[GameResult], rows: Sequence[Standing], path: Path | None
) -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "schema": 1,
        "game": plan.game.name,
        "options": plan.options,
        "seed": plan.seed,
        "isolation": "posix",
        "restart": plan.restart,
        "log": None if path is None else str(path),
        "voids": sum(result.outcome is None for result in results),
        "games": [_json_game(plan.bots, result) for result in results],
        "bots": [_json_bot(row, plan.game.tally) for row in rows],
    }


def _json_game(bots: Sequence[BotSpec], result: GameResult) -> dict[str, Any]:
    outcome = result.outcome
    return {
        "game": result.game,
        "bots": [bots[bot].name for bot in result.bots],
        "scores": outcome.scores if outcome else None,
        "places": outcome.places if outcome else None,
        "reason": outcome.reason if outcome else "void",
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
        "faults": row.faults,
        "ms_median": None if row.ms_median is None else round(row.ms_median, 3),
        "ms_max": None if row.ms_max is None else round(row.ms_max, 3),
    }


def _print_report(
    plan: Plan,
    results: Sequence[GameResult],
    rows: Sequence[Standing],
    logbook: Logbook,
    seconds: float,
) -> None:
    names = [bot.name for bot in plan.bots]
    out = screen.console()
    options = screen.options_note(plan.options)
    out.print(screen.match_title(names, plan.game.title, options, plan.games, plan.seed))
    out.print()
    out.print(screen.standings_table(rows, plan.game.tally))
    out.print()
    for line in [*screen.forfeit_lines(results, names), *screen.void_lines(results)]:
        out.print(line, soft_wrap=True)
    speed = f"{seconds:.1f} s, {len(results) / seconds:.1f} games/s."
    out.print(f"{sentence(results, rows)} {speed}", soft_wrap=True)
    if any(bot.argv for bot in plan.bots):
        out.print("isolation posix: trusted bots only (a bot could tamper with the others)")
    if logbook.path:
        out.print(f"log     {logbook.path}", soft_wrap=True)
        out.print(f"seal    {logbook.seal}", soft_wrap=True)
        out.print(f"replay  croupier replay {logbook.path} --game 1", soft_wrap=True)


def _progress(plan: Plan, *, quiet: bool) -> AbstractContextManager[Callable[[GameResult], None]]:
    """Says on stderr how far it is: a bar on a terminal, else a line for every tenth."""
    if quiet or plan.games == 1:
        return _no_progress()
    return _bar(plan) if sys.stderr.isatty() else _lines(plan)


@contextmanager
def _no_progress() -> Iterator[Callable[[GameResult], None]]:
    yield lambda _: None


@contextmanager
def _bar(plan: Plan) -> Iterator[Callable[[GameResult], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = screen.console(sys.stderr)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task("games", total=plan.games)
        yield lambda _: progress.advance(task)


@contextmanager
def _lines(plan: Plan) -> Iterator[Callable[[GameResult], None]]:
    step = max(1, plan.games // 10)

    def say(result: GameResult) -> None:
        if result.game % step == 0:
            print(f"game {result.game} of {plan.games}", file=sys.stderr)  # noqa: T201

    yield say
