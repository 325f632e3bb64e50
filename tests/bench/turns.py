"""How fast are turns? The whole match loop beside the least that any referee must do.

    python tests/bench/turns.py [--rounds N] [--seconds S] [--json]

Every case is a process of its own; the cases take turns (A B C … A B C …), so that a busy machine
slows all of them. What the rows mean: docs/benchmarks.md.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Final
from unittest.mock import patch

import msgspec
import trio

from protocol.codec import encode
from protocol.messages import Start, Turn
from referee import chance
from referee.bots import parse_bots
from referee.channels.isolation import environment
from referee.channels.process import ProcessChannel
from referee.clock import Clock
from referee.conduct import Conduct
from referee.connection import Connection
from referee.games.svoyi_koziri import Options, SvoyiKoziri
from referee.logbook import Logbook
from referee.results import GameResult
from referee.series import Plan, play_series

ROOT: Final = Path(__file__).parents[2]
SAMPLES: Final = ROOT / "sample_bots"
SEED: Final = 1
RECORDED_GAMES: Final = 20
WARM_UP_GAMES: Final = 4
MOVE_SECONDS: Final = 10.0
NOISE: Final = 0.15  # by how much the two runs of the floor may differ
FLOORS: Final = ("floor", "floor again")

Script = list[tuple[int, Turn]]  # the number of the bot that is asked, and what it is asked


class Timed(msgspec.Struct):
    """What a case prints: decisions, and what they cost in seconds."""

    decisions: int
    wall: float
    own: float
    bots: float  # for each decision: they are only known when the bots are gone
    line_bytes: int = 0

    @property
    def rate(self) -> float:
        return self.decisions / self.wall

    @property
    def own_us(self) -> float:
        return self.own / self.decisions * 1e6

    @property
    def bots_us(self) -> float:
        return self.bots * 1e6


class Watch:
    """Wall and CPU time of this process since it was made, threads included."""

    def __init__(self) -> None:
        self._wall, self._own = time.perf_counter(), time.process_time()

    @property
    def wall(self) -> float:
        return time.perf_counter() - self._wall

    @property
    def own(self) -> float:
        return time.process_time() - self._own


def cpu_of_bots() -> float:
    """Of all bots that have ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# -- the cases --


def series_of(argv: list[str], games: int) -> Plan:
    bot = parse_bots([" ".join(argv)])[0]
    return Plan(
        game=SvoyiKoziri(),
        options=Options(),
        bots=[msgspec.structs.replace(bot, name=name) for name in "ab"],
        games=games,
        secret=chance.secret_from_seed(SEED),
        seed=SEED,
        start_ms=10_000,
        clock=Clock(move_ms=int(MOVE_SECONDS * 1000)),
        conduct=Conduct(),
        restart="never",
    )


def recorded(argv: list[str]) -> tuple[Script, float]:
    """The turns of some real games in their order, and how many seconds a game took."""
    script: Script = []
    bots: list[Connection] = []
    ask = Connection.ask

    async def noting(self: Connection, turn: Turn, seconds: float) -> Any:
        if self not in bots:
            bots.append(self)
        script.append((bots.index(self), turn))
        return await ask(self, turn, seconds)

    watch = Watch()
    with patch.object(Connection, "ask", noting):
        plan = series_of(argv, RECORDED_GAMES)
        trio.run(play_series, plan, Logbook(None), lambda _: None)
    return script, watch.wall / RECORDED_GAMES


def time_floor(argv: list[str], seconds: float) -> Timed:
    """Nothing but a write and a read that blocks: the same lines to the same two bots."""
    script, _ = recorded(argv)
    before = cpu_of_bots()
    pipe, env = (
        subprocess.PIPE,
        environment(tempfile.gettempdir(), {}),
    )  # as the referee starts them
    bots = [subprocess.Popen(argv, stdin=pipe, stdout=pipe, bufsize=0, env=env) for _ in range(2)]
    pipes = []
    for bot in bots:
        assert bot.stdin
        assert bot.stdout
        pipes.append((bot.stdin.fileno(), bot.stdout.fileno()))
    steps = [(*pipes[number], encode(turn)) for number, turn in script]
    for (writer, reader, line), (_, turn) in zip(steps, script, strict=True):  # the warm-up
        os.write(writer, line)
        answer = b""
        while not answer.endswith(b"\n"):  # an unbuffered Python bot writes it in two parts
            answer += os.read(reader, 65536)
        assert json.loads(answer)["id"] == turn.id
    write, read = os.write, os.read
    passes = 0
    watch = Watch()
    while watch.wall < seconds:
        for writer, reader, line in steps:
            write(writer, line)
            while not read(reader, 65536).endswith(b"\n"):
                pass
        passes += 1
    wall, own = watch.wall, watch.own
    for bot in bots:
        bot.communicate()
    used = (cpu_of_bots() - before) / (len(steps) * (passes + 1))
    size = sum(len(line) for *_, line in steps) // len(steps)
    return Timed(len(steps) * passes, wall, own, used, size)


