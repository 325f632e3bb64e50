"""What happens to bots when the referee itself is killed: a guard, and a mark in their environment.

Nothing can be done after SIGKILL, so it is done before: a small process (`guard.py`) hears of every
bot that starts or ends, and kills them when the pipe from us ends. What escapes it is recognised by
its mark when the next match starts.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from referee.channels import procfs
from referee.channels.procfs import Process

MARK: Final = "CROUPIER_BOT"  # in a bot's environment: <referee's pid>.<its start>.<number>

_SCRIPT: Final = Path(__file__).with_name("guard.py")
_SECONDS: Final = 1.0
_DONE: Final = b"done\n"
_guards: list[subprocess.Popen[bytes]] = []  # the guard of this process, if there is one


def referee_mark() -> str:
    """Names this process among all that ever ran on this machine since it was switched on."""
    stat = procfs.stat(os.getpid())
    return f"{os.getpid()}.{stat.started if stat else 0}"


def bot_mark(number: int) -> str:
    """Names a bot of this process."""
    return f"{referee_mark()}.{number}"


def number_of(mark: str) -> int | None:
    """Which of our bots the mark names; None when it is not one of ours."""
    referee, _, number = mark.rpartition(".")
    return int(number) if referee == referee_mark() and number.isdecimal() else None


@contextmanager
def guarded() -> Iterator[None]:
    """Should this process be killed in here, its bots and their groups are killed within a second.

    For programs of ours, around all that they play.
    """
    guard = subprocess.Popen(
        [sys.executable, "-I", "-S", str(_SCRIPT), referee_mark()],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={},
        start_new_session=True,
        bufsize=0,
    )
    assert guard.stdin
    os.set_blocking(guard.stdin.fileno(), False)  # a guard that was stopped must not stop us
    _guards.append(guard)
    try:
        yield
    finally:
        _guards.remove(guard)
        with suppress(OSError):
            guard.stdin.write(_DONE)
        guard.stdin.close()
        try:
            guard.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            guard.kill()
            guard.wait()


def guard_pids() -> set[int]:
    """Children of ours that are no bot's."""
    return {guard.pid for guard in _guards}


def bot_started(pid: int, started: int) -> None:
    """Tells the guard."""
    _tell(f"+{pid} {started}\n")


def bot_ended(pid: int) -> None:
    """Tells the guard: the number may be somebody else's from now on."""
    _tell(f"-{pid}\n")


def end_runaways() -> int:
    """Kills bots whose referee no longer lives; how many there were."""
    ended: set[Process] = set()
    deadline = time.monotonic() + _SECONDS
    while (found := _runaways()) and time.monotonic() < deadline:
        for process in found:
            if procfs.send(process, signal.SIGKILL):
                ended.add(process)
        time.sleep(0.002)
    return len(ended)


def _runaways() -> list[Process]:
    ours = procfs.namespace(os.getpid())
    found: list[Process] = []
    for pid in procfs.everyone():
        mark = procfs.environ(pid, MARK)
        # In another namespace (a container) the mark's numbers mean other processes.
        if mark is None or procfs.namespace(pid) != ours or _has_referee(mark):
            continue
        stat = procfs.stat(pid)
        if stat and stat.state != "Z":
            found.append(stat.process)
    return found


def _has_referee(mark: str) -> bool:
    """Whether the referee that the mark names is alive, or the mark is not one."""
    words = mark.split(".")
    if len(words) != 3 or not all(word.isdecimal() for word in words):
        return True
    return procfs.is_alive(Process(int(words[0]), int(words[1])))


def _tell(line: str) -> None:
    for guard in _guards:
        assert guard.stdin
        with suppress(OSError):  # it was killed: there is no guard any more
            guard.stdin.write(line.encode())
