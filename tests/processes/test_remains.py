"""What a bot finds when it starts, and what is left when it has gone: nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from referee.logbook import Logbook, read_lines
from referee.replay import verify
from referee.series import play_series
from tests.processes.playing import (
    BOTS,
    RANDOM,
    children,
    folders,
    is_alive,
    members,
    naughty,
    plan_of,
    play_match,
    started,
)

ROOT = Path(__file__).parents[2]
ALLOWED = {
    *("PATH", "LANG", "TZ", "HOME", "TMPDIR", "PYTHONUNBUFFERED", "PYTHONHASHSEED"),
    "CROUPIER_BOT",
    # What the shell and Python's own start-up put there.
    *("PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"),
}


@pytest.fixture
def log(tmp_path):
    return tmp_path / "match.jsonl"


@pytest.fixture
def pids(tmp_path):
    return tmp_path / "pids"


REMAINS = ["", "--fork-child", "--ignore-bye", "--fork-child --exit-on 3", "--crash-on 2"]


@pytest.mark.parametrize("flags", REMAINS)
async def test_after_a_match_nothing_of_a_bot_is_left(log, pids, flags):
    await play_match(log, naughty(f"{flags} --pids {pids}"), RANDOM, games=2)
    assert started(pids)
    for pid, folder in started(pids):
        assert members(pid) == []
        assert not folder.exists()


async def test_after_every_game_of_a_match_with_restarts_nothing_of_a_bot_is_left(log, pids):
    alive: list[int] = []

    def count(_: object) -> None:
        alive.append(sum(len(members(pid)) for pid, _ in started(pids)))

    plan = plan_of(naughty(f"--fork-child --pids {pids}"), RANDOM, games=3, restart="game")
    await play_series(plan, Logbook(log), count)
    assert alive == [0, 0, 0]


async def test_a_cancelled_match_leaves_its_whole_games_and_nothing_of_its_bots(log, pids):
    before = folders(), children()
    played = trio.Event()

    async def play() -> None:
        bot = naughty(f"--sleep 5 --fork-child --pids {pids}")
        plan = plan_of(bot, naughty(f"--hang-on 9 --pids {pids}", "b"), games=50)
        await play_series(plan, Logbook(log), lambda _: played.set())

    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            await played.wait()
            await trio.sleep(0.1)
            nursery.cancel_scope.cancel()
    assert (folders(), children()) == before
    assert [members(pid) for pid, _ in started(pids)] == [[]] * len(started(pids))
    assert verify(read_lines(log)).games >= 1


async def test_an_exception_in_mid_match_leaves_its_whole_games_and_nothing_of_its_bots(log, pids):
    before = folders(), children()

    def fail(_: object) -> None:
        raise ZeroDivisionError

    plan = plan_of(naughty(f"--fork-child --pids {pids}"), RANDOM, games=3)
    with pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
        await play_series(plan, Logbook(log), fail)
    assert (folders(), children()) == before
    assert not any(is_alive(pid) for pid, _ in started(pids))
    assert verify(read_lines(log)).games == 1


async def test_a_match_that_is_cancelled_while_a_bot_starts_leaves_nothing(log, pids):
    before = folders(), children()
    with trio.move_on_after(0.5):
        bot = naughty(f"--never-hello --pids {pids}")
        await play_series(plan_of(bot, RANDOM), Logbook(log), lambda _: None)
    assert (folders(), children()) == before
    assert not log.exists()


async def facts(log, monkeypatch, seed=7, name="naughty"):
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    # -I would ignore PYTHONHASHSEED.
    bot = f"{name}={sys.executable} {BOTS / 'naughty.py'} --environ"
    match = await play_match(log, bot, RANDOM, seed=seed)
    return json.loads(match.stderr_of(0).splitlines()[0])


async def test_a_bot_sees_of_our_environment_only_what_is_on_the_list(log, monkeypatch):
    seen = await facts(log, monkeypatch)
    assert set(seen["env"]) <= ALLOWED
    assert {"PATH", "LANG", "TZ", "HOME", "TMPDIR", "PYTHONUNBUFFERED"} <= set(seen["env"])
    assert (seen["env"]["LANG"], seen["env"]["TZ"]) == ("C.UTF-8", "UTC")


async def test_a_bot_runs_in_an_empty_private_folder_that_is_its_home(log, monkeypatch):
    seen = await facts(log, monkeypatch)
    assert Path(seen["cwd"]).name.startswith("croupier-bot-")
    assert seen["cwd"] == seen["env"]["HOME"] == seen["env"]["TMPDIR"]
    assert (seen["mode"], seen["files"], seen["umask"]) == (0o700, [], 0o077)


async def test_a_bot_holds_no_descriptor_but_its_three(log, monkeypatch):
    seen = await facts(log, monkeypatch)
    assert seen["descriptors"][:3] == [0, 1, 2]
    assert len(seen["descriptors"]) == 4  # and the one with which it looked


async def test_the_hashes_of_a_bot_repeat_with_the_seed_and_differ_with_another(
    tmp_path, monkeypatch
):
    hashes = [
        (await facts(tmp_path / str(number), monkeypatch, seed=seed))["hash"]
        for number, seed in enumerate((7, 7, 8))
    ]
    assert hashes[0] == hashes[1] != hashes[2]


MEASURE = """
import sys
from pathlib import Path
from referee.cli.run import run

status = run(sys.argv[1:])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(status, peak.split()[1], file=sys.stderr)
"""


def peak_kib(flags: str, status: int, tmp_path: Path) -> int:
    """The most memory that a referee used in a match with this bot."""
    arguments = ["match", "svoyi-koziri", naughty(flags), RANDOM, "-n", "4", "--no-log", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    got, peak = done.stderr.split()
    assert int(got) == status
    return int(peak)


def test_a_line_of_ten_megabytes_does_not_fill_the_memory_of_the_referee(tmp_path):
    honest = peak_kib("", 0, tmp_path)
    assert peak_kib("--long-line-on 2", 4, tmp_path) - honest < 40 * 1024


def test_a_flood_on_stderr_does_not_fill_the_memory_of_the_referee(tmp_path):
    honest = peak_kib("", 0, tmp_path)
    assert peak_kib("--stderr 1000000", 0, tmp_path) - honest < 40 * 1024


def long_run(games: int, tmp_path: Path) -> None:
    """Games against the worst offenders, in one process: it holds afterwards what it held before."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.processes.long_run", str(games)],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    seen = json.loads(done.stdout)
    assert len(seen["verdicts"]) == games
    assert seen["after"] == seen["before"]
    assert seen["before"]["children"] == 0
    assert seen["used_kib"] < 64 * 1024


def test_games_against_the_worst_offenders_leave_nothing_and_fill_no_memory(tmp_path):
    long_run(20, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_hundreds_of_games_against_the_worst_offenders_leave_nothing_and_fill_no_memory(tmp_path):
    long_run(300, tmp_path)
