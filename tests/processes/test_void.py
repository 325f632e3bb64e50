"""Games that are nobody's fault: void, played again, and never for ever."""

import errno
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import trio

from referee.channels.process import ProcessChannel
from referee.clock import Clock
from referee.games.svoyi_koziri import SvoyiKoziri
from referee.logbook import Logbook, read_lines
from referee.replay import verify
from referee.results import GameResult
from referee.series import SeriesError, play_series
from tests.processes.playing import RANDOM, naughty, plan_of


class Heard:
    """What a series tells."""

    def __init__(self) -> None:
        self.results: list[GameResult] = []
        self.trouble: list[str] = []

    async def play(self, path: Path | None, *bots: str, **more: Any) -> None:
        plan = plan_of(*bots, **more)
        with trio.fail_after(30):
            await play_series(
                plan, Logbook(path), self.results.append, on_trouble=self.trouble.append
            )


async def hold_up(seconds: float) -> None:
    """Holds up the loop, time and again."""
    while True:
        time.sleep(seconds)  # noqa: ASYNC251
        await trio.sleep(0.005)


async def test_a_time_out_while_the_referee_is_late_is_void_twice_and_counts_the_third_time(
    tmp_path,
):
    heard, log = Heard(), tmp_path / "a.jsonl"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hold_up, 0.08)
        clock = Clock(move_ms=200, margin_ms=20)
        await heard.play(log, naughty("--hang-on 2"), RANDOM, clock=clock)
        nursery.cancel_scope.cancel()
    assert [result.outcome is None for result in heard.results] == [True, True, False]
    assert [result.again for result in heard.results] == [None, 1, 2]
    assert "late when a bot's time ran out" in heard.results[0].void
    assert heard.results[2].verdicts[0] == "timeout"
    assert len({tuple(result.actions) for result in heard.results}) == 1
    assert verify(read_lines(log)).games == 3
    assert b'"game":2,"again":1,' in b"".join(read_lines(log))


async def test_an_answer_in_time_counts_while_the_referee_is_late_and_is_suspect(tmp_path):
    heard, log = Heard(), tmp_path / "a.jsonl"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hold_up, 0.08)
        await heard.play(log, naughty("--sleep 30"), RANDOM, clock=Clock(move_ms=5000))
        nursery.cancel_scope.cancel()
    assert heard.results[0].verdicts == ("ok", "ok")
    assert b'"suspect":true' in b"".join(read_lines(log))
    assert verify(read_lines(log)).games == 1


async def test_without_a_process_for_a_bot_the_series_waits(monkeypatch):
    start, failures = ProcessChannel.start, iter([errno.EAGAIN, errno.EMFILE])

    def starting(*arguments: Any) -> Any:
        if (number := next(failures, None)) is not None:
            raise OSError(number, os.strerror(number))
        return start(*arguments)

    monkeypatch.setattr(ProcessChannel, "start", starting)
    heard = Heard()
    await heard.play(None, naughty(), RANDOM)
    assert [result.verdicts for result in heard.results] == [("ok", "ok")]
    assert heard.trouble == [
        "there is no process for naughty: Resource temporarily unavailable; trying again in 0.1 s",
        "there is no process for naughty: Too many open files; trying again in 0.5 s",
    ]


async def test_without_any_process_for_a_bot_the_series_gives_up_in_words(tmp_path, monkeypatch):
    def starting(*_: Any) -> Any:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(ProcessChannel, "start", starting)
    monkeypatch.setattr("referee.series.SPAWN_AGAIN_SECONDS", (0.01,))
    heard, log = Heard(), tmp_path / "a.jsonl"
    with pytest.RaisesGroup(pytest.RaisesExc(SeriesError, match="no process for naughty")):
        await heard.play(log, naughty(), RANDOM)
    assert [result.outcome for result in heard.results] == [None] * 3
    assert verify(read_lines(log)).games == 3


class Broken(SvoyiKoziri):
    """Rules with a defect in the sixth step."""

    def play(self, state: Any, action: str) -> Any:
        if state.plies == 5:
            raise ZeroDivisionError
        return super().play(state, action)


async def test_an_error_in_the_rules_is_no_bot_s_fault_and_its_traceback_is_in_the_log(tmp_path):
    heard, log = Heard(), tmp_path / "a.jsonl"
    with pytest.RaisesGroup(pytest.RaisesExc(SeriesError, match="error in the rules of svoyi")):
        await heard.play(log, naughty(), RANDOM, game=Broken())
    assert [result.outcome for result in heard.results] == [None] * 3
    assert b"ZeroDivisionError" in b"".join(read_lines(log))


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
from referee.cli.run import run
sys.exit(run(sys.argv[1:]))
"""


def test_a_full_disk_holds_the_match_until_there_is_room_and_loses_nothing(tmp_path):
    log = tmp_path / "a.jsonl"
    arguments = ("match", "svoyi-koziri", RANDOM, RANDOM, "-n", "40", "-o", "cards=8", "--quiet")
    with subprocess.Popen(
        [sys.executable, "-c", FULL.format(limit=20_000), *arguments, "--log", str(log)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as command:
        try:
            assert command.stderr
            waits = "File too large; the next game waits until there is room\n"
            assert command.stderr.readline() == f"cannot write log {log}: {waits}"
            assert 1_000 < log.stat().st_size < 20_000
            assert log.read_bytes().endswith(b"\n")
            resource.prlimit(command.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            assert command.wait(timeout=30) == 0
        finally:
            command.kill()
    assert verify(read_lines(log)).games == 40
