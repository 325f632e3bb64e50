"""What Linux tells of a process, in small readings of some 20 µs. Elsewhere nothing is known.

Each reading gives None when the process is gone, belongs to somebody else, or the system has no
such thing. A number alone does not name a process for good: a `Process` has its start with it.
"""

import fcntl
import os
import signal
import struct
import termios
import time
from collections.abc import Iterable, Iterator
from io import FileIO
from typing import Final, NamedTuple

MAX_WALK: Final = 1024  # a tree of more processes than these is not looked through

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE_KIB: Final = os.sysconf("SC_PAGE_SIZE") // 1024
_FORGET_PEAK: Final = b"5"


class Process(NamedTuple):
    """A process, by its number and the moment when it started (ticks since the machine did)."""

    pid: int
    started: int


class Stat(NamedTuple):
    """The interesting part of /proc/PID/stat."""

    pid: int
    state: str  # R runs, S sleeps, D waits for a disk, T is stopped, Z has ended
    parent: int
    group: int
    session: int
    children_ns: int  # computing time of children that ended and were waited for
    threads: int
    started: int

    @property
    def process(self) -> Process:
        """For names that last."""
        return Process(self.pid, self.started)


def stat(pid: int, tid: int | None = None) -> Stat | None:
    """Of a process, or of one of its threads."""
    text = _read(f"/proc/{pid}/stat" if tid is None else f"/proc/{pid}/task/{tid}/stat")
    if text is None:
        return None
    words = text.rpartition(b")")[2].split()
    return Stat(
        pid=pid,
        state=words[0].decode(),
        parent=int(words[1]),
        group=int(words[2]),
        session=int(words[3]),
        children_ns=(int(words[13]) + int(words[14])) * 1_000_000_000 // _TICKS,
        threads=int(words[17]),
        started=int(words[19]),
    )


def is_alive(process: Process) -> bool:
    """Whether it is there and has not ended."""
    now = stat(process.pid)
    return now is not None and now.process == process and now.state != "Z"


def cpu_ns(pid: int) -> int | None:
    """Computing time of all its threads, without its children's; a zombie's, too. Takes 1 µs."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        return None


def rss_kib(pid: int) -> int | None:
    """Memory in use now; pages shared with others count in full."""
    text = _read(f"/proc/{pid}/statm")
    return int(text.split()[1]) * _PAGE_KIB if text else None


def pss_kib(pid: int) -> int | None:
    """Memory in use now; a page shared by n processes counts 1/n. Slow: up to milliseconds."""
    return _field(f"/proc/{pid}/smaps_rollup", b"Pss:")


def peak_kib(pid: int) -> int | None:
    """The most memory it used since it became its program, or since `forget_peak`."""
    return _field(f"/proc/{pid}/status", b"VmHWM:")


def forget_peak(pid: int) -> None:
    """Lets `peak_kib` begin anew."""
    try:
        with FileIO(f"/proc/{pid}/clear_refs", "w") as file:
            file.write(_FORGET_PEAK)
    except OSError:
        return


def threads(pid: int) -> list[int]:
    """The numbers of its threads."""
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208 (speed)
    except OSError:
        return []


def children(pid: int) -> list[int]:
    """Its children, zombies included; one that is born meanwhile may be missing."""
    found: list[int] = []
    for tid in threads(pid):
        found += map(int, (_read(f"/proc/{pid}/task/{tid}/children") or b"").split())
    return found


def descendants(roots: Iterable[int]) -> list[int]:
    """All below the roots, parents before their children."""
    below = list(roots)
    first = len(below)
    for pid in below:  # grows while we walk
        if len(below) > MAX_WALK:
            break
        below += children(pid)
    return below[first:]


def everyone() -> Iterator[int]:
    """The numbers of all processes."""
    try:
        yield from (int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208
    except OSError:
        return


def environ(pid: int, name: str) -> str | None:
    """A variable of the environment it was started with."""
    start = name.encode() + b"="
    for entry in (_read(f"/proc/{pid}/environ") or b"").split(b"\0"):
        if entry.startswith(start):
            return entry[len(start) :].decode(errors="replace")
    return None


def namespace(pid: int) -> str | None:
    """Which numbers it lives among: equal for processes that see each other by the same ones."""
    return _link(f"/proc/{pid}/ns/pid")


def program(pid: int) -> str | None:
    """The path of the file it runs."""
    return _link(f"/proc/{pid}/exe")


def descriptor(pid: int, number: int) -> str | None:
    """What a descriptor of it leads to, such as `pipe:[4711]`."""
    return _link(f"/proc/{pid}/fd/{number}")


def maps(pid: int, name: bytes) -> bool:
    """Whether a file with this in its path lies in its memory."""
    return name in (_read(f"/proc/{pid}/maps") or b"")


def system_call(pid: int, tid: int) -> tuple[int, int] | None:
    """The number and first argument of the system call in which a thread waits."""
    words = (_read(f"/proc/{pid}/task/{tid}/syscall") or b"").split()
    return (int(words[0]), int(words[1], 16)) if len(words) > 2 else None


def wait_channel(pid: int, tid: int) -> str | None:
    """The function of the kernel in which a thread waits; readable by more than the call is."""
    name = (_read(f"/proc/{pid}/task/{tid}/wchan") or b"0").decode()
    return None if name == "0" else name


def unread(pipe: int) -> int | None:
    """How many bytes lie in a pipe of ours."""
    try:
        return int(struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0])
    except OSError:
        return None


def send(process: Process, number: int) -> bool:
    """Signals exactly this process, never one that got its number later; whether it was there."""
    if not hasattr(os, "pidfd_open"):
        return False
    try:
        handle = os.pidfd_open(process.pid)
    except OSError:
        return False
    try:
        if not is_alive(process):
            return False
        signal.pidfd_send_signal(handle, number)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(handle)


def _read(path: str) -> bytes | None:
    try:
        with FileIO(path) as file:
            return file.readall()
    except OSError:
        return None


def _link(path: str) -> str | None:
    try:
        return os.readlink(path)  # noqa: PTH115 (speed)
    except OSError:
        return None


def _field(path: str, name: bytes) -> int | None:
    for line in (_read(path) or b"").splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    return None
