"""What this machine has for matches, found out by trying. How it is told is `referee.cli.doctor`'s.

A layer works when a bot said hello in it. A tool works when it told its version.
"""

import ctypes
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

import msgspec
import trio

from referee import __version__
from referee.channels import seccomp
from referee.channels.isolation import LAYERS, Layer, LayerName
from referee.channels.probing import Probed, probe
from referee.channels.process import ProcessChannel
from referee.connection import Connection, NoStartError

STARTS: Final = 20  # of which the median is told

_HELLO_SECONDS: Final = 10.0
_VERSION_SECONDS: Final = 10.0
_PR_GET_CHILD_SUBREAPER: Final = 37
# A bot that starts in no time: what is measured is the layer.
_BOT: Final = r"""
read -r line
id=${line#*'"id":'}
echo "{\"type\":\"hello\",\"id\":${id%%[!0-9]*},\"protocol\":1,\"name\":\"checkup\"}"
read -r line
"""
_VERSION: Final = re.compile(r"\d+(\.\d+)+")


class LayerReport(msgspec.Struct, frozen=True):
    """How a layer of isolation works here."""

    name: LayerName
    why_not: str  # empty when it works
    remedy: str
    start_ms: float | None  # from the start of a bot to its hello, the median of some

    @property
    def works(self) -> bool:
        """Whether a bot said hello in it."""
        return not self.why_not


class Feature(msgspec.Struct, frozen=True):
    """Something that the system has or not."""

    name: str
    works: bool
    purpose: str


class Tool(msgspec.Struct, frozen=True):
    """A program that bots of a language need; `package` is Debian's."""

    language: str
    program: str
    version: str | None  # None when it is not there
    package: str


class Checkup(msgspec.Struct, frozen=True, kw_only=True):
    """All that was found. `matches` and `matches_pondering` can be played at a time."""

    croupier: str
    python: str
    system: str
    layers: Sequence[LayerReport]
    features: Sequence[Feature]
    tools: Sequence[Tool]
    cores: int
    matches: int
    matches_pondering: int

    @property
    def ready(self) -> bool:
        """Whether matches can be played."""
        return any(layer.works for layer in self.layers)


# Language, program, arguments for its version, Debian package.
_TOOLS: Final = (
    ("Python", "python3", "--version", "python3"),
    ("JavaScript", "node", "--version", "nodejs"),
    ("C", "gcc", "--version", "gcc libc6-dev"),
    ("C++", "g++", "--version", "g++"),
    ("Rust", "rustc", "--version", "rustc"),
    ("Rust", "cargo", "--version", "cargo"),
    ("Java", "java", "-version", "default-jdk-headless"),
    ("Java", "javac", "-version", "default-jdk-headless"),
    ("Perl", "perl", "--version", "perl"),
    ("Bash", "bash", "--version", "bash"),
)


async def check_up() -> Checkup:
    """Tries everything; takes a second or two."""
    cores = usable_cores()
    return Checkup(
        croupier=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        layers=[await try_layer(layer) for layer in LAYERS.values()],
        features=features(),
        tools=[_tool(*row) for row in _TOOLS],
        cores=cores,
        # Of the bots of a match one runs at a time, unless they may ponder.
        matches=cores,
        matches_pondering=max(1, cores // 2),
    )


async def try_layer(layer: Layer) -> LayerReport:
    """Starts bots in it until the time they take is known."""
    found = probe(layer)
    try:
        times = [await _start_ms(layer) for _ in range(STARTS if found.works else 0)]
    except (NoStartError, OSError) as exc:
        found, times = Probed(str(exc)), []
    median = round(statistics.median(times), 1) if times else None
    return LayerReport(layer.name, found.why, found.remedy, median)


async def _start_ms(layer: Layer) -> float:
    """Raises `NoStartError`."""
    async with trio.open_nursery() as nursery:
        began = trio.current_time()
        channel = ProcessChannel.start(nursery, ["/bin/sh", "-c", _BOT], {}, layer=layer)
        try:
            await Connection(channel).greet("checkup", _HELLO_SECONDS)
        except NoStartError as exc:
            trouble: NoStartError | None = exc
        else:
            trouble = None
        took = trio.current_time() - began
        await channel.close(b"\n")
    if trouble:
        raise trouble  # not in the nursery, which would wrap it
    return took * 1000


def features() -> list[Feature]:
    """Of the kernel, that matches make use of."""
    return [
        Feature("pidfd", _has_pidfd(), "the end of a bot is noticed at once"),
        Feature("subreaper", _has_subreaper(), "whatever a bot leaves behind is found and ended"),
        Feature(
            "seccomp",
            sys.platform == "linux" and seccomp.program() is not None,
            "a sandbox can filter system calls",
        ),
    ]


def _has_pidfd() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


def _has_subreaper() -> bool:
    answer = ctypes.c_int()
    try:
        refused = ctypes.CDLL(None).prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(answer), 0, 0, 0)
    except (AttributeError, OSError):
        return False
    return not refused


def usable_cores() -> int:
    """Those that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1


def _tool(language: str, program: str, argument: str, package: str) -> Tool:
    return Tool(language, program, _version_of(program, argument), package)


def _version_of(program: str, argument: str) -> str | None:
    path = shutil.which(program)
    if path is None:
        return None
    try:
        done = subprocess.run(
            [path, argument],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_VERSION_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    told = _VERSION.search(done.stdout.decode(errors="replace"))
    return told[0] if told else ""
