"""Matches between real processes, in this process, and what they leave behind."""

import json
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import trio

from referee import chance
from referee.bots import parse_bots
from referee.clock import Clock
from referee.conduct import Conduct
from referee.games.svoyi_koziri import Options, SvoyiKoziri
from referee.logbook import Logbook, read_lines
from referee.replay import verify
from referee.results import GameResult
from referee.series import Plan, play_series

BOTS = Path(__file__).parents[1] / "bots"
RANDOM = "builtin:random"
HANGS_S = 30  # no match here lasts longer unless something hangs


def naughty(flags: str = "", name: str = "naughty") -> str:
    """The BOT argument of a naughty bot."""
    return f"{name}={shlex.join([sys.executable, '-I', str(BOTS / 'naughty.py')])} {flags}"


def plan_of(*bots: str, games: int = 1, seed: int = 7, **more: Any) -> Plan:
    """A plan with short limits; whatever a Plan has can be given."""
    return Plan(
        **{
            "game": SvoyiKoziri(),
            "options": Options(cards=24),
            "bots": parse_bots(bots),
            "games": games,
            "secret": chance.secret_from_seed(seed),
            "seed": seed,
            "start_ms": 5000,
            "clock": Clock(move_ms=500),
            "conduct": Conduct(),
            "restart": "never",
            **more,
        }
    )


class Match(msgspec.Struct, frozen=True):
    """The results of a match and the lines of its log, which has been verified."""

    results: list[GameResult]
    log: list[dict[str, Any]]
    seconds: float

    @property
    def verdicts(self) -> list[tuple[str, ...]]:
        """Of each game that counts, by seat."""
        return [tuple(str(verdict) for verdict in result.verdicts) for result in self.counted]

    @property
    def counted(self) -> list[GameResult]:
        """The games that are not void: a busy machine may make one so."""
        return [result for result in self.results if result.outcome]

    @property
    def why(self) -> str:
        """The words of the first forfeit."""
        return self.counted[0].forfeits[0].why

    def asides(self, key: str) -> list[dict[str, Any]]:
        """The asides that have this key."""
        return [line for line in self.log if line["type"] == "aside" and key in line]

    def stderr_of(self, seat: int) -> str:
        """All that was kept of it."""
        return "".join(aside["stderr"] for aside in self.asides("stderr") if aside["seat"] == seat)


async def play_match(path: Path, *bots: str, **more: Any) -> Match:
    """Plays the match; its log must verify and it must leave nothing behind."""
    before = folders(), children()
    results: list[GameResult] = []
    began = trio.current_time()
    with trio.fail_after(HANGS_S):
        results = await play_series(plan_of(*bots, **more), Logbook(path), lambda _: None)
    seconds = trio.current_time() - began
    assert (folders(), children()) == before
    verify(read_lines(path))
    return Match(results, [json.loads(line) for line in read_lines(path)], seconds)


def folders() -> set[Path]:
    """The working directories of bots that are there."""
    return set(Path(tempfile.gettempdir()).glob("croupier-bot-*"))


def children() -> set[int]:
    """The children of this process, zombies and adopted orphans included."""
    found: set[int] = set()
    for task in Path("/proc/self/task").glob("*"):
        found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


def is_alive(pid: int) -> bool:
    """Whether there is such a process, zombies included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def members(group: int) -> list[int]:
    """The processes of a group, zombies included."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            found.append(int(stat.parent.name))
    return found


def started(pids: Path) -> list[tuple[int, Path]]:
    """The processes that a bot was, with the folders they ran in."""
    lines = [line.split() for line in pids.read_text().splitlines()]
    return [(int(pid), Path(folder)) for pid, folder in lines]
