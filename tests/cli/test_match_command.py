"""`croupier match`, from its arguments to its exit status."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.logbook import read_lines
from referee.replay import verify
from tests.cli.running import BOTS, CROUPIER, PATIENCE_S, croupier, match, naughty, quick
from tests.tools import need

TOP = [
    "schema",
    "game",
    "options",
    "seed",
    "isolation",
    "restart",
    "log",
    "lag_ms",
    "voids",
    "games",
    "bots",
]
GAME = ["game", "bots", "scores", "places", "reason", "verdicts", "actions"]
BOT = [
    *("name", "games", "wins", "draws", "losses", "place", "score", "score_95", "faults"),
    *("ms_median", "ms_max", "peak_kib", "cpu_ms"),
]
RANDOM, GREEDY = "builtin:random", "builtin:greedy"


def test_the_same_seed_gives_the_same_games(tmp_path):
    bots = (naughty("--pick random"), RANDOM, "-n", "100", "--seed", "7")
    first, second = (
        match(*bots, "--json", "--log", f"{number}.jsonl", cwd=tmp_path) for number in (1, 2)
    )
    assert (first.status, second.status) == (0, 0)
    assert len(first.json["games"]) == 100
    assert first.json["games"] == second.json["games"]
    scores = [[bot["score"] for bot in ran.json["bots"]] for ran in (first, second)]
    assert scores[0] == scores[1]
    third = match(*bots[:-1], "8", "-n", "4", "--json", "--no-log", cwd=tmp_path)
    assert third.json["games"] != first.json["games"][:4]
    checked = croupier("verify", "1.jsonl", "2.jsonl", cwd=tmp_path)
    assert checked.status == 0
    assert re.findall(r"✓ (\d).jsonl: 100 games, seal [0-9a-f]{64}\n", checked.out) == ["1", "2"]


def test_the_json_report_has_the_promised_keys(tmp_path):
    ran = match(
        RANDOM, GREEDY, "-n", "4", "--seed", "7", "--json", "--log", "a.jsonl", cwd=tmp_path
    )
    report = ran.json
    assert list(report) == TOP
    assert [list(game) for game in report["games"]] == [GAME] * 4
    assert [list(bot) for bot in report["bots"]] == [BOT] * 2
    assert (report["schema"], report["game"], report["seed"]) == (1, "svoyi-koziri", 7)
    assert (report["isolation"], report["log"], report["voids"]) == ("posix", "a.jsonl", [])
    assert report["options"]["cards"] == 12
    assert report["games"][0]["bots"] == [RANDOM, GREEDY]
    assert report["games"][1]["bots"] == [GREEDY, RANDOM]
    for bot in report["bots"]:
        assert bot["wins"] + bot["draws"] + bot["losses"] == bot["games"] == 4
        assert bot["score"] == (bot["wins"] + bot["draws"] / 2) / 4
        assert 0 <= bot["ms_median"] <= bot["ms_max"]
    assert ran.out.count("\n") == 1


def test_the_report_tells_the_same_as_the_log(tmp_path):
    ran = match(RANDOM, RANDOM, "-n", "3", "--json", "--log", "a.jsonl", cwd=tmp_path)
    lines = [json.loads(line) for line in read_lines(tmp_path / "a.jsonl")]
    actions = [line["action"] for line in lines if line["type"] == "act"]
    assert [action for game in ran.json["games"] for action in game["actions"]] == actions
    results = [line for line in lines if line["type"] == "result"]
    assert [line["scores"] for line in results] == [g["scores"] for g in ran.json["games"]]


def test_without_a_seed_the_log_publishes_the_secret_at_its_end(tmp_path):
    assert match(RANDOM, RANDOM, "--log", "a.jsonl", cwd=tmp_path).status == 0
    lines = [json.loads(line) for line in read_lines(tmp_path / "a.jsonl")]
    assert "seed" not in lines[0]
    assert len(lines[-1]["secret"]) == 64


def test_a_match_prints_its_table_its_log_and_its_seal(tmp_path):
    ran = match(RANDOM, GREEDY, "-n", "4", "--seed", "7", cwd=tmp_path)
    (log,) = tmp_path.glob("croupier-*.jsonl")
    title = f"{RANDOM} vs {GREEDY} · Svoyi Koziri (cards=12) · 4 games in 2 mirrored pairs · seed 7"
    assert ran.out.splitlines()[0] == title
    assert f"log     {log.name}\nseal    {verify(read_lines(log)).seal}\n" in ran.out
    assert ran.err.splitlines()[-1] == "game 4 of 4"


def test_quiet_says_nothing_on_stderr_and_no_log_writes_none(tmp_path):
    ran = match(RANDOM, RANDOM, "-n", "4", "--quiet", "--no-log", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_a_built_in_bot_may_play_itself_under_a_second_name(tmp_path):
    ran = match(RANDOM, RANDOM, "--json", "--no-log", cwd=tmp_path)
    assert [bot["name"] for bot in ran.json["bots"]] == [RANDOM, f"{RANDOM}_2"]


def test_a_bot_may_be_named_and_be_a_file_or_a_quoted_command(tmp_path):
    file = BOTS / "naughty.py"
    ran = match(f"ada={file}", f"{sys.executable} {file} --pick random", "--json", cwd=tmp_path)
    assert ran.status == 0
    assert [bot["name"] for bot in ran.json["bots"]] == ["ada", "naughty"]


def test_a_file_of_the_working_directory_is_found_by_a_quoted_command(tmp_path):
    (tmp_path / "bot.py").write_bytes((BOTS / "naughty.py").read_bytes())
    ran = match("python3 bot.py", "./bot.py", "--json", "--no-log", cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert [bot["name"] for bot in ran.json["bots"]] == ["bot", "bot_2"]


def folder(tmp_path: Path, toml: str) -> Path:
    place = tmp_path / "mybot"
    place.mkdir()
    (place / "bot.toml").write_text(toml)
    (place / "bot.py").write_bytes((BOTS / "naughty.py").read_bytes())
    return place


def test_a_folder_with_bot_toml_is_a_bot(tmp_path):
    folder(tmp_path, 'name = "carla"\nrun = ["python3", "bot.py", "--pick", "random"]\n')
    ran = match("mybot", RANDOM, "--json", "--no-log", cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert ran.json["bots"][0]["name"] == "carla"


C_BOT = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"hello\"")) {
            printf("{\"type\":\"hello\",\"id\":%d,\"protocol\":1,\"name\":\"c\"}\n", atoi(id + 5));
        } else if (strstr(line, "\"type\":\"turn\"")) {
            char *first = strstr(line, "\"legal\":[\"") + 10;
            *strchr(first, '"') = 0;
            printf("{\"type\":\"action\",\"id\":%d,\"action\":\"%s\"}\n", atoi(id + 5), first);
        }
        fflush(stdout);
    }
}
"""


