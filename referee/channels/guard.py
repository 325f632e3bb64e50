"""A program that outlives the referee, should it be killed, and then kills its bots.

Run as `python -I -S guard.py MARK`, it imports nothing of ours. On its standard input it hears
`+PID START` of every bot that starts, `-PID` of every one that has ended, and `done` when there is
nothing left to guard. At an end of input without `done` it kills the groups of the bots, and then
every process whose environment has the mark.
"""

import os
import signal
import sys
import time
from contextlib import suppress

SECONDS = 1.0
VARIABLE = b"CROUPIER_BOT="


def main(mark: str) -> None:
    """Guards until the end of the input."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    bots = watch()
    if bots is None:
        return
    for pid, started in bots.items():
        # The leader may be gone already: a group keeps its number as long as it has members.
        if started_of(pid) in {started, None}:
            kill(-pid)
    deadline = time.monotonic() + SECONDS
    while (left := marked(mark)) and time.monotonic() < deadline:
        for pid in left:
            kill(pid)
        time.sleep(0.002)


def watch() -> dict[int, int] | None:
    """The bots that ran when the input ended, with their starts; None after `done`."""
    bots: dict[int, int] = {}
    rest = b""
    while data := os.read(0, 65536):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if line == b"done":
                return None
            pid, *started = (int(word) for word in line[1:].split())
            if started:
                bots[pid] = started[0]
            else:
                bots.pop(pid, None)
    return bots


def started_of(pid: int) -> int | None:
    """When the process started; None when there is none."""
    text = read(f"/proc/{pid}/stat")
    return int(text.rpartition(b")")[2].split()[19]) if text else None


def marked(mark: str) -> list[int]:
    """The living processes that the referee's mark names as its bots."""
    sought = VARIABLE + mark.encode() + b"."
    return [
        int(name)
        for name in os.listdir("/proc")  # noqa: PTH208 (pathlib would take longer than all else)
        if name.isdigit()
        and any(entry.startswith(sought) for entry in read(f"/proc/{name}/environ").split(b"\0"))
    ]


def kill(pid: int) -> None:
    """A negative number names a group."""
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def read(path: str) -> bytes:
    """Empty when it cannot be read."""
    with suppress(OSError), open(path, "rb") as file:  # noqa: PTH123
        return file.read()
    return b""


if __name__ == "__main__":
    main(sys.argv[1])
