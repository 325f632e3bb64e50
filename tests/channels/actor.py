"""A program that does in its process what a test asks for, one line each, and says `done`."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable

kept: list[bytearray] = []


def burn() -> None:
    """Computes for ever."""
    while True:
        sum(range(1000))


def spend(milliseconds: float) -> None:
    """Computes for so long."""
    end = time.process_time() + milliseconds / 1000
    while time.process_time() < end:
        sum(range(1000))


def take(mebibytes: int, *, step: int = 32) -> None:
    """Takes memory and touches each page of it."""
    for size in [step] * (mebibytes // step) + [mebibytes % step]:
        block = bytearray(size << 20)
        block[::4096] = b"x" * len(block[::4096])
        kept.append(block)


def child(how: str) -> int:
    """A child that sleeps; its number."""
    pid = os.fork()
    if pid == 0:
        if "session" in how:
            os.setsid()
        if "orphan" in how and os.fork():
            os._exit(0)
        if "bare" in how:
            sleep = "import time; time.sleep(600)"
            os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", sleep], {})
        if "hog" in how:
            take(int(how.rpartition("-")[2]))
        if "burn" in how:
            burn()
        time.sleep(600)
    if "orphan" in how:
        os.waitpid(pid, 0)
    return pid


def rabbit() -> None:
    """Runs from process to process, each in a session of its own."""
    while True:
        os.setsid()
        if os.fork():
            os._exit(0)


def release() -> None:
    if os.fork() == 0:
        rabbit()


def children(how: str, count: str = "1") -> None:
    for _ in range(int(count)):
        child(how)


def run(verb: str) -> None:
    """In a child that is waited for."""
    subprocess.run([sys.executable, "-I", "-S", __file__, verb], check=True)


VERBS: dict[str, Callable[..., object]] = {
    "echo": lambda: None,
    "burn": lambda: threading.Thread(target=burn, daemon=True).start(),
    "spend": lambda milliseconds: spend(float(milliseconds)),
    "take": lambda mebibytes: take(int(mebibytes)),
    "drop": kept.clear,
    "child": children,
    "run": run,
    "rabbit": release,
    "exit": lambda: os._exit(0),
}

if __name__ == "__main__":
    if sys.argv[1:] == ["spend"]:
        spend(100)
        sys.exit()
    for line in sys.stdin:
        first, *rest = line.split()
        VERBS[first](*rest)
        os.write(1, f"done {os.getpid()}\n".encode())