def test_a_bot_in_c_is_built_before_it_plays_and_again_when_its_source_is_newer(tmp_path):
    cc = need("cc")
    place = folder(tmp_path, f'run = ["./bot"]\nbuild = ["{cc}", "-o", "bot", "bot.c"]\n')
    (place / "bot.c").write_text(C_BOT)
    ran = match("mybot", RANDOM, "--json", "--no-log", cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert ran.json["bots"][0]["name"] == "mybot"
    built = (place / "bot").stat().st_mtime_ns
    os.utime(place / "bot.c", (time.time() + 5, time.time() + 5))  # noqa: TID251
    assert match("mybot", RANDOM, "--no-log", cwd=tmp_path).status == 0
    assert (place / "bot").stat().st_mtime_ns > built


def test_a_build_that_fails_is_told_with_its_output(tmp_path):
    cc = need("cc")
    place = folder(tmp_path, f'run = ["./bot"]\nbuild = ["{cc}", "-o", "bot", "bot.c"]\n')
    (place / "bot.c").write_text("int main(void) { return missing; }\n")
    ran = match("mybot", RANDOM, "--no-log", cwd=tmp_path)
    assert (ran.status, ran.out) == (3, "")
    assert ran.err.startswith(f"mybot: '{cc} -o bot bot.c' failed with status 1:\n")
    assert "missing" in ran.err
    assert "Traceback" not in ran.err


def test_a_wrong_key_in_bot_toml_is_named(tmp_path):
    folder(tmp_path, 'rum = ["python3", "bot.py"]\nrun = ["python3", "bot.py"]\n')
    ran = match("mybot", RANDOM, "--no-log", cwd=tmp_path)
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == "mybot/bot.toml: Object contains unknown field `rum`\n"


def test_a_bot_at_fault_makes_the_status_4_and_is_told_in_a_line(tmp_path):
    ran = match(naughty("--exit-on 2"), RANDOM, "--no-log", cwd=tmp_path)
    assert ran.status == 4
    line = r"✗ naughty forfeited game 1 at step \d+ \(exited\): the bot exited with status 0\n"
    assert re.search(line, ran.out)
    assert f"{RANDOM} wins (forfeit)." in ran.out


def test_a_bot_that_cannot_start_is_benched_and_the_match_goes_on(tmp_path):
    arguments = (naughty("--start-exit 1"), RANDOM, "-n", "20", "--json", "--log", "a.jsonl")
    ran = match(*arguments, cwd=tmp_path)
    assert ran.status == 4
    loser, winner = ran.json["bots"]
    assert (loser["losses"], loser["faults"], winner["wins"]) == (20, 20, 20)
    assert loser["ms_median"] is None
    assert {game["reason"] for game in ran.json["games"]} == {"forfeit"}
    assert quick("verify", "a.jsonl", cwd=tmp_path).status == 0
    whys = [
        line["fault"]["why"]
        for line in map(json.loads, read_lines(tmp_path / "a.jsonl"))
        if "fault" in line
    ]
    assert whys[3:] == ["benched after 3 failed starts"] * 17


def test_under_substitute_faults_are_counted_and_forgiven_up_to_a_number(tmp_path):
    common = (naughty("--garbage-on 2"), RANDOM, "--on-fault", "substitute", "--json")
    forgiven = match(*common, "--log", "a.jsonl", cwd=tmp_path)
    assert forgiven.status == 4
    assert forgiven.json["games"][0]["verdicts"] == ["ok", "ok"]
    assert forgiven.json["bots"][0]["faults"] == 1
    strict = match(*common, "--max-faults", "0", "--log", "b.jsonl", cwd=tmp_path)
    assert strict.json["games"][0]["verdicts"] == ["malformed", "ok"]
    assert quick("verify", "a.jsonl", "b.jsonl", cwd=tmp_path).status == 0


def test_without_a_time_limit_a_slow_bot_is_waited_for(tmp_path):
    slow = naughty("--late-on 2 400")
    limited = match(slow, RANDOM, "--move-ms", "100", "--no-log", cwd=tmp_path)
    assert limited.status == 4
    patient = (slow, RANDOM, "--move-ms", "100", "--no-timeout", "--log", "a.jsonl")
    assert match(*patient, cwd=tmp_path).status == 0
    header = json.loads(next(read_lines(tmp_path / "a.jsonl")))
    assert "move_ms" not in header["limits"]
    assert quick("verify", "a.jsonl", cwd=tmp_path).status == 0


def test_the_games_are_logged_with_their_bank(tmp_path):
    bank = ("--game-ms", "5000", "--increment-ms", "10", "--log", "a.jsonl")
    assert match(naughty("--sleep 3"), RANDOM, *bank, cwd=tmp_path).status == 0
    lines = [json.loads(line) for line in read_lines(tmp_path / "a.jsonl")]
    assert lines[0]["limits"]["game_ms"] == 5000
    assert all("clock_ms" in line for line in lines if line["type"] == "act")
    assert quick("verify", "a.jsonl", cwd=tmp_path).status == 0


def processes_with(word: str) -> list[int]:
    """The processes with this word in their command line."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in file.read_bytes():
                found.append(int(file.parent.name))
        except OSError:
            continue
    return found


@contextmanager
def running_match(folder: Path, flags: str, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A long match in a process of its own, once it has played two games."""
    bot = naughty(f"{flags} --pids {folder / 'pids'}")
    arguments = ("-o", "cards=12", bot, RANDOM, "-n", "1000", "--log", "a.jsonl", *more)
    # The bot writes a file of ours.
    arguments += ("--isolation", "posix", "--seed", "1")  # two short games come first
    with subprocess.Popen(
        [CROUPIER, "match", "svoyi-koziri", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while seals(folder / "a.jsonl") < 2:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            yield command
        finally:
            command.kill()


def seals(log: Path) -> int:
    return log.read_bytes().count(b'{"type":"seal"') if log.exists() else 0


def end_of(command: subprocess.Popen[str], folder: Path) -> tuple[str, str]:
    """What the command printed; nothing of its bots is left, and its log is whole."""
    out, err = command.communicate(timeout=PATIENCE_S)
    assert processes_with(str(folder / "pids")) == []
    assert verify(read_lines(folder / "a.jsonl")).games >= 2
    return out, err


def test_the_first_interrupt_lets_the_running_game_end(tmp_path):
    with running_match(tmp_path, "--sleep 10") as command:
        command.send_signal(signal.SIGINT)
        out, err = end_of(command, tmp_path)
    assert command.returncode == 130
    assert "The running game will be finished; Ctrl-C again stops at once.\n" in err
    played = verify(read_lines(tmp_path / "a.jsonl")).games
    assert f"Interrupted. {played} of 1000 games were played and are in the log.\n" in err
    assert out.startswith("naughty vs builtin:random · Svoyi Koziri (cards=12) · ")


@pytest.mark.parametrize("flags", ["", "--ignore-bye --fork-child"])
def test_the_second_interrupt_ends_a_game_that_would_last(tmp_path, flags):
    with running_match(tmp_path, f"--hang-on 60 {flags}", "--move-ms", "600000") as command:
        time.sleep(1)  # now it hangs
        command.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert command.poll() is None
        began = time.monotonic()
        command.send_signal(signal.SIGINT)
        command.wait(PATIENCE_S)
        assert time.monotonic() - began < 2
        _, err = end_of(command, tmp_path)
    assert command.returncode == 130
    assert err.endswith("games were played and are in the log.\n")


def test_a_terminated_match_keeps_its_whole_games(tmp_path):
    with running_match(tmp_path, "--hang-on 60", "--move-ms", "600000") as command:
        command.terminate()
        _, err = end_of(command, tmp_path)
    assert command.returncode == 143
    assert "Interrupted. " in err


@pytest.mark.parametrize("layer", ["posix", "auto"])
def test_a_bot_that_leaves_processes_behind_is_named(tmp_path, layer):
    bots = (naughty("--fork-child", "parent"), RANDOM, "-n", "2", "--restart", "game")
    ran = match(*bots, "--no-log", "--quiet", "--isolation", layer, cwd=tmp_path)
    assert ran.status == 0
    if layer == "posix":  # a sandbox takes its processes with it
        assert ran.err == "warning: parent left 2 processes behind; they were ended\n"


def test_the_peak_of_memory_and_the_computing_time_are_in_log_and_table(tmp_path):
    ran = match(naughty(), RANDOM, "-n", "2", "--log", "a.jsonl", "--json", cwd=tmp_path)
    bot, builtin = ran.json["bots"]
    assert 4 * 1024 < bot["peak_kib"] < 100 * 1024
    assert bot["cpu_ms"] >= 0
    assert (builtin["peak_kib"], builtin["cpu_ms"]) == (None, None)
    lines = [json.loads(line) for line in read_lines(tmp_path / "a.jsonl")]
    usage = [line["usage"] for line in lines if line["type"] == "aside" and "usage" in line]
    assert len(usage) == 2
    assert max(used["peak_kib"] for used in usage) == bot["peak_kib"]
