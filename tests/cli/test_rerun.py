"""What a bot was sent comes out of the log again, byte for byte."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.running import BOTS, croupier, naughty, quick

RANDOM = "builtin:random"


def listening(folder: Path, flags: str = "") -> str:
    """A bot that keeps what it is sent in a file of its own for each process."""
    bot = f"{shlex.quote(sys.executable)} -I {BOTS / 'naughty.py'} {flags}"
    script = folder / "listening.sh"
    script.write_text(f'#!/bin/sh\ntee "{folder}/heard.$$" | {bot}\n')
    script.chmod(0o755)
    return f"listening={script}"


def heard_by(folder: Path) -> list[bytes]:
    files = sorted(folder.glob("heard.*"), key=lambda file: file.stat().st_mtime_ns)
    return [file.read_bytes() for file in files]


@pytest.mark.parametrize("game", ["cuttle", "svoyi-koziri"])
def test_a_whole_game_comes_back_byte_for_byte(tmp_path, game):
    arguments = ("-n", "2", "--restart", "game", "--seed", "4", "--log", "a.jsonl", "--quiet")
    bot = listening(tmp_path)
    assert croupier("match", game, bot, RANDOM, *arguments, cwd=tmp_path).status == 0
    printed = [
        quick(
            "rerun", "a.jsonl", "--game", str(n + 1), "--seat", str(n), "--print", cwd=tmp_path
        ).out
        for n in (0, 1)
    ]
    assert [text.encode() for text in printed] == heard_by(tmp_path)


def test_after_a_fault_the_lines_end_with_the_question_that_was_not_answered(tmp_path):
    ran = croupier(
        *("match", "wizard", RANDOM, naughty("--exit-on 3"), RANDOM, "--log", "a.jsonl"),
        *("-o", "rounds=2,3", "--json"),
        cwd=tmp_path,
    )
    assert ran.status == 4
    out = quick("rerun", "a.jsonl", "--seat", "1", "--print", cwd=tmp_path).out
    kinds = [line.split('"')[3] for line in out.splitlines()]
    assert kinds == ["hello", "start", "turn", "turn", "turn"]
    short = quick("rerun", "a.jsonl", "--seat", "1", "--until", "3", "--print", cwd=tmp_path).out
    assert out.startswith(short)
    assert short.count('"type":"turn"') == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "9", "--print"), "log a.jsonl has no game 9"),
        (("--seat", "2", "--print"), "game 1 has the seats 0 to 1, not 2"),
        ((), "say --print: the lines are for a bot that you run yourself"),
    ],
)
def test_what_is_not_there_is_named(tmp_path, arguments, said):
    assert quick("match", "cuttle", RANDOM, RANDOM, "--log", "a.jsonl", cwd=tmp_path).status == 0
    ran = quick("rerun", "a.jsonl", *arguments, cwd=tmp_path)
    assert (ran.status, ran.out, ran.err) == (2, "", f"{said}\n")
