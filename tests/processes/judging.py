"""The hostile bots of a folder, and the command that judges them, some at a time."""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from referee.channels.isolation import LAYERS
from referee.channels.probing import probe
from referee.logbook import read_lines
from referee.replay import verify

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "bots" / "hostile"
MATCHES_AT_ONCE = 2 * (os.cpu_count() or 1)  # most of them wait for a deadline
ATTEMPTS = 3  # so often a game may be played until it is not void

# What a program of this ending needs.
TOOLS = {".c": "gcc", ".js": "node", ".java": "java", ".pl": "perl"}
JAVA = ("java", "-XX:+UseSerialGC", "-Xmx64m")

GAME = ("match", "svoyi-koziri", "-o", "max-plies=120", "-o", "cards=24", "--seed", "7")
USUAL = ("--start-ms", "5000", "--move-ms", "1000")
LIMITS = ("--memory-mb", "256", "--processes", "64")
_NEEDS = re.compile(r"^(?:#|//) needs: (\S+)$", re.MULTILINE)


class Hostile(msgspec.Struct, frozen=True):
    """A line of INDEX.tsv; `flags` are those of the command in which it differs from the others."""

    path: Path
    accepted: tuple[str, ...]
    flags: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.stem


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What came out of a match against an honest bot, and what it left behind."""

    verdict: str
    opponent: str
    err: str
    survivors: list[str]
    folders: list[str]
    stderr: str = ""  # of the hostile bot, as logged


def read_index(folder: Path) -> list[Hostile]:
    """The bots of a folder, in the order of its INDEX.tsv."""
    folder = folder.resolve()
    found = []
    for line in (folder / "INDEX.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, accepted, _, *flags = line.split("\t")
            path = next(iter(programs(folder, name)), folder / name)
            found.append(Hostile(path, tuple(accepted.split("|")), tuple(" ".join(flags).split())))
    return found


def programs(folder: Path, name: str) -> list[Path]:
    """The files and folders of this name, whatever their ending."""
    return [path for path in folder.iterdir() if path.stem == name]


def tools(bot: Path) -> list[str]:
    """What a bot needs: by the ending of its file, and by `needs:` and one word in its header."""
    files = [bot] if bot.is_file() else [path for path in bot.iterdir() if path.is_file()]
    texts = [path.read_text(errors="replace") for path in files]
    named = {word for text in texts for word in _NEEDS.findall(text)}
    return sorted(named | ({TOOLS[bot.suffix]} if bot.suffix in TOOLS else set()))


def _argument(bot: Path, folder: Path) -> str:
    """The BOT argument; C is compiled into `folder`, once."""
    if bot.suffix == ".c":
        program = folder / f"{bot.stem}.program"
        if not program.exists():
            subprocess.run(["gcc", "-O1", "-o", program, bot], check=True)
        return str(program)
    if bot.suffix == ".java":
        return shlex.join([*JAVA, str(bot)])
    return str(bot)


@cache
def layers() -> tuple[str, ...]:
    """The layers of isolation that work on this machine."""
    return tuple(name for name, layer in LAYERS.items() if probe(layer).works)


class Court:
    """Plays games of hostile bots against an honest one, some at a time in the order of `call`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._called: dict[Any, list[Path]] = {}  # the folders of the attempts
        self._requests = (folder / "requests").open("w")
        # Not measured by coverage, which costs more than the commands do.
        env = {name: value for name, value in os.environ.items() if "COV" not in name}
        self._warden = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.processes.warden"),
                *(self._requests.name, str(MATCHES_AT_ONCE)),
            ],
            cwd=ROOT,
            env=env | {"PYTHONPATH": str(ROOT)},
            start_new_session=True,
        )

    def call(self, bot: Hostile, layer: str, repeat: int) -> None:
        """Asks for a game; it begins when those before it are over."""
        attempts = self._called.setdefault((bot, layer, repeat), [])
        folder = self._folder / bot.name / f"{layer}-{repeat}-{len(attempts)}"
        folder.mkdir(parents=True)
        arguments = [
            *(*GAME, f"hostile={_argument(bot.path, self._folder)}", "honest=builtin:random"),
            *(*USUAL, *LIMITS, "--isolation", layer, *bot.flags),
            *("--json", "--log", str(folder / "log.jsonl")),
        ]
        request = {"folder": str(folder), "arguments": arguments}
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()
        attempts.append(folder)

    def judge(self, bot: Hostile, layer: str, repeat: int) -> Judged:
        """Waits for what was called; a void game is played again."""
        attempts = self._called[bot, layer, repeat]
        while (judged := self._judged(attempts[-1])).verdict == "void":
            assert len(attempts) < ATTEMPTS, "void again and again"
            self.call(bot, layer, repeat)
        return judged

    def _judged(self, folder: Path) -> Judged:
        report = folder / "report.json"
        while not report.exists():
            assert self._warden.poll() is None, "the warden has died"
            time.sleep(0.01)
        seen = json.loads(report.read_text())
        common = {key: seen[key] for key in ("err", "survivors", "folders")}
        if seen["status"] == 3:  # it could not be started as it was given
            return Judged(verdict="no_start", opponent="ok", **common)
        assert seen["status"] in {0, 4}, seen["err"]
        verify(read_lines(folder / "log.jsonl"))
        game = json.loads(seen["out"])["games"][-1]
        if game["reason"] == "void":
            return Judged(verdict="void", opponent="void", **common)
        verdicts = dict(zip(game["bots"], game["verdicts"], strict=True))
        return Judged(
            verdict=verdicts["hostile"],
            opponent=verdicts["honest"],
            stderr=_stderr(folder / "log.jsonl", game["bots"].index("hostile")),
            **common,
        )

    def close(self) -> None:
        """What is running is finished; what was only called is forgotten with its tests."""
        self._warden.terminate()
        self._warden.wait()
        self._requests.close()


def _stderr(log: Path, seat: int) -> str:
    """All that was logged of it."""
    lines = [json.loads(line) for line in read_lines(log)]
    return "".join(line.get("stderr", "") for line in lines if line.get("seat") == seat)
