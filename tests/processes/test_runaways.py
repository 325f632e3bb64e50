"""When the referee is killed its bots go with it, or at the latest when the next match starts."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from referee.channels import guard, procfs, runaways
from tests.processes.acting import bury_orphans, marked, state
from tests.processes.playing import children
from tests.tools import lack

PROMISED_S = 1.0
IGNORED = sum(1 << number - 1 for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
DELAYS_S = [0.0, 0.005, 0.02, *(random.Random(5).uniform(0.03, 0.4) for _ in range(5))]


@contextmanager
def referee(*how: str) -> Iterator[subprocess.Popen[str]]:
    """A referee in a process of its own, which is killed in the end at the latest."""
    command = [sys.executable, "-m", "tests.processes.referee", *how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            assert until(lambda: not guards_of(process.pid))
            bury_orphans()


def said(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout
    return process.stdout.readline().split()


def until(is_so: Callable[[], bool], seconds: float = PROMISED_S) -> bool:
    """Whether it comes to be so in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def guards_of(pid: int) -> list[int]:
    """The guards of a referee, by what it was started with."""
    found = []
    for other in procfs.everyone():
        words = (procfs._read(f"/proc/{other}/cmdline") or b"").split(b"\0")
        if words[3:4] == [guard.__file__.encode()] and words[4].startswith(b"%d." % pid):
            found.append(other)
    return found


def ignored_by(pid: int) -> int:
    """The signals that a process ignores, as bits."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1], 16) for line in lines if line.startswith("SigIgn:"))


def descriptors(pid: int) -> list[str]:
    return sorted(entry.name for entry in Path(f"/proc/{pid}/fd").iterdir())


@pytest.mark.parametrize("delay", DELAYS_S)
def test_when_the_referee_is_killed_at_any_moment_nothing_of_its_bots_is_left(delay):
    with referee("guarded", "child quiet", "child session") as process:
        (pid,) = said(process)
        time.sleep(delay)
        process.kill()
        process.wait()
        assert until(lambda: not marked(f"{pid}."))
        assert until(lambda: not guards_of(int(pid)))


def test_when_a_referee_is_killed_its_paused_bots_and_their_groups_are_gone_within_a_second():
    with referee("guarded", "child quiet", "child bare") as process:
        (pid,) = said(process)
        bots = [int(bot) for bot in said(process)]
        assert said(process) == ["ready"]
        groups = [stat.pid for stat in map(procfs.stat, procfs.everyone()) if stat]
        groups = [one for one in groups if (stat := procfs.stat(one)) and stat.group in bots]
        assert len(groups) == 9  # bare children have no mark: only their group names them
        process.kill()
        assert until(lambda: {state(one) for one in groups} <= {None, "Z"})
        assert not marked(f"{pid}.")


def test_the_guard_ignores_what_is_meant_for_the_referee():
    with referee("guarded") as process:
        (pid,) = said(process)
        said(process)
        (guarding,) = guards_of(int(pid))
        assert said(process) == ["ready"]
        assert until(lambda: IGNORED & ignored_by(guarding) == IGNORED)
        assert descriptors(guarding) == ["0", "1", "2"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(guarding, number)
        time.sleep(0.05)
        assert guards_of(int(pid)) == [guarding]
        assert os.getsid(guarding) == guarding
        process.kill()
        assert until(lambda: not marked(f"{pid}."))


def test_a_bot_has_no_descriptor_of_the_guard():
    with referee("guarded", "echo") as process:
        said(process)
        bots = said(process)
        assert said(process) == ["ready"]
        assert [descriptors(int(bot)) for bot in bots] == [["0", "1", "2"]] * 3


def test_a_guard_that_is_not_needed_any_more_leaves_at_once():
    with referee("once") as process:
        (pid,) = said(process)
        assert process.wait(20) == 0
        assert guards_of(int(pid)) == []


def test_starting_a_guard_takes_little_and_leaves_nothing():
    before = children()
    began = time.monotonic()
    with runaways.guarded():
        started = time.monotonic() - began
        assert len(children() - before) == 1
    assert children() == before
    assert started < 0.25  # about 2 ms where nobody else is busy


def test_a_referee_without_its_guard_plays_on():
    with runaways.guarded():
        (pid,) = runaways.guard_pids()
        os.kill(pid, signal.SIGKILL)
        assert until(lambda: state(pid) == "Z")
        runaways.bot_started(1, 1)
        runaways.bot_ended(1)


def test_a_guard_kills_no_process_that_took_over_a_number():
    with subprocess.Popen(["/bin/sleep", "60"], start_new_session=True) as stranger:
        stat = procfs.stat(stranger.pid)
        assert stat
        for started, dies in [(stat.started - 1, False), (stat.started, True)]:
            line = f"+{stranger.pid} {started}\n+{os.getpid()} 1\n-{os.getpid()}\n"
            script = [sys.executable, "-I", "-S", guard.__file__, "none"]
            subprocess.run(script, input=line, text=True, check=True)
            assert until(lambda: state(stranger.pid) == "Z", 0.2) == dies


@pytest.fixture
def orphaned():
    """Bots whose referee was killed without a guard; all of them are paused or hide."""
    with referee("unguarded", "child session", "child orphan-session") as process:
        said(process)
        assert said(process) == ["ready"]
        process.kill()
        process.wait()
        yield f"{process.pid}."
    for pid in marked(f"{process.pid}."):
        os.kill(pid, signal.SIGKILL)


def test_what_survived_its_referee_is_killed_by_the_next(orphaned):
    assert runaways.end_runaways() >= 6  # the others leave at the end of their input
    assert until(lambda: not marked(orphaned))


def test_bots_whose_referee_lives_are_no_runaways():
    with referee("guarded", "child orphan-session") as process:
        (pid,) = said(process)
        said(process)
        assert said(process) == ["ready"]
        runaways.end_runaways()
        assert len(marked(f"{pid}.")) == 6


STRANGE = ["", "1.2", "1.2.3.4", "bot.1.1", "999999999.1.x"]


@pytest.mark.parametrize("mark", STRANGE)
def test_a_mark_that_is_none_of_ours_makes_nobody_a_runaway(mark):
    with subprocess.Popen(["/bin/sleep", "60"], env={"CROUPIER_BOT": mark}) as stranger:
        try:
            runaways.end_runaways()
            assert state(stranger.pid) in {"S", "R"}
        finally:
            stranger.kill()


def test_a_process_in_another_namespace_is_no_runaway():
    before = children()
    command = ["unshare", "--pid", "--fork", "--kill-child", "/bin/sleep", "60"]
    with subprocess.Popen(command, env={"CROUPIER_BOT": "999999999.1.1"}) as outer:
        try:
            if not until(lambda: bool(procfs.children(outer.pid))):
                lack("no namespace of processes: unshare cannot make one here")
            (inner,) = procfs.children(outer.pid)
            assert procfs.environ(inner, "CROUPIER_BOT")
            assert inner not in {process.pid for process in runaways._runaways()}
        finally:
            inside = procfs.children(outer.pid)
            outer.kill()
            outer.wait()
            for pid in inside:  # it may not have asked yet to be killed with its parent
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            assert until(lambda: {state(one) for one in children() - before} <= {"Z"})
            bury_orphans()