def time_ask(argv: list[str], seconds: float) -> Timed:
    """`Connection.ask` alone: encode, write, wait, read, decode; no rules, no log."""
    script, _ = recorded(argv)
    before = cpu_of_bots()
    timed = trio.run(_time_ask, argv, seconds, script)
    timed.bots = (cpu_of_bots() - before) / (timed.decisions + len(script))
    return timed


async def _time_ask(argv: list[str], seconds: float, script: Script) -> Timed:
    async with trio.open_nursery() as nursery:
        bots = [Connection(ProcessChannel.start(nursery, argv, {})) for _ in range(2)]
        for number, bot in enumerate(bots):
            await bot.greet("bench", MOVE_SECONDS)
            bot.tell(
                Start(game="g1", rules="", options={}, seat=number, players=["a", "b"], seed=1)
            )
        steps = [(bots[number].ask, turn) for number, turn in script]

        async def one_pass() -> None:
            for bot in bots:
                bot.session.last_id = 1  # the recorded ids begin after hello
            for ask, turn in steps:
                await ask(turn, MOVE_SECONDS)

        await one_pass()
        passes = 0
        watch = Watch()
        while watch.wall < seconds:
            await one_pass()
            passes += 1
        timed = Timed(len(steps) * passes, watch.wall, watch.own, 0)
        for bot in bots:
            await bot.close("done")
    return timed


def time_match(argv: list[str], seconds: float, log: Path | None) -> Timed:
    """A whole series, without its first four games: rules, clocks, judging, log."""
    _, seconds_a_game = recorded(argv)
    games = WARM_UP_GAMES + max(WARM_UP_GAMES, round(seconds / seconds_a_game))
    counts: list[int] = []
    watch = Watch()
    timed = Timed(0, 0, 0, 0)

    def on_result(result: GameResult) -> None:
        nonlocal watch
        assert set(result.verdicts) == {"ok"}
        counts.append(len(result.actions))
        if len(counts) == WARM_UP_GAMES:
            watch = Watch()
        elif len(counts) == games:
            timed.wall, timed.own = watch.wall, watch.own

    before = cpu_of_bots()
    trio.run(play_series, series_of(argv, games), Logbook(log), on_result)
    timed.decisions = sum(counts[WARM_UP_GAMES:])
    timed.bots = (cpu_of_bots() - before) / sum(counts)
    return timed


def time_logged_match(argv: list[str], seconds: float) -> Timed:
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as folder:
        return time_match(argv, seconds, Path(folder, "log.jsonl"))


class Case(msgspec.Struct, frozen=True):
    """One row of the table."""

    name: str
    run: Callable[[list[str], float], Timed]
    pinned: bool = True


CASES: Final = (  # in the order of a round: the two floors stand apart
    Case("floor", time_floor),
    Case("ask", time_ask),
    Case("match, no log", lambda argv, seconds: time_match(argv, seconds, None)),
    Case("floor again", time_floor),
    Case("match, log", time_logged_match),
    Case("match, log, unpinned", time_logged_match, pinned=False),
)


def run_case(name: str, seconds: float, argv: list[str]) -> None:
    """In a process of its own: one line of JSON on stdout."""
    case = next(case for case in CASES if case.name == name)
    if case.pinned and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # the bots inherit it
    sys.stdout.buffer.write(msgspec.json.encode(case.run(argv, seconds)) + b"\n")


# -- the table --


def build_bot(folder: str) -> tuple[list[str], str]:
    """The random bot in C, or the one in Python where there is no compiler; and words for it."""
    compiler = shutil.which("cc")
    if compiler is None:
        return [sys.executable, str(SAMPLES / "random_bot.py")], "random_bot.py: there is no cc"
    program = str(Path(folder, "random_bot"))
    subprocess.run(
        [compiler, "-O2", "-o", program, str(SAMPLES / "random_bot.c")], check=True, cwd=folder
    )
    return [program], "random_bot.c, cc -O2"


