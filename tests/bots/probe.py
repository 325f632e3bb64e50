"""A bot that tries what a hostile one would, and says what was possible.

It reads one line, an object with its targets, and answers with one line: what it tried, and whether
that was possible. The names are those of the table in docs/security.md. Nothing is harmed: signals
have the number 0, files are opened and left as they are.
"""

import ctypes
import fcntl
import json
import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLONE_NEWUSER = 0x1000_0000
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
IO_URING_SETUP = 425  # on every machine
IPC_CREAT_600 = 0o1600
LARGE = 64 * 1024 * 1024 + 1

libc = ctypes.CDLL(None, use_errno=True)
targets: dict[str, Any] = {}


def opponent(name: str) -> str:
    return f"/proc/{targets['opponent']}/{name}"


def checked(result: int) -> int:
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def forge() -> None:
    with Path(opponent("fd/1")).open("wb", buffering=0) as pipe:
        pipe.write(b"forged\n")


def read_memory() -> None:
    first = Path(opponent("maps")).read_text().partition("-")[0]
    with Path(opponent("mem")).open("rb") as memory:
        memory.seek(int(first, 16))
        assert memory.read(16)


def trace() -> None:
    checked(libc.ptrace(PTRACE_SEIZE, targets["opponent"], None, None))
    # It must stop before it can be let go; at our end the kernel lets it go, too.
    libc.ptrace(PTRACE_DETACH, targets["opponent"], None, None)


def signal_others() -> None:
    for pid in (targets["opponent"], targets["referee"]):
        os.kill(pid, 0)


def see_command_lines() -> None:
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes()
        except OSError:
            continue
        if entry.parent.name != str(os.getpid()) and targets["token"].encode() in words:
            return
    raise PermissionError


def send_udp() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(2)
        sender.connect(("127.0.0.1", targets["udp"]))
        sender.send(b"hello")
        assert sender.recv(16)


def connect(family: int, address: Any) -> None:
    with socket.socket(family) as caller:
        caller.settimeout(2)
        caller.connect(address)


def list_home() -> None:
    """Inside a sandbox some folder of this name may be there, with what is shown to the bot."""
    assert {*targets["at_home"]} <= {entry.name for entry in Path(targets["home"]).iterdir()}


def leave(folder: str) -> None:
    Path(folder, targets["token"]).touch()


def share_memory() -> None:
    checked(libc.shmget(targets["key"], mmap.PAGESIZE, IPC_CREAT_600))


def in_child(action: Callable[[], object]) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            action()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        raise PermissionError


def fill_disk() -> None:
    """Whether some place takes more than what a sandbox gives to it."""
    places = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for place in {*places, os.environ["HOME"]}:
        if os.access(place, os.W_OK) and not place.startswith(("/proc", "/sys", "/dev/pts")):
            sizes = os.statvfs(place)
            if Path(place).is_dir() and sizes.f_blocks * sizes.f_frsize >= LARGE:
                return
    raise PermissionError


def meet_by_lock() -> None:
    """Whether somebody else's lock can be felt: the test holds it."""
    with Path(targets["shared"]).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
    raise PermissionError


ATTEMPTS: dict[str, Callable[[], object]] = {
    "answer in the opponent's name": forge,
    "read what the opponent is asked": lambda: os.close(
        os.open(opponent("fd/0"), os.O_RDONLY | os.O_NONBLOCK)
    ),
    "read the opponent's memory": read_memory,
    "trace the opponent (ptrace)": trace,
    "read the opponent's environment": lambda: Path(opponent("environ")).read_bytes()[0],
    "stop or kill the opponent or the referee": signal_others,
    "see the command lines of others": see_command_lines,
    "change results and logs": lambda: os.close(os.open(targets["results"], os.O_RDWR)),
    "read the log of the match": lambda: Path(targets["log"]).read_bytes(),
    "read other files of yours": lambda: Path(targets["project"]).read_bytes(),
    "read /etc/passwd": lambda: Path("/etc/passwd").read_bytes(),
    "list your home folder": list_home,
    "change its own program": lambda: os.close(os.open(__file__, os.O_RDWR)),
    "fill the disk": fill_disk,
    "connect to a service on this machine (TCP)": lambda: connect(
        socket.AF_INET, ("127.0.0.1", targets["tcp"])
    ),
    "send to one by UDP": send_udp,
    "connect to an abstract Unix socket": lambda: connect(socket.AF_UNIX, targets["abstract"]),
    "open an AF_VSOCK socket": lambda: socket.socket(40, socket.SOCK_STREAM).close(),
    "leave something in /tmp for another bot or game": lambda: leave("/tmp"),
    "leave something in /dev/shm": lambda: leave("/dev/shm"),
    "leave System V shared memory": share_memory,
    "set up io_uring": lambda: os.close(
        checked(libc.syscall(IO_URING_SETUP, 1, ctypes.create_string_buffer(120)))
    ),
    "make a user namespace of its own": lambda: in_child(
        lambda: checked(libc.unshare(CLONE_NEWUSER))
    ),
    "change settings of the kernel": lambda: os.close(
        os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)
    ),
    "write on your terminal": lambda: os.close(os.open("/dev/tty", os.O_RDWR)),
    "give signs to another bot by locks on files of the system": meet_by_lock,
}


def possible(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, AssertionError, IndexError):
        return False
    return True


if __name__ == "__main__":
    targets.update(json.loads(sys.stdin.readline()))
    done = {name: possible(attempt) for name, attempt in ATTEMPTS.items()}
    sys.stdout.write(json.dumps(done) + "\n")
    sys.stdout.flush()
    sys.stdin.read()
