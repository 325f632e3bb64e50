"""Runs croupier commands, some at a time, and reports what each printed and what it left behind.

    python -m tests.processes.warden REQUESTS AT_ONCE

REQUESTS is a file that may grow until SIGTERM comes; then what runs is finished. A request is a line
of JSON: an empty `folder` and `arguments`. The program is imported once and forked for each command,
which saves most of the time that a command takes. A guard of its own adopts all that the command's
bots leave behind, in whatever sessions, so that nothing of one can be taken for another's; it writes
`folder`/report.json and ends what was left. Linux only.
"""

import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import referee.cli.match  # noqa: F401 (what the command would import only when it runs)
from referee.channels.sweep import adopt_orphans
from referee.cli.run import run

GRACE_S = 1.0  # for what ends by itself when the command has ended
PATIENCE_S = 50.0


def main() -> None:
    requests, at_once = sys.argv[1:]
    running = 0
    for request in listen(Path(requests)):
        if running == int(at_once):
            os.wait()
            running -= 1
        running += 1
        if os.fork() == 0:
            guard(**request)
    for _ in range(running):
        os.wait()


def listen(requests: Path) -> Iterator[dict[str, Any]]:
    """The requests, as they come, until SIGTERM or the end of who asks."""
    asker, stop = os.getppid(), False

    def stops(*_: object) -> None:
        nonlocal stop
        stop = True

    signal.signal(signal.SIGTERM, stops)
    line = ""
    with requests.open() as file:
        while not stop and os.getppid() == asker:
            line += file.readline()
            if line.endswith("\n"):
                yield json.loads(line)
                line = ""
            else:
                time.sleep(0.01)


def guard(folder: str, arguments: list[str]) -> NoReturn:
    """Runs one command and waits for it, and for all that it leaves."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setsid()
    adopt_orphans()
    place = Path(folder)
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        command(place, arguments)
    status = wait(pid)
    report: dict[str, Any] = {
        "seconds": time.monotonic() - began,
        "status": status,
        "out": (place / "out").read_text(),
        "err": (place / "err").read_text(),
        "survivors": survivors(),
        "folders": [entry.name for entry in (place / "tmp").iterdir()],
    }
    (place / "unfinished").write_text(json.dumps(report))
    (place / "unfinished").rename(place / "report.json")
    os._exit(0)


def command(place: Path, arguments: list[str]) -> NoReturn:
    """Becomes `croupier ARGUMENTS…`."""
    (place / "tmp").mkdir()
    os.environ["TMPDIR"] = str(place / "tmp")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(place / name, os.O_WRONLY | os.O_CREAT), number)
    status = run(arguments)
    sys.stdout.flush()
    os._exit(status)


def wait(pid: int) -> int:
    """The exit status; who takes too long is killed."""
    descriptor = os.pidfd_open(pid)
    if not select.select([descriptor], [], [], PATIENCE_S)[0]:
        os.kill(pid, signal.SIGKILL)
    os.close(descriptor)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def survivors() -> list[str]:
    """The command lines of what is left after the grace, and is ended now."""
    wait_for_none(0)
    found = [described(pid) for pid in children()]
    wait_for_none(signal.SIGKILL)
    return found


def wait_for_none(number: int) -> None:
    """Until there is no child any more; sends them a signal all the time."""
    deadline = time.monotonic() + GRACE_S
    while (left := children()) and time.monotonic() < deadline:
        for pid in left:
            os.kill(pid, number)
        time.sleep(0.005)


def children() -> list[int]:
    """Those that still run; the others are reaped."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def described(pid: int) -> str:
    with suppress(OSError):
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
        return line.replace(b"\0", b" ").decode(errors="replace")
    return "just gone"


if __name__ == "__main__":
    main()
