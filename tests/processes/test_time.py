"""How long real processes may take, and how soon it is noticed that they took longer."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
import trio

from protocol.faults import FaultCode
from protocol.messages import Start, Turn
from referee.channels import ChannelClosedError
from referee.channels.process import ProcessChannel
from referee.clock import Clock
from referee.connection import Connection, TooSlowError
from referee.games.svoyi_koziri import Options
from tests.processes.playing import BOTS, RANDOM, children, folders, naughty, play_match

NOTICED_S = 0.25  # after the deadline, as promised
START = Start(game="g1", rules="svoyi-koziri", options={}, seat=0, players=["ada", "bob"], seed=1)


@asynccontextmanager
async def seated(*flags: str) -> AsyncIterator[Connection]:
    """A naughty bot in a game, before its first turn."""
    command = [sys.executable, "-I", str(BOTS / "naughty.py"), *flags]
    async with trio.open_nursery() as nursery:
        connection = Connection(ProcessChannel.start(nursery, command, {}))
        await connection.greet("croupier 0.1.0", 10)
        connection.tell(START)
        yield connection
        await connection.close("match over")


def turn(connection: Connection) -> Turn:
    number = connection.session.next_id()
    return Turn(id=number, game="g1", seat=0, legal=["take"], state={}, events=[])


SILENT = [
    ["--hang-on", "1"],
    ["--drip", "bytes"],
    ["--drip", "lines"],
]


@pytest.mark.parametrize("flags", SILENT, ids=" ".join)
async def test_time_is_over_at_the_deadline_whatever_a_bot_drips(flags):
    clock = Clock(move_ms=200)
    assert clock.deadline_ms == 220
    async with seated(*flags) as connection:
        began = trio.current_time()
        with pytest.raises(TooSlowError):
            await connection.ask(turn(connection), 0.22)
        assert 0.22 <= trio.current_time() - began < 0.22 + NOTICED_S


ENDINGS = [
    (["--exit-on", "1"], FaultCode.EXITED),
    (["--fail-on", "1"], FaultCode.CRASHED),
    (["--crash-on", "1"], FaultCode.CRASHED),
    (["--close-stdout-on", "1"], FaultCode.CLOSED),
    # A child holds the pipes open: there is no end of file.
    (["--exit-on", "1", "--fork-child"], FaultCode.EXITED),
    (["--crash-on", "1", "--fork-child"], FaultCode.CRASHED),
]


@pytest.mark.parametrize(("flags", "code"), ENDINGS)
async def test_the_end_of_a_bot_is_noticed_within_half_a_second(flags, code):
    async with seated(*flags) as connection:
        began = trio.current_time()
        with pytest.raises(ChannelClosedError) as caught:
            await connection.ask(turn(connection), 20)
        assert trio.current_time() - began < 0.5
        assert caught.value.code is code


async def test_after_a_hang_the_next_game_starts_within_a_second(tmp_path):
    match = await play_match(
        tmp_path / "log", naughty("--hang-on 3", "hangs"), naughty("--clock"), games=3
    )
    assert all("timeout" in verdicts for verdicts in match.verdicts)
    # Seats are exchanged: what the other bot said on stderr is found by its words.
    said = "".join(aside["stderr"] for aside in match.asides("stderr"))
    marks = [line.split() for line in said.splitlines()]
    assert [word for word, _ in marks][:3] == ["start", "end", "start"]
    gaps = [
        float(now) - float(before) for (word, before), (_, now) in pairwise(marks) if word == "end"
    ]
    assert len(gaps) >= 2
    assert max(gaps) < 1


async def test_a_bot_that_ignores_the_goodbye_is_ended_after_half_a_second():
    async with seated("--ignore-bye") as connection:
        began = trio.current_time()
        await connection.close("match over")
        assert 0.5 <= trio.current_time() - began < 1.5


async def test_a_bot_that_leaves_by_itself_is_not_waited_for():
    async with seated() as connection:
        began = trio.current_time()
        await connection.close("match over")
        assert trio.current_time() - began < 0.45


async def test_a_bot_that_holds_back_its_exit_behind_a_child_is_not_waited_for_for_ever():
    before = children()
    async with seated("--fork-child") as connection:
        await connection.close("match over")
        assert children() == before


async def test_a_game_of_more_than_twelve_seconds_kills_nobody(tmp_path):
    # A death signal that is tied to the thread that forked would end the bots after 10 seconds.
    options = Options(cards=52, take="free", repetition=0, max_plies=210)
    match = await play_match(
        tmp_path / "log",
        naughty("--sleep 60 --pick random", "ada"),
        naughty("--sleep 60 --pick random", "bob"),
        options=options,
    )
    assert match.verdicts == [("ok", "ok")]
    assert match.counted[0].outcome
    assert match.counted[0].outcome.reason == "ply_limit"
    assert match.seconds > 12


async def test_a_flood_on_stderr_neither_blocks_nor_fills_the_log(tmp_path):
    match = await play_match(
        tmp_path / "log",
        naughty("--stderr 20000000"),
        RANDOM,
        options=Options(cards=8),
        clock=Clock(move_ms=5000),
    )
    assert match.verdicts == [("ok", "ok")]
    assert match.asides("stderr")[0]["stderr_bytes"] > 8 * 1024
    counted = sum(aside["stderr_bytes"] for aside in match.asides("stderr_bytes"))
    turns = len(match.counted[0].seconds[0])
    assert counted >= 20_000_000 * (turns - 1)
    assert (tmp_path / "log").stat().st_size < 100_000


async def test_nothing_is_left_while_a_bot_is_started_and_dismissed_many_times(tmp_path):
    before = folders()
    match = await play_match(tmp_path / "log", naughty(), RANDOM, games=6, restart="game")
    assert match.verdicts == [("ok", "ok")] * 6
    assert folders() == before
