"""What can be wrong with a command line: one line on stderr that says what to do."""

import stat
from pathlib import Path

import pytest

from tests.cli.running import BOTS, Ran, croupier, match, quick

RANDOM = "builtin:random"


def attempt(*arguments: str, cwd: Path) -> Ran:
    """A match that will not begin."""
    return quick("match", "svoyi-koziri", *arguments, cwd=cwd)


def script(path: Path, first: str, *, executable: bool = True) -> Path:
    path.write_bytes(first.encode() + b"\nexit 0\n")
    path.chmod(stat.S_IRWXU if executable else stat.S_IRUSR | stat.S_IWUSR)
    return path


def assert_one_line(ran: Ran, status: int, *words: str) -> None:
    assert ran.status == status, ran
    assert ran.out == ""
    assert ran.err.count("\n") == 1, ran.err
    for word in words:
        assert word in ran.err


def test_a_misspelt_game_is_guessed(tmp_path):
    ran = croupier("match", "svoyi-kosiri", RANDOM, RANDOM, cwd=tmp_path)
    assert_one_line(ran, 2, "Unknown game 'svoyi-kosiri'. Did you mean 'svoyi-koziri'? (games: ")
    ran = quick("schema", "svoy-koziri", cwd=tmp_path)
    assert_one_line(ran, 2, "Unknown game 'svoy-koziri'. Did you mean 'svoyi-koziri'?")


def test_a_missing_bot_is_named_and_guessed(tmp_path):
    (tmp_path / "greedy.py").write_text("")
    ran = match("gredy.py", RANDOM, cwd=tmp_path)
    words = "bot 'gredy.py' does not exist: no such file, folder or command."
    assert_one_line(ran, 3, f"{words} Did you mean 'greedy.py'?")
    assert_one_line(attempt("no/such.py", RANDOM, cwd=tmp_path), 3, "there is no folder no")


def test_a_misspelt_built_in_bot_is_guessed(tmp_path):
    ran = attempt("builtin:randon", RANDOM, cwd=tmp_path)
    assert_one_line(ran, 3, "unknown built-in bot 'randon'. Did you mean 'random'?")


def test_a_file_that_cannot_be_executed_is_told_how_to_become_so(tmp_path):
    script(tmp_path / "bot", "#!/bin/sh", executable=False)
    ran = attempt("./bot", RANDOM, cwd=tmp_path)
    assert_one_line(ran, 3, "has no execute permission: chmod +x ")


SHEBANGS = [
    ("#!/bin/sh\r", "has Windows line ends, which spoil its first line: sed -i 's/\\r$//' "),
    ("#!/no/such/interpreter", "wants the interpreter '/no/such/interpreter', which is not there"),
    (
        "#!/usr/bin/env nosuchpython",
        "wants the interpreter 'nosuchpython', which is not on the PATH",
    ),
    ("echo hello", "is neither a program nor a script: its first line must be #!"),
]


@pytest.mark.parametrize(("first", "words"), SHEBANGS)
def test_a_first_line_that_does_not_work_is_explained(tmp_path, first, words):
    script(tmp_path / "bot", first)
    assert_one_line(attempt("./bot", RANDOM, cwd=tmp_path), 3, words)


COMMANDS = [
    ("nosuchprogram --fast", "'nosuchprogram' is not on the PATH"),
    ("./nosuchprogram --fast", "there is no program './nosuchprogram'"),
    ("python3 'unclosed", "is no command: No closing quotation"),
]


@pytest.mark.parametrize(("command", "words"), COMMANDS)
def test_a_command_that_does_not_work_is_explained(tmp_path, command, words):
    assert_one_line(attempt(command, RANDOM, cwd=tmp_path), 3, words)


def test_a_folder_without_bot_toml_is_no_bot(tmp_path):
    (tmp_path / "mybot").mkdir()
    ran = attempt("mybot", RANDOM, cwd=tmp_path)
    assert_one_line(ran, 3, "folder 'mybot' has no bot.toml (it says how to run the bot)")


# What typer says after the option's name differs between its versions.
USAGE = [
    (["--sed", "7"], "No such option: --sed"),
    (["-o", "card=24"], "Unknown option 'card' of svoyi-koziri. Did you mean 'cards'? (options: "),
    (["-o", "cards"], "-o cards: an option is written KEY=VALUE"),
    (["-o", "cards=some"], "-o cards=some: expected a whole number."),
    (["-o", "cards=25"], "cards is a multiple of 4 from 8 to 52, not 25"),
    (["-o", "take=forse"], "-o take=forse: expected one of "),
    (["-n", "0"], "Invalid value for '-n' / '--games': "),
    (["-n", "many"], "Invalid value for '-n' / '--games': "),
    (["--move-ms", "0"], "Invalid value for '--move-ms': "),
    (
        ["--on-fault", "ignore"],
        "'ignore' is not one of 'forfeit', 'substitute'",
    ),
    (["--restart", "often"], "'often' is not one of 'never', 'game'"),
    (["builtin:greedy"], "Svoyi Koziri is played by 2 bots; 3 given"),
]


@pytest.mark.parametrize(("arguments", "words"), USAGE, ids=[" ".join(row[0]) for row in USAGE])
def test_a_wrong_use_is_explained(tmp_path, arguments, words):
    assert_one_line(attempt(RANDOM, RANDOM, *arguments, cwd=tmp_path), 2, words)
    assert list(tmp_path.iterdir()) == []


def test_one_bot_is_too_few(tmp_path):
    ran = attempt(RANDOM, cwd=tmp_path)
    assert_one_line(ran, 2, "Svoyi Koziri is played by 2 bots; 1 given")


def test_an_unknown_command_is_a_wrong_use(tmp_path):
    assert_one_line(quick("mach", cwd=tmp_path), 2, "No such command 'mach'", "--help")


def test_a_log_that_is_there_is_never_overwritten(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_text("precious\n")
    ran = match(RANDOM, RANDOM, "--log", "a.jsonl", cwd=tmp_path)
    assert_one_line(ran, 2, "log a.jsonl is there already: choose another name")
    assert log.read_text() == "precious\n"


def test_a_log_that_cannot_be_written_is_told_before_the_attempt(tmp_path):
    ran = attempt(RANDOM, RANDOM, "--log", "no/such/a.jsonl", cwd=tmp_path)
    assert_one_line(ran, 2, "cannot write log no/such/a.jsonl: No such file or directory")


def test_after_a_bot_that_cannot_be_started_no_empty_log_is_left(tmp_path):
    assert attempt(str(BOTS / "nobody.py"), RANDOM, "--log", "a.jsonl", cwd=tmp_path).status == 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_log_that_is_not_there_is_named(tmp_path, command):
    ran = quick(command, "a.jsonl", cwd=tmp_path)
    assert_one_line(ran, 2, "cannot read log a.jsonl: No such file or directory")
