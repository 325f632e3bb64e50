"""A program of its own: runs another, then ends and buries whatever that one has left behind.

python alone.py SECONDS PROGRAM ARGUMENTS…

A browser is many processes, some in sessions of their own. Orphans come to this process.
"""

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
TOO_LATE = 124


def main(seconds: str, *argv: str) -> int:
    """The program's status, or 124 when it was ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        return subprocess.run(argv, timeout=float(seconds), check=False).returncode
    except subprocess.TimeoutExpired:
        return TOO_LATE
    finally:
        while left := Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
            for pid in map(int, left):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