def play_round(argv: list[str], seconds: float) -> dict[str, Timed]:
    timed: dict[str, Timed] = {}
    for case in CASES:
        command = [sys.executable, __file__, "--case", case.name, "--seconds", str(seconds)]
        done = subprocess.run([*command, "--bot", *argv], capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"{case.name} failed:\n{done.stderr.decode(errors='replace')}")
        timed[case.name] = msgspec.json.decode(done.stdout, type=Timed)
    return timed


def rows_of(rounds: list[dict[str, Timed]]) -> list[dict[str, Any]]:
    """Medians; a ratio is the median of the rounds' own ratios to their own two floors."""
    rows = []
    for case in CASES:
        speeds, costs = [], []
        for timed in rounds:
            floors = [timed[name] for name in FLOORS]
            own = timed[case.name]
            speeds.append(own.rate / (sum(floor.rate for floor in floors) / len(floors)))
            costs.append(own.own_us / (sum(floor.own_us for floor in floors) / len(floors)))
        mine = [timed[case.name] for timed in rounds]
        rows.append(
            {
                "case": case.name,
                "decisions_per_s": median(timed.rate for timed in mine),
                "own_us": median(timed.own_us for timed in mine),
                "bots_us": median(timed.bots_us for timed in mine),
                "speed_ratio": median(speeds),
                "cpu_ratio": median(costs),
                "spread": max(speeds) / min(speeds),
            }
        )
    return rows


def floor_gap(rounds: list[dict[str, Timed]]) -> float:
    """By how much the two runs of the floor differ, in speed or in CPU: the median round."""
    first, second = FLOORS
    gaps = []
    for timed in rounds:
        a, b = timed[first], timed[second]
        ratios = (a.rate / b.rate, a.own_us / b.own_us)
        gaps.append(max(max(ratio, 1 / ratio) for ratio in ratios) - 1)
    return median(gaps)


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def print_report(report: dict[str, Any]) -> None:
    line = "{:<22} {:>12} {:>10} {:>10} {:>12} {:>10} {:>8}"
    head = ("case", "decisions/s", "self µs", "bot µs", "speed/floor", "CPU/floor", "spread")
    print(line.format(*head))  # noqa: T201
    for row in report["rows"]:
        cells = (
            row["case"],
            f"{row['decisions_per_s']:,.0f}",
            f"{row['own_us']:.1f}",
            f"{row['bots_us']:.1f}",
            f"{row['speed_ratio']:.2f}",
            f"{row['cpu_ratio']:.1f}",
            f"{row['spread']:.2f}",
        )
        print(line.format(*cells))  # noqa: T201
    where = report["machine"]
    load = " ".join(map(str, where["load"]))
    print(  # noqa: T201
        f"\nPython {where['python']}, {where['system']}, {where['cores']} cores, load {load}\n"
        f"bot: {report['bot']}; {report['rounds']} rounds; turns of {report['line_bytes']} bytes"
    )
    if not report["pinned"]:
        print("not pinned: this system cannot tie a process to a CPU")  # noqa: T201
    gap = f"the two floors differ by {report['floor_gap']:.0%}"
    noisy = report["floor_gap"] > NOISE
    print(f"NOISY: {gap}; trust no figure of this run" if noisy else gap)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="of each case (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="all rounds and the table as JSON")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("--bot", nargs="+", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.case:
        run_case(told.case, told.seconds, told.bot)
        return
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as folder:
        argv, bot = build_bot(folder)
        rounds = [play_round(argv, told.seconds) for _ in range(told.rounds)]
    report = {
        "machine": machine(),
        "bot": bot,
        "rounds": told.rounds,
        "pinned": hasattr(os, "sched_setaffinity"),
        "line_bytes": rounds[0]["floor"].line_bytes,
        "floor_gap": floor_gap(rounds),
        "rows": rows_of(rounds),
    }
    if told.json:
        report["measured"] = [msgspec.to_builtins(timed) for timed in rounds]
        print(json.dumps(report, ensure_ascii=False))  # noqa: T201
    else:
        print_report(report)


if __name__ == "__main__":
    main()
