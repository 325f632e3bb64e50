"""The referee is killed in the middle of a tournament, again and again: nothing lost, nothing twice."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.cli.running import BOTS, CROUPIER, Ran, croupier
from tests.processes.acting import has_buried_all
from tests.processes.playing import children
from tests.processes.test_interruptions import until

KILLS, MANY_KILLS = 4, 30
GAMES = 200
OUTLIVES_S = 2.0  # the worker notices, and then its guard has a second
LEAGUE = f"""
name = "Survival"
game = "svoyi-koziri"
deals = 10
seed = 20261201
options.cards = 12
limits.move-ms = 5000

[[bots]]
run = "builtin:greedy"
[[bots]]
run = "builtin:random"
[[bots]]
run = "builtin:random"
[[bots]]
name = "first"
run = {json.dumps(shlex.join([sys.executable, "-I", str(BOTS / "naughty.py"), "--sleep", "2"]))}
[[bots]]
name = "second"
run = {json.dumps(shlex.join([sys.executable, "-I", str(BOTS / "naughty.py"), "--fork-child"]))}
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kills" in metafunc.fixturenames:
        slow = metafunc.config.getoption("--run-slow")
        metafunc.parametrize("kills", [MANY_KILLS if slow else KILLS])


def running_below(folder: Path) -> set[int]:
    """The processes that work in this folder or below it: bots and workers."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if entry.readlink().is_relative_to(folder):
                found.add(int(entry.parent.name))
        except OSError:
            continue
    return found


def table_of(folder: Path) -> object:
    """What the games say, without what differs from run to run: times, memory."""
    ran = croupier("standings", folder, "--json", cwd=folder)
    assert ran.status == 0, ran.err
    varying = {"ms_median", "ms_max", "ms_low", "ms_high", "peak_kib", "cpu_ms", "began", "folder"}
    report = {key: value for key, value in ran.json.items() if key not in varying}
    report["bots"] = [
        {key: value for key, value in bot.items() if key not in varying} for bot in report["bots"]
    ]
    return report


def play(folder: Path, *more: str) -> Ran:
    return croupier("tournament", "league.toml", "--quiet", *more, cwd=folder, TMPDIR=str(folder))


@pytest.mark.timeout(600)
def test_killed_at_any_moment_and_begun_again_it_has_the_same_results(tmp_path: Path, kills: int):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for folder in (killed, whole):
        folder.mkdir()
        (folder / "league.toml").write_text(LEAGUE)
    rng, before = Random(4), children()
    for _ in range(kills):
        with subprocess.Popen(
            [CROUPIER, "tournament", "league.toml", "--quiet"],
            cwd=killed,
            env=os.environ | {"TMPDIR": str(killed)},
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            time.sleep(rng.uniform(0.3, 1.5))
            process.send_signal(signal.SIGKILL)
        assert until(lambda: not running_below(killed), OUTLIVES_S)
        assert until(lambda: has_buried_all(before), OUTLIVES_S)
    assert play(killed).status == 0
    assert play(whole).status == 0
    with sqlite3.connect(killed / "league.d" / "store.sqlite") as database:
        assert database.execute("SELECT count(*), count(DISTINCT key) FROM game").fetchone() == (
            GAMES,
            GAMES,
        )
    database.close()
    assert table_of(killed / "league.d") == table_of(whole / "league.d")
    assert not list(killed.glob("league.d/logs/*/.tmp-*"))
    ran = croupier("verify", "league.d", cwd=killed)
    assert ran.status == 0, ran.out
