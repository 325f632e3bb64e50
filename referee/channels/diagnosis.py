"""What a bot does that should answer: the facts, without an opinion (that is `referee.advice`'s).

Read from Linux at the moment of a time-out, in about 0.2 ms, before anything is stopped or killed.
"""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import trio

from referee.channels import Silence, Waits, procfs
from referee.channels.procfs import Stat
from referee.channels.tree import Tree

_MAX_PROCESSES: Final = 16
_NS_PER_MS: Final = 1_000_000
_PROGRAM_BYTES: Final = 8 * 1024 * 1024

_READS, _WRITES = "reads", "writes"
_X86: Final[dict[str | Waits, tuple[int, ...]]] = {
    _READS: (0, 17, 19),
    _WRITES: (1, 18, 20),
    Waits.EVENTS: (7, 23, 232, 270, 271, 281, 426, 441),
    Waits.SLEEP: (34, 35, 128, 130, 230),
    Waits.LOCK: (202, 449),
    Waits.CHILD: (61, 247),
}
_ARM: Final[dict[str | Waits, tuple[int, ...]]] = {
    _READS: (63, 65, 67),
    _WRITES: (64, 66, 68),
    Waits.EVENTS: (22, 72, 73, 426, 441),
    Waits.SLEEP: (101, 115, 133, 137),
    Waits.LOCK: (98, 449),
    Waits.CHILD: (95, 260),
}
_CALLS: Final = {
    number: kind
    for kind, numbers in {"x86_64": _X86, "aarch64": _ARM}.get(platform.machine(), {}).items()
    for number in numbers
}
# Where the call may not be read, the function of the kernel still tells something.
_CHANNELS: Final[dict[str, Waits]] = {
    "pipe_read": Waits.READ,
    "pipe_write": Waits.WRITE,
    "poll": Waits.EVENTS,
    "select": Waits.EVENTS,
    "nanosleep": Waits.SLEEP,
    "futex": Waits.LOCK,
    "do_wait": Waits.CHILD,
}
# What only the maker of the program leaves in its file.
_MAKERS: Final[dict[bytes, str]] = {b"/rustc/": "rust", b"Go build ID:": "go"}


class Asked:
    """When a bot was asked, and what its processes had computed until then."""

    def __init__(self) -> None:
        self._time = trio.current_time()
        self._cpu_ns: dict[int, int] = {}

    def now(self, tree: Tree) -> None:
        """Takes 1 µs a process."""
        self._time = trio.current_time()
        self._cpu_ns = {pid: procfs.cpu_ns(pid) or 0 for pid in tree.pids()[:_MAX_PROCESSES]}

    def spent_ms(self, members: Sequence[Stat]) -> int:
        """What they have computed since."""
        spent = ((procfs.cpu_ns(stat.pid) or 0) - self._cpu_ns.get(stat.pid, 0) for stat in members)
        return sum(spent) // _NS_PER_MS

    def since_ms(self) -> int:
        """How long ago that was."""
        return int((trio.current_time() - self._time) * 1000)


def silence(tree: Tree, asked: Asked, stdio: Mapping[Waits, int]) -> Silence | None:
    """None where nothing is known. `stdio` has our ends of the bot's pipes."""
    tree.look()
    members = tree.members[:_MAX_PROCESSES]
    if not members:
        return None
    pipes = {f"pipe:[{os.fstat(end).st_ino}]": waits for waits, end in stdio.items()}
    waiting = {stat.pid: _waits_of(stat, pipes) for stat in members}
    # A wrapper of the bot's own (`sh run.sh`) waits for its child, and that for us.
    most = min(members, key=lambda stat: (stat.state == "Z", _rank(waiting[stat.pid])))
    program = procfs.program(most.pid)
    return Silence(
        asked_ms=asked.since_ms(),
        cpu_ms=asked.spent_ms(members),
        state=_state(most, members),
        waits=waiting[most.pid],
        unread=procfs.unread(stdio[Waits.STDIN]),
        threads=sum(stat.threads for stat in members),
        program=program,
        language=_language(most.pid),
    )


def _rank(waits: Waits | None) -> int:
    return len(Waits) if waits is None else list(Waits).index(waits)


def _state(most: Stat, members: Sequence[Stat]) -> str:
    """Running, if any thread is."""
    running = any(
        thread.state == "R"
        for stat in members
        for tid in procfs.threads(stat.pid)
        if (thread := procfs.stat(stat.pid, tid))
    )
    return "R" if running else most.state


def _waits_of(stat: Stat, pipes: Mapping[str, Waits]) -> Waits | None:
    """What tells the most of all that its threads wait for."""
    return min(_waits(stat.pid, pipes), key=_rank, default=None)


def _waits(pid: int, pipes: Mapping[str, Waits]) -> Iterator[Waits]:
    for tid in procfs.threads(pid):
        call = procfs.system_call(pid, tid)
        waits = _by_call(pid, *call, pipes) if call else _by_channel(pid, tid)
        if waits is not None:
            yield waits


def _by_call(pid: int, call: int, argument: int, pipes: Mapping[str, Waits]) -> Waits | None:
    kind = _CALLS.get(call)
    if kind is None or isinstance(kind, Waits):
        return kind
    waits = pipes.get(procfs.descriptor(pid, argument) or "")
    if kind == _READS:
        return Waits.STDIN if waits is Waits.STDIN else Waits.READ
    return Waits.WRITE if waits in {None, Waits.STDIN} else waits


def _by_channel(pid: int, tid: int) -> Waits | None:
    channel = procfs.wait_channel(pid, tid) or ""
    return next((waits for part, waits in _CHANNELS.items() if part in channel), None)


def _language(pid: int) -> str | None:
    """Of a compiled program; of an interpreter, that of the interpreter."""
    try:
        with open(f"/proc/{pid}/exe", "rb") as file:  # noqa: PTH123
            content = file.read(_PROGRAM_BYTES)
    except OSError:
        return None
    for trace, language in _MAKERS.items():
        if trace in content:
            return language
    return "c++" if procfs.maps(pid, b"libstdc++") else "c"
