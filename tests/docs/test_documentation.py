"""What the pages show is what the programs do.

The blocks of a page are one session in a folder of its own, where only `sample_bots/` is:

* a block with `file=NAME` after its language is written to that file;
* each line of a ```console block that begins with `$ ` is run by bash, and the lines below it are what
  it must print. A line `…` stands for any lines, `…` within a line for anything. Measurements (a
  number before ms, s, games/s or MiB, with the blanks before it) differ from run to run and need not
  be equal, and which layer of isolation is on depends on the machine. What a terminal shows as a bar, `game 1 of 10`, is left out.

Nothing else is run here: `>>>` examples are doctests (`--doctest-glob` in pyproject.toml), and ```sh
blocks are for installing and for make, whose targets are looked up in the Makefile.
"""

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import PAGES, ROOT, blocks, name_of
from tests.tools import need

TIMEOUT_S: Final = 50
_MEASURED: Final = re.compile(r"\s*\d+(\.\d+)? (ms|s|games/s|MiB)\b")
_LAYER: Final = re.compile(r"^isolation \w+: .*$")
_NO_SANDBOX: Final = re.compile(r"^warning: bots run without a sandbox .*\n", re.MULTILINE)
_PROGRESS: Final = re.compile(r"^game \d+ of \d+\n", re.MULTILINE)


def sessions(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it must print."""
    for session in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, expected = session.split("\n", 1)
        yield command, expected


def run(command: str, folder: Path) -> str:
    """What a command prints on both outputs."""
    path = f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path, "NO_COLOR": "1", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return _NO_SANDBOX.sub("", _PROGRESS.sub("", done.stdout))


def fits(expected: str, actual: str) -> bool:
    """Whether `actual` is what a page shows."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n"
        for line in comparable(expected).splitlines()
    )
    return re.fullmatch(pattern, comparable(actual)) is not None


def comparable(text: str) -> str:
    """Without what differs from run to run and from machine to machine."""
    lines = (_MEASURED.sub(r" N \2", line) for line in text.splitlines())
    return "\n".join(_LAYER.sub("isolation N", line) for line in lines) + "\n"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_commands_on_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_bots", tmp_path / "sample_bots")
    for block in blocks(page):
        if "file" in block.info:
            (tmp_path / block.info["file"]).write_text(block.body, encoding="utf-8")
        if block.language == "console":
            for command, expected in sessions(block.body):
                if command.startswith("cc "):
                    need("cc")
                actual = run(command, tmp_path)
                assert fits(expected, actual), f"$ {command}\n{actual}\nThe page has:\n{expected}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_make_target_on_a_page_exists(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    shown = set(re.findall(r"\bmake ([a-z]+)`|^make ([a-z]+)", page.read_text(), re.MULTILINE))
    assert {a or b for a, b in shown} <= targets


def test_times_and_ellipses_are_all_that_may_differ() -> None:
    assert fits("a  0.1 ms\n…\nseal …\n", "a 12 ms\nb\nc\nseal 99\n")
    assert fits("…\nlast\n", "last\n")
    assert not fits("win 7\n", "win 8\n")
    assert not fits("one\n", "one\ntwo\n")
