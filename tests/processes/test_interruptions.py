"""The command is killed in mid match: nothing of a bot and its group lives on."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.cli.running import CROUPIER
from tests.processes.acting import bury_orphans, marked
from tests.processes.judging import layers
from tests.processes.playing import children, naughty

MOMENTS, MANY_MOMENTS = 1, 20  # for each kind and layer
OUTLIVES_S = 1.0  # as promised
STARTS_S = 10.0
BOTS = {
    "polite": ("--sleep 5", ""),
    "stubborn": ("--sleep 5 --ignore-bye --fork-child", "--ignore-bye"),
    "silent": ("--hang-on 3", "--fork-child"),
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "moment" in metafunc.fixturenames:
        slow = metafunc.config.getoption("--run-slow")
        metafunc.parametrize("moment", range(MANY_MOMENTS if slow else MOMENTS))
        metafunc.parametrize("layer", layers())


def until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Whether it comes to be so in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


@pytest.fixture
def referee(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A match that goes on and on; in the end nothing of it is left, whatever was found."""
    before = children()
    kind, layer = (request.getfixturevalue(name) for name in ("kind", "layer"))
    bots = [naughty(flags, name) for flags, name in zip(BOTS[kind], "ab", strict=True)]
    with subprocess.Popen(
        [
            *(str(CROUPIER), "match", "svoyi-koziri", *bots, "-n", "1000", "--restart", "game"),
            *("--quiet", "--isolation", layer),
        ],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        start_new_session=True,
    ) as process:
        yield process
        process.kill()
    for pid in marked(f"{process.pid}."):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def has_gone() -> bool:
        bury_orphans()
        return children() <= before

    assert until(has_gone, OUTLIVES_S)


@pytest.mark.parametrize("kind", BOTS)
def test_when_the_referee_is_killed_no_bot_outlives_it_for_a_second(referee, kind, layer, moment):
    assert until(lambda: bool(marked(f"{referee.pid}.")), STARTS_S)
    time.sleep(Random(moment).uniform(0, 0.6))
    assert referee.poll() is None
    referee.kill()
    referee.wait()
    assert until(lambda: not marked(f"{referee.pid}."), OUTLIVES_S)
