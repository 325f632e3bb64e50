"""What people read: replays, lists, schemas. Nothing of a bot reaches the terminal raw."""

import gzip
import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from tests.cli.running import BOTS, CROUPIER, croupier, match, naughty, quick

EXAMPLE = Path(__file__).parents[1] / "unit" / "example_log.jsonl"
RANDOM = "builtin:random"
REPLAYED = """\
game 1 · deal 0 · Svoyi Koziri (cards=8) · ada (seat 0) - bob (seat 1)
   1  ada  leads KS                               3 ms
   2  bob  beats KS with KD                       1 ms
   3  bob  leads AC                               1 ms
            note: win 0.8
            stderr: t3: cashing the ace
   4  ada  takes the pile of 3                    0 ms
   5  bob  leads AS                               1 ms
   6  ada  takes the pile of 1                    0 ms
   7  bob  leads KC and is out                    2 ms
   bob wins (out) · ada 0, bob 1
"""
# Whatever steers a terminal: C0 but for the newline, DEL, C1, bidirectional controls.
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def test_a_replay_tells_a_game_in_words(tmp_path):
    ran = croupier("replay", EXAMPLE, cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == REPLAYED


def test_a_replay_shows_one_game_or_all(tmp_path):
    assert match(RANDOM, RANDOM, "-n", "3", "--log", "a.jsonl", cwd=tmp_path).status == 0
    every = quick("replay", "a.jsonl", cwd=tmp_path)
    assert re.findall(r"^game (\d) · deal (\d)", every.out, re.MULTILINE) == [
        ("1", "0"),
        ("2", "0"),
        ("3", "1"),
    ]
    one = quick("replay", "a.jsonl", "--game", "2", cwd=tmp_path)
    assert one.out.startswith("game 2 · ")
    assert one.out in every.out
    none = quick("replay", "a.jsonl", "--game", "4", cwd=tmp_path)
    assert (none.status, none.out) == (2, "")
    assert none.err == "log a.jsonl has no game 4\n"


def test_a_compressed_log_is_replayed(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(EXAMPLE.read_bytes()))
    assert quick("replay", "a.jsonl.gz", cwd=tmp_path).out == REPLAYED


def test_a_log_that_was_cut_is_replayed_as_far_as_it_goes_with_a_warning(tmp_path):
    assert match(RANDOM, RANDOM, "-n", "2", "--log", "a.jsonl", cwd=tmp_path).status == 0
    log = tmp_path / "a.jsonl"
    log.write_bytes(log.read_bytes()[:-400])
    ran = quick("replay", "a.jsonl", cwd=tmp_path)
    assert ran.status == 0
    assert ran.out.startswith("game 1 · ")
    assert ran.err.startswith("warning: a.jsonl: line ")
    assert ran.err.count("\n") == 1


def test_a_fault_is_told_in_a_replay(tmp_path):
    bots = (naughty("--exit-on 2"), RANDOM)
    assert match(*bots, "--log", "a.jsonl", cwd=tmp_path).status == 4
    ran = quick("replay", "a.jsonl", cwd=tmp_path)
    assert "naughty         is at fault (exited), and forfeits" in ran.out
    assert f"{RANDOM} wins (forfeit) · naughty 0, {RANDOM} 1" in ran.out


def test_a_substituted_move_is_told_in_a_replay(tmp_path):
    bots = (naughty("--garbage-on 1"), RANDOM)
    more = ("--on-fault", "substitute", "--log", "a.jsonl")
    assert match(*bots, *more, cwd=tmp_path).status == 4
    ran = quick("replay", "a.jsonl", cwd=tmp_path)
    assert re.search(
        r"naughty +is at fault \(malformed\); the referee plays for it: leads \S+", ran.out
    )


ESCAPES = r"\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\r\x08[bold]red[/bold]:boom:"


@pytest.mark.parametrize("flags", [f"--say '{ESCAPES}'", f"--illegal-on 2 --action '{ESCAPES}'"])
def test_what_a_bot_says_never_steers_the_terminal(tmp_path, flags):
    note = json.dumps({"k\x1b[2J": "\x1b]0;owned\x07\u202e\x9b31m[bold]"})
    bot = naughty(f"{flags} --note '{note}'")
    played = match(bot, RANDOM, "--log", "a.jsonl", cwd=tmp_path)
    assert played.status in {0, 4}
    shown = quick("replay", "a.jsonl", cwd=tmp_path)
    assert shown.status == 0
    for ran in (played, shown):
        assert not STEERS.search(ran.out), ran.out
        assert not STEERS.search(ran.err), ran.err
    assert r"\x1b]0;owned\x07" in shown.out + played.out
    assert "[bold]" in shown.out + played.out
    assert quick("verify", "a.jsonl", cwd=tmp_path).status == 0


def test_what_the_hostile_bot_with_escapes_says_never_steers_the_terminal(tmp_path):
    hostile = f"esc={sys.executable} {BOTS / 'hostile' / '13_terminal_escapes.py'}"
    assert match(hostile, RANDOM, "--log", "a.jsonl", cwd=tmp_path).status == 0
    ran = quick("replay", "a.jsonl", cwd=tmp_path)
    assert "owned" in ran.out
    assert not STEERS.search(ran.out)


def test_the_stderr_of_a_bot_that_does_not_start_never_steers_the_terminal(tmp_path):
    (tmp_path / "bot.py").write_text(
        r'import sys; sys.stderr.write("\x1b]0;owned\x07\x1b[2J"); sys.exit(1)'
    )
    ran = match("bot.py", RANDOM, "--no-log", cwd=tmp_path)
    assert ran.status == 4
    assert r"\x1b]0;owned\x07" in ran.out
    assert not STEERS.search(ran.out + ran.err)


FORGED = ["\x1b[2J", "\x9b31m", "\u202e"]


@pytest.mark.parametrize("words", FORGED)
def test_a_forged_log_never_steers_the_terminal(tmp_path, words):
    escaped = json.dumps(words)[1:-1].encode()
    for number, old in enumerate((b'"ada"', b'"play KS"', b"cashing the ace", b'"svoyi-koziri"')):
        forged = EXAMPLE.read_bytes().replace(old, old[:-1] + escaped + old[-1:])
        assert forged != EXAMPLE.read_bytes()
        (tmp_path / f"{number}.jsonl").write_bytes(forged)
    ran = [quick("replay", f"{number}.jsonl", cwd=tmp_path) for number in range(4)]
    ran.append(quick("verify", ".", cwd=tmp_path))
    assert ran[-1].out.count("✗") == 4
    for one in ran:
        assert one.status in {0, 1}
        assert not STEERS.search(one.out + one.err), one


def test_games_are_listed_with_their_options(tmp_path):
    ran = croupier("games", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert "svoyi-koziri  Svoyi Koziri, 2 players\n" in ran.out
    assert "  -o take=forced|free (default forced): " in ran.out
    assert ran.out.splitlines()[-1] == "built-in bots: builtin:random, builtin:greedy"
    report = quick("games", "--json", cwd=tmp_path).json
    assert set(report) == {"games", "builtin"}
    (game,) = (game for game in report["games"] if game["name"] == "svoyi-koziri")
    assert game["seats"] == [2]
    assert game["options"]["cards"] == 32


def test_a_schema_is_json(tmp_path):
    ran = croupier("schema", "svoyi-koziri", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["$defs"]


def test_the_version_is_printed_in_both_ways(tmp_path):
    expected = f"croupier {referee.__version__}\n"
    assert croupier("--version", cwd=tmp_path).out == expected
    assert croupier("--version", "games", cwd=tmp_path).out == expected


LOADED = """
import sys
from referee.cli import main

try:
    main()
except SystemExit:
    pass
print("loaded", *sorted({"trio", "rich", "typer", "msgspec"} & set(sys.modules)), file=sys.stderr)
"""
LIGHT = [
    (["--version"], {"trio", "rich", "typer", "msgspec"}),
    (["--help"], {"trio"}),
    (["match", "--help"], {"trio"}),
]


@pytest.mark.parametrize(("arguments", "unwanted"), LIGHT)
def test_a_light_command_does_not_load_what_it_does_not_need(arguments, unwanted, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    word, *loaded = done.stderr.split()
    assert word == "loaded"
    assert not unwanted & set(loaded)


def test_the_help_lists_every_command_and_without_arguments_it_is_printed(tmp_path):
    ran = croupier("--help", cwd=tmp_path)
    assert ran.status == 0
    for command in ("match", "verify", "replay", "games", "schema"):
        assert command in ran.out
    assert croupier(cwd=tmp_path).status == 2


def test_a_reader_who_leaves_early_makes_no_noise(tmp_path):
    log = tmp_path / "a.jsonl"
    assert match(RANDOM, RANDOM, "-n", "40", "--log", log, "--quiet", cwd=tmp_path).status == 0
    with subprocess.Popen(
        [CROUPIER, "replay", log], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout
        assert command.stderr
        command.stdout.readline()
        command.stdout.close()
        assert command.stderr.read() == b""
        command.wait(50)


def test_on_a_terminal_a_long_match_shows_a_bar_that_goes_away(tmp_path):
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [
            CROUPIER,
            "match",
            "svoyi-koziri",
            RANDOM,
            RANDOM,
            "-o",
            "cards=12",
            "-n",
            "20",
            "--no-log",
        ],
        cwd=tmp_path,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
    ) as command:
        os.close(theirs)
        seen = b""
        while select.select([ours], [], [], 50)[0]:
            try:
                seen += os.read(ours, 65536)
            except OSError:  # EIO: the other end is closed
                break
        os.close(ours)
        assert command.wait(50) == 0
        assert command.stdout
        out = command.stdout.read().decode()
    assert b"games" in seen
    assert b"/20" in seen
    assert "Svoyi Koziri" in out
    assert not STEERS.search(out)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("ruleset=cuttle.cards",), "(ruleset=cuttle.cards)"),
        (("five=1,3", "jack-counterable=true"), "(five=1,3, jack-counterable=true)"),
        (("ruleset=cuttle.cards", "hand-limit=0"), "(ruleset=cuttle.cards, hand-limit=0)"),
        (("nine-points=false", "king-goals=21,14,10,7,5"), "·"),
    ],
)
def test_the_title_names_the_options_that_are_not_what_the_ruleset_says(given, said, tmp_path):
    options = [word for setting in given for word in ("-o", setting)]
    ran = quick("match", "cuttle", *options, RANDOM, RANDOM, "--no-log", cwd=tmp_path)
    assert f"· Cuttle {said}" in ran.out


def test_the_list_of_games_says_which_options_are_lists(tmp_path):
    listed = quick("games", cwd=tmp_path).out
    assert "-o king-goals=N,N,…: " in listed
    assert "-o seven-reveal=N: " in listed
