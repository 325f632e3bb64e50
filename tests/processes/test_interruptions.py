"""The referee itself is killed in mid match: nothing of a bot and its group lives on."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.cli.running import CROUPIER
from tests.processes.playing import members, naughty, started

MOMENTS, MANY_MOMENTS = 3, 20
OUTLIVES_S = 1.0  # as promised
STARTS_S = 10.0
BOTS = {
    "polite": ("--sleep 5", ""),
    "stubborn": ("--sleep 5 --ignore-bye --fork-child", "--ignore-bye"),
    "silent": ("--hang-on 3", "--fork-child"),
}
# What these need does not exist yet; this table goes with it.
GUARD = "who ignores the end of its input is ended by nobody when the referee is killed"
NOT_YET = {"stubborn": GUARD, "silent": GUARD}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "moment" in metafunc.fixturenames:
        slow = metafunc.config.getoption("--run-slow")
        metafunc.parametrize("moment", range(MANY_MOMENTS if slow else MOMENTS))


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    """The file in which bots write their numbers; at the end none of their groups is left."""
    file = tmp_path / "pids"
    file.touch()
    yield file
    for group, _ in started(file):
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-group, 0):
                pass


def alive(pids: Path) -> list[int]:
    """What runs of the bots' groups; what has ended is reaped: orphans are ours."""
    for group, _ in started(pids):
        with suppress(ChildProcessError):
            while os.waitpid(-group, os.WNOHANG)[0]:
                pass
    return [pid for group, _ in started(pids) for pid in members(group)]


@pytest.mark.parametrize("kind", BOTS)
def test_when_the_referee_is_killed_no_bot_outlives_it_for_a_second(tmp_path, pids, kind, moment):
    if kind in NOT_YET:
        pytest.skip(NOT_YET[kind])
    bots = [
        naughty(f"{flags} --pids {pids}", name)
        for flags, name in zip(BOTS[kind], "ab", strict=True)
    ]
    referee = subprocess.Popen(
        [CROUPIER, "match", "svoyi-koziri", *bots, "-n", "10000", "--restart", "game", "--quiet"],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    deadline = time.monotonic() + STARTS_S
    while not started(pids) and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(Random(moment).uniform(0, 0.6))
    assert referee.poll() is None
    referee.kill()
    referee.wait()
    deadline = time.monotonic() + OUTLIVES_S
    while alive(pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert alive(pids) == []
