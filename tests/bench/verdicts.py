"""How long after a fault is the verdict known? Real programs, asked one question each.

    python tests/bench/verdicts.py [-n N] [--json]

A silent bot is judged from its deadline on, a dying one from the moment it was asked: its own way
to the end is in the figure. What the rows mean: docs/benchmarks.md.
"""

import argparse
import json
import os
import platform
import sys
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec
import trio

from protocol.faults import ProtocolError
from protocol.messages import Start, Turn
from referee.channels import ChannelClosedError
from referee.channels.process import ProcessChannel
from referee.channels.sweep import adopt_orphans
from referee.connection import Connection, TooSlowError

NAUGHTY: Final = Path(__file__).parents[1] / "bots" / "naughty.py"
MOVE_SECONDS: Final = 0.05
START_SECONDS: Final = 10.0
PATIENCE_SECONDS: Final = 10.0  # what a bot that ends may take; never used up
START: Final = Start(game="g1", rules="", options={}, seat=0, players=["a", "b"], seed=1)


class Case(msgspec.Struct, frozen=True):
    """A row: what the bot does, its flags, and how long fastchess took (see docs/benchmarks.md)."""

    what: str
    flags: tuple[str, ...]
    fastchess: str


SILENT: Final = (
    Case("hangs", ("--hang-on", "1"), "121.7 s"),
    Case("drips bytes", ("--drip", "bytes"), "none after 201 s"),
    Case("drips lines", ("--drip", "lines"), "none after 201 s"),
)
ENDING: Final = (
    Case("exits", ("--exit-on", "1"), "at once; the event stops"),
    Case("is killed by SIGSEGV", ("--crash-on", "1"), "at once; the event stops"),
    Case("exits, a child holds the pipe", ("--exit-on", "1", "--fork-child"), "1 process left"),
    Case("closes stdout and lives", ("--close-stdout-on", "1"), "at once, exit after 61.3 s"),
    Case("floods stdout", ("--long-line-on", "1"), "none; 3.1 GiB after 10.9 s"),
)
LEAVING: Final = (
    Case("leaves when told", (), ""),
    Case("ignores the goodbye", ("--ignore-bye", "--fork-child"), "61.4 s"),
)


async def seat(nursery: trio.Nursery, flags: tuple[str, ...]) -> Connection:
    """A bot in a game, before its first turn."""
    command = [sys.executable, "-I", "-S", str(NAUGHTY), *flags]
    bot = Connection(ProcessChannel.start(nursery, command, {}))
    await bot.greet("bench", START_SECONDS)
    bot.tell(START)
    return bot


async def ask(bot: Connection, seconds: float) -> float:
    """Seconds until the verdict, which is a fault."""
    number = bot.session.next_id()
    turn = Turn(id=number, game="g1", seat=0, legal=["take"], state={}, events=[])
    began = trio.current_time()
    try:
        await bot.ask(turn, seconds)
    except (TooSlowError, ChannelClosedError, ProtocolError):
        return trio.current_time() - began
    raise AssertionError("the bot was to be at fault")


async def time_silent(flags: tuple[str, ...], times: int) -> list[float]:
    """From the deadline: one bot is asked again and again."""
    async with trio.open_nursery() as nursery:
        bot = await seat(nursery, flags)
        found = [await ask(bot, MOVE_SECONDS) - MOVE_SECONDS for _ in range(times)]
        await bot.close("done")
    return found


async def time_ending(flags: tuple[str, ...], times: int) -> list[float]:
    """From the question: a new bot each time, while the last ones are still ended."""
    found = []
    async with trio.open_nursery() as nursery:
        for _ in range(times):
            bot = await seat(nursery, flags)
            found.append(await ask(bot, PATIENCE_SECONDS))
            nursery.start_soon(bot.close, "done")
    return found


async def time_leaving(flags: tuple[str, ...], times: int) -> list[float]:
    """From the goodbye until nothing of the bot is left; a tenth as often: half a second each."""
    found = []
    async with trio.open_nursery() as nursery:
        for _ in range(max(1, times // 10)):
            bot = await seat(nursery, flags)
            began = trio.current_time()
            await bot.close("done")
            found.append(trio.current_time() - began)
    return found


MEASURES: Final = (
    ("after the deadline", SILENT, time_silent),
    ("after the question", ENDING, time_ending),
    ("after the goodbye", LEAVING, time_leaving),
)


async def measure(times: int) -> list[dict[str, Any]]:
    rows = []
    for since, cases, time in MEASURES:
        for case in cases:
            seconds = sorted(await time(case.flags, times))
            rows.append(
                {
                    "what": case.what,
                    "since": since,
                    "times": len(seconds),
                    "median_ms": median(seconds) * 1000,
                    "p99_ms": seconds[int(0.99 * (len(seconds) - 1))] * 1000,
                    "max_ms": seconds[-1] * 1000,
                    "fastchess": case.fastchess,
                }
            )
    return rows


def print_table(rows: list[dict[str, Any]]) -> None:
    line = "{:<32} {:>6} {:>10} {:>10} {:>10}   {}"
    shown = ""
    for row in rows:
        if row["since"] != shown:
            shown = row["since"]
            head = (f"{shown}, a bot that …", "times", "median ms", "p99 ms", "max ms", "fastchess")
            print("\n" + line.format(*head))  # noqa: T201
        figures = (f"{row[key]:.1f}" for key in ("median_ms", "p99_ms", "max_ms"))
        cells = line.format(row["what"], row["times"], *figures, row["fastchess"])
        print(cells.rstrip())  # noqa: T201
    load = " ".join(f"{load:.2f}" for load in os.getloadavg())
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, load {load}"
    print(f"\nPython {platform.python_version()}, {system}")  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-n", type=int, default=200, metavar="N", help="of each (default: 200)")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    told = parser.parse_args()
    adopt_orphans()
    rows = trio.run(measure, told.n)
    if told.json:
        print(json.dumps(rows, ensure_ascii=False))  # noqa: T201
    else:
        print_table(rows)


if __name__ == "__main__":
    main()
