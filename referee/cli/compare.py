"""`croupier compare`: plays until it knows which of two versions is better."""

import math
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import trio
from rich.live import Live
from rich.text import Text

from referee import screen
from referee.bots import parse_bots
from referee.channels.probing import IsolationMode
from referee.cli.errors import UsageError, game_named, options_from, say
from referee.cli.playing import Outcome, cpus_for, layer_for, play_event, tally_of
from referee.cli.watching import Watching
from referee.match import shown
from tournaments.contest import NEW, OLD, Answering, Contest, league_of, sentence, words_so_far
from tournaments.event import Event, Schedule, Task
from tournaments.opening import open_event
from tournaments.sequential import Comparison, Plan
from tournaments.shapes import Played
from tournaments.store import Store, writing
from tournaments.tally import Tally

CANNOT_GO_ON: Final = 3
_SEATS: Final = 4  # where there is a choice
_SAY_SECONDS: Final = 10.0
_REFRESH_SECONDS: Final = 0.25
_SPRT: Final = re.compile(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")


class CompareArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The command line, parsed but not understood."""

    game: str
    new: str
    old: str
    against: tuple[str, ...]
    seats: int | None
    cap: int
    sprt: str | None
    options: tuple[str, ...]
    seed: int | None
    move_ms: int
    isolation: IsolationMode
    jobs: int | None
    affinity: bool
    folder: Path | None
    quiet: bool
    json: bool


def run_compare(arguments: CompareArguments) -> int:
    """Plays until the question is answered, and prints the answer."""
    contest = contest_from(arguments)
    plan = Plan(bound=contest.bound, sprt=_sprt(arguments.sprt), cap=contest.cap)
    with _folder(arguments.folder) as folder, writing(folder) as store:
        answering, outcome = _play(arguments, contest, plan, store)
    comparison = answering.comparison
    out = screen.console()
    if arguments.json:
        report = json_report(contest, comparison, arguments.folder)
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        out.print(shown(sentence(contest, comparison), 1000), soft_wrap=True)
    if outcome.ended and outcome.ended.broken:
        say(f"The comparison cannot go on: {outcome.ended.broken}")
        return CANNOT_GO_ON
    return outcome.interrupted or 0


def contest_from(arguments: CompareArguments) -> Contest:
    """What is asked; raises `UsageError` and `BotError`."""
    game = game_named(arguments.game)
    against = arguments.against
    is_free = len(game.seats) > 1
    seats = arguments.seats or (len(against) + 1 if against else _SEATS if is_free else 2)
    if seats not in game.seats:
        few, many = game.seats.start, game.seats.stop - 1
        wanted = f"{few}" if few == many else f"{few} to {many}"
        raise UsageError(f"{game.title} is played by {wanted} bots at a table, not {seats}")
    if not against and seats > 2:
        against = ("builtin:greedy",) * (seats - 1)
    if against and len(against) < seats - 1:
        raise UsageError(
            f"a table of {seats} needs {seats - 1} others beside the bot that is compared; "
            f"--against names {len(against)}"
        )
    bots = parse_bots([arguments.new, arguments.old, *against])
    return Contest(
        game=game,
        options=options_from(game, arguments.options),
        seats=seats,
        bots=bots,
        cap=arguments.cap,
        move_ms=arguments.move_ms,
        seed=arguments.seed,
        isolation=arguments.isolation,
    )


def _sprt(words: str | None) -> tuple[float, float] | None:
    if words is None:
        return None
    found = _SPRT.fullmatch(words)
    if not found or not float(found[1]) < float(found[2]):
        raise UsageError(
            f"--sprt {words}: expected two normalised Elo differences, the smaller first, like 0,30"
        )
    return float(found[1]), float(found[2])


@contextmanager
def _folder(folder: Path | None) -> Iterator[Path]:
    """Where games are kept: for ever, or until there is an answer."""
    if folder:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="croupier-compare-") as passing:
        yield Path(passing)


def _play(
    arguments: CompareArguments, contest: Contest, plan: Plan, store: Store
) -> tuple[Answering, Outcome]:
    league = league_of(contest)
    cpus = cpus_for(league, arguments.jobs, affinity=arguments.affinity)
    event, _ = open_event(store, league, layer_for(league))
    schedule = Schedule(event)
    answering = Answering(contest, Comparison(plan=plan), len(schedule.tables))
    _take_stored(answering, event, schedule, store)
    with _watching(arguments, contest, answering, tally_of(event, schedule, store)) as watcher:
        if not arguments.quiet:
            watcher.say(_opening(contest, plan, event, len(cpus)))
        outcome = play_event(event, schedule, store, cpus, watcher, lambda: answering.is_decided)
    return answering, outcome


def _take_stored(answering: Answering, event: Event, schedule: Schedule, store: Store) -> None:
    """What an earlier run has played."""
    games = store.games(event.number)
    for task in schedule.tasks():
        if task.key in games:
            answering.take(task, games[task.key])


def _opening(contest: Contest, plan: Plan, event: Event, jobs: int) -> str:
    new, old, *others = (shown(bot.name, 64) for bot in contest.bots)
    field = "each other" if contest.is_duel else ", ".join(others)
    test = (
        f"sequential test of {plan.sprt[0]:g} against {plan.sprt[1]:g} normalised Elo"
        if plan.sprt
        else "stops as soon as it knows, at any time, with at most 5 % of wrong answers"
    )
    return (
        f"{new} or {old}? · {contest.game.title} · both play {field}, at most {plan.cap} deals, "
        f"{jobs} games at a time · isolation {event.layer}\n{test}"
    )


class _Quiet(Watching):
    """Says nothing but what must be said."""

    def __init__(self, tally: Tally, contest: Contest, answering: Answering) -> None:
        super().__init__(tally, answering.take)
        self._contest, self._answering = contest, answering

    def left_out(self, task: Task) -> None:
        self._answering.leave_out(task)

    def _words(self) -> str:
        return shown(words_so_far(self._contest, self._answering.comparison), 1000)


class _Lines(_Quiet):
    """A line every ten seconds."""

    def __init__(self, tally: Tally, contest: Contest, answering: Answering) -> None:
        super().__init__(tally, contest, answering)
        self._said = time.monotonic()

    def stored(self, task: Task, games: Sequence[Played]) -> None:
        super().stored(task, games)
        if time.monotonic() - self._said > _SAY_SECONDS:
            self._said = time.monotonic()
            self.say(self._words())


class _Picture(_Quiet):
    """One line, repainted in place."""

    def __init__(self, tally: Tally, contest: Contest, answering: Answering, live: Live) -> None:
        super().__init__(tally, contest, answering)
        self._live = live

    def say(self, words: str) -> None:
        self._live.console.print(words, soft_wrap=True)

    async def refresh(self) -> None:
        while True:
            self._live.update(Text(self._words()), refresh=True)
            await trio.sleep(_REFRESH_SECONDS)


@contextmanager
def _watching(
    arguments: CompareArguments, contest: Contest, answering: Answering, tally: Tally
) -> Iterator[Watching]:
    if arguments.quiet or not sys.stderr.isatty():
        kind = _Quiet if arguments.quiet else _Lines
        yield kind(tally, contest, answering)
        return
    console = screen.console(sys.stderr)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield _Picture(tally, contest, answering, live)


def json_report(contest: Contest, comparison: Comparison, folder: Path | None) -> dict[str, Any]:
    """What `--json` prints. `mean` is the score of NEW in a duel, else its lead over OLD."""
    interval = comparison.interval()
    return {
        "schema": 1,
        "game": contest.game.name,
        "options": contest.options,
        "seats": contest.seats,
        "new": contest.bots[NEW].name,
        "old": contest.bots[OLD].name,
        "against": [bot.name for bot in contest.bots[OLD + 1 :]],
        "seed": contest.seed,
        "verdict": comparison.verdict,
        "deals": comparison.blocks,
        "mean": comparison.mean,
        "interval_95": [interval.low, interval.high],
        "log_e_better": _finite(comparison.log_e_better),
        "log_e_worse": _finite(comparison.log_e_worse),
        "llr": comparison.ratio,
        "sprt": comparison.plan.sprt,
        "sentence": sentence(contest, comparison),
        "dir": None if folder is None else str(folder),
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
