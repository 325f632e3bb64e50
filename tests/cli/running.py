"""The command, run as people run it."""

import io
import json
import os
import shlex
import subprocess
import sys
import sysconfig
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import msgspec

from referee.cli.run import run

CROUPIER = Path(sysconfig.get_path("scripts"), "croupier")
BOTS = Path(__file__).parents[1] / "bots"
PATIENCE_S = 50


class Ran(msgspec.Struct, frozen=True):
    """What came out of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be JSON."""
        return json.loads(self.out)


def croupier(*arguments: str | Path, cwd: Path, **env: str) -> Ran:
    """Runs `croupier ARGUMENTS…` in a folder."""
    done = subprocess.run(
        [CROUPIER, *arguments],
        cwd=cwd,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
        env=os.environ | env,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def quick(*arguments: str | Path, cwd: Path) -> Ran:
    """The same in this process: for what starts no bots, and is wanted often."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        status = run([str(argument) for argument in arguments])
    texts = (stream.buffer.getvalue().decode() for stream in (out, err))
    return Ran(status, *texts)


def match(*arguments: str | Path, cwd: Path) -> Ran:
    """Runs `croupier match svoyi-koziri ARGUMENTS…` with a small pack, for short games."""
    return croupier("match", "svoyi-koziri", "-o", "cards=12", *arguments, cwd=cwd)


def naughty(flags: str = "", name: str = "naughty") -> str:
    """The BOT argument of a naughty bot."""
    return f"{name}={shlex.join([sys.executable, '-I', str(BOTS / 'naughty.py')])} {flags}"
