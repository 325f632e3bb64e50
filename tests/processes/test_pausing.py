"""A bot that is paused does nothing, and one that is resumed goes on."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from protocol.messages import Start, Turn
from referee.channels import procfs
from referee.channels.process import ProcessChannel
from referee.connection import Connection, TooSlowError
from tests.processes.acting import acting, cpu_ms, living, order, state
from tests.processes.playing import BOTS

IDLE_S = 0.3
START = Start(game="g1", rules="svoyi-koziri", options={}, seat=0, players=["ada", "bob"], seed=1)


async def spent_ms(channel: ProcessChannel) -> float:
    """What the bot computes in a while."""
    before = cpu_ms(channel)
    await trio.sleep(IDLE_S)
    return cpu_ms(channel) - before


async def test_a_paused_bot_computes_nothing_and_a_resumed_one_goes_on():
    async with acting() as channel:
        await order(channel, "burn")
        assert await spent_ms(channel) > 30
        channel.pause()
        assert await spent_ms(channel) < 5
        channel.resume()
        assert await spent_ms(channel) > 30


@pytest.mark.parametrize("how", ["burn", "burn-session"])
async def test_children_are_paused_with_the_bot_when_they_are_known(how):
    async with acting() as channel:
        await order(channel, f"child {how}")
        await trio.sleep(0.6)  # two looks
        channel.pause()
        await trio.sleep(0.02)
        assert {state(pid) for pid in living(channel)} == {"T"}
        channel.resume()
        await trio.sleep(0.02)
        assert "T" not in {state(pid) for pid in living(channel)}


async def test_pausing_and_resuming_neither_raise_nor_wait_whatever_became_of_the_bot():
    async with acting() as channel:
        channel.write(b"exit\n")
        await trio.sleep(0.2)
        channel.pause()
        channel.resume()
        await channel.close(b"")
        channel.pause()
        channel.resume()


async def test_a_bot_that_is_closed_while_it_is_paused_hears_the_farewell(tmp_path):
    said = tmp_path / "said"
    async with acting(["/bin/sh", "-c", f"cat > {said}"]) as channel:
        channel.pause()
        began = trio.current_time()
        await channel.close(b"bye\n")
        assert trio.current_time() - began < 0.45
    assert said.read_bytes() == b"bye\n"


@asynccontextmanager
async def seated(bot: str, *, ponder: bool = False) -> AsyncIterator[Connection]:
    """A hostile bot in a game."""
    async with acting([sys.executable, str(BOTS / "hostile" / bot)]) as channel:
        connection = Connection(channel, ponder=ponder)
        await connection.greet("croupier 0.1.0", 10)
        connection.tell(START)
        yield connection
        await connection.close("match over")


async def ask(connection: Connection, seconds: float = 5) -> float:
    turn = Turn(
        id=connection.session.next_id(), game="g1", seat=0, legal=["take"], state={}, events=[]
    )
    _, took = await connection.ask(turn, seconds)
    return took


@pytest.mark.parametrize(("ponder", "least", "most"), [(False, 0, 5), (True, 30, 1000)])
async def test_a_bot_thinks_in_the_opponents_time_only_if_it_may(ponder, least, most):
    async with seated("12_thinks_in_opponents_time.py", ponder=ponder) as connection:
        channel = connection.channel
        assert isinstance(channel, ProcessChannel)
        assert least <= await spent_ms(channel) <= most  # after the hello, too
        for _ in range(3):
            await ask(connection)
            assert least <= await spent_ms(channel) <= most


async def test_a_bot_that_stops_itself_is_too_slow():
    async with seated("26_stops_itself.py") as connection:
        await ask(connection)
        with pytest.raises(TooSlowError) as caught:
            await ask(connection, 0.3)
        assert caught.value.silence
        assert caught.value.silence.state == "T"


async def test_a_bot_that_was_stopped_by_others_is_woken_by_its_next_turn():
    async with seated("00_good.py") as connection:
        channel = connection.channel
        assert isinstance(channel, ProcessChannel)
        os.kill(channel.pid, signal.SIGSTOP)
        assert await ask(connection) < 1


async def test_a_process_that_took_over_a_number_is_not_signalled():
    async with acting() as channel:
        stat = procfs.stat(channel.pid)
        assert stat
        assert not procfs.send(stat.process._replace(started=stat.started + 1), signal.SIGSTOP)
        assert procfs.send(stat.process, signal.SIGSTOP)
        await trio.sleep(0.02)
        assert state(channel.pid) == "T"
