"""Plays games against the worst offenders in one process, and prints what has become of it.

    python -m tests.processes.long_run GAMES

One line of JSON: what the process held before and after, and the most memory it used.
"""

import json
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import trio

from referee.channels.sweep import adopt_orphans
from referee.clock import Clock
from referee.logbook import Logbook
from referee.series import play_series
from tests.processes.judging import HOSTILE
from tests.processes.playing import RANDOM, children, naughty, plan_of

OFFENDERS = [
    *("06_stderr_flood", "09_ignores_goodbye", "10_daemonizes", "11_child_keeps_pipes"),
    *(
        "16_isolation_probe",
        "18_never_reads",
        "26_stops_itself",
        "44_long_line",
        "45_long_line_ended",
    ),
    *("46_flood_of_bytes", "47_flood_then_answer", "53_exits_child_holds_pipe", "54_closes_stdout"),
    *("59_memory_hog", "61_fork_many", "62_fork_rabbit", "63_disk_fill", "64_eats_descriptors"),
    *("103_shell_wrapper", "118_stops_before_hello", "119_parent_leaves", "120_forks_at_goodbye"),
    *("124_long_note", "125_deep_folders", "126_kills_its_group"),
]


def holds() -> dict[str, Any]:
    """What this process holds, beside memory."""
    return {
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "children": len(children()),
        "folders": sorted(entry.name for entry in Path(tempfile.gettempdir()).iterdir()),
    }


def peak_kib() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


async def play_one(bot: str) -> str:
    """The verdict of seat 0, in a game with short limits."""
    plan = plan_of(bot, RANDOM, clock=Clock(move_ms=200), start_ms=1000)
    played = await play_series(plan, Logbook(None), lambda _: None)
    (result,) = (one for one in played if one.outcome)  # a busy machine may make a game void
    return str(result.verdicts[0])


async def main() -> None:
    adopt_orphans()
    bots = [str(next(HOSTILE.glob(f"{name}*"))) for name in OFFENDERS]
    await play_one(naughty())
    before, idle = holds(), peak_kib()
    verdicts = [await play_one(bot) for bot in islice(cycle(bots), int(sys.argv[1]))]
    used_kib = peak_kib() - idle
    report = {"before": before, "after": holds(), "used_kib": used_kib, "verdicts": verdicts}
    print(json.dumps(report))  # noqa: T201


if __name__ == "__main__":
    trio.run(main)
