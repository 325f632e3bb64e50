"""What every channel promises, over every kind of channel."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
import trio
import trio.testing

from protocol.faults import FaultCode
from referee.channels import Channel
from referee.channels.local import LocalChannel
from referee.channels.process import ProcessChannel
from tests.channels.memory import BotEnd, LeavesError, MemoryChannel

ECHO = Path(__file__).with_name("echo.py")
PATIENCE_S = 10.0  # a bound for what comes at once on a machine that is not busy
PIPE_BYTES = 64 * 1024

Make: TypeAlias = Callable[[trio.Nursery], Channel]


def echo_function(line: bytes) -> bytes:
    verb, _, rest = line.partition(b" ")
    return rest + b"\n" if verb == b"echo" else b""


async def echo_script(bot: BotEnd) -> None:
    while True:
        verb, _, rest = (await bot.line()).partition(b" ")
        match verb:
            case b"echo":
                bot.say(rest + b"\n")
            case b"stderr":
                bot.complain(rest)
                bot.say(b"said\n")
            case b"hold":
                await trio.sleep(float(rest))
            case b"mute":
                bot.output_ended = True
                bot.change()
            case b"exit" | b"die":
                leave(verb, int(rest))
            case _:
                pass


def leave(how: bytes, number: int) -> None:
    if how == b"die":
        words = f"the bot was killed by {signal.Signals(number).name}"
        raise LeavesError(FaultCode.CRASHED, words)
    code = FaultCode.CRASHED if number else FaultCode.EXITED
    raise LeavesError(code, f"the bot exited with status {number}")


def process(nursery: trio.Nursery) -> Channel:
    return ProcessChannel.start(nursery, [sys.executable, "-I", "-S", str(ECHO)], {})


def local(nursery: trio.Nursery) -> Channel:
    return LocalChannel(echo_function)


def memory(nursery: trio.Nursery) -> Channel:
    return MemoryChannel(nursery, echo_script)


ALL = [process, local, memory]
WITH_A_LIFE_OF_THEIR_OWN = [process, memory]


@asynccontextmanager
async def opened(make: Make) -> AsyncIterator[Channel]:
    with trio.fail_after(3 * PATIENCE_S):
        async with trio.open_nursery() as nursery:
            channel = make(nursery)
            yield channel
            await channel.close(b"")


@pytest.fixture(params=ALL, ids=lambda make: make.__name__)
async def channel(request):
    async with opened(request.param) as opened_channel:
        yield opened_channel


@pytest.fixture(params=WITH_A_LIFE_OF_THEIR_OWN, ids=lambda make: make.__name__)
async def living(request):
    async with opened(request.param) as opened_channel:
        yield opened_channel


async def write_all(channel: Channel, data: bytes) -> None:
    with trio.fail_after(PATIENCE_S):
        while data := data[channel.write(data) :]:
            await channel.wait_writable()


async def read_until(channel: Channel, end: bytes) -> bytes:
    """All that comes up to and with `end`."""
    data = b""
    with trio.fail_after(PATIENCE_S):
        while not data.endswith(end):
            some = channel.read()
            assert some != b""
            if some is None:
                await channel.wait_readable()
            else:
                data += some
    return data


async def read_to_the_end(channel: Channel) -> bytes:
    data = b""
    with trio.fail_after(PATIENCE_S):
        while (some := channel.read()) != b"":
            if some is None:
                await channel.wait_readable()
            else:
                data += some
    return data


def open_descriptors() -> set[str]:
    return {entry.name for entry in Path("/proc/self/fd").iterdir()}


async def hold(channel: Channel, seconds: float) -> None:
    """Makes the bot read nothing for a while, from now on."""
    await write_all(channel, f"echo now\nhold {seconds}\n".encode())
    await read_until(channel, b"now\n")


async def fill(channel: Channel) -> int:
    """Writes until nothing more is taken; how much was."""
    written = 0
    while taken := channel.write(b"x" * (1024 * 1024)):
        written += taken
    return written


async def test_what_is_written_reaches_the_bot_and_what_it_says_can_be_read(channel):
    assert channel.write(b"echo one\n") == len(b"echo one\n")
    assert await read_until(channel, b"\n") == b"one\n"


async def test_bytes_come_in_order_however_they_are_cut(channel):
    for data in (b"echo o", b"ne\necho ", b"two\n"):
        await write_all(channel, data)
    assert await read_until(channel, b"two\n") == b"one\ntwo\n"


async def test_reading_gives_none_while_there_is_nothing(channel):
    assert channel.read() is None
    await write_all(channel, b"echo one\n")
    await read_until(channel, b"\n")
    assert channel.read() is None


async def test_waiting_for_an_answer_ends_when_it_comes(channel):
    woken = trio.Event()

    async def wait() -> None:
        while (data := channel.read()) is None:
            await channel.wait_readable()
        assert data == b"one\n"
        woken.set()

    async with trio.open_nursery() as nursery:
        if not isinstance(channel, LocalChannel):  # which answers at once or never
            nursery.start_soon(wait)
            await trio.testing.wait_all_tasks_blocked(0.01)
            assert not woken.is_set()
            await write_all(channel, b"echo one\n")
        else:
            await write_all(channel, b"echo one\n")
            nursery.start_soon(wait)
        with trio.fail_after(PATIENCE_S):
            await woken.wait()


async def test_waiting_for_an_answer_can_be_cut_short(channel):
    with trio.move_on_after(0.05) as scope:
        await channel.wait_readable()
    assert scope.cancelled_caught
    await write_all(channel, b"echo one\n")
    assert await read_until(channel, b"\n") == b"one\n"


async def test_more_than_a_pipe_holds_comes_through_whole(channel):
    line = b"y" * (3 * PIPE_BYTES) + b"\n"
    async with trio.open_nursery() as nursery:
        if isinstance(channel, LocalChannel):  # it has no pipe to fill
            await write_all(channel, b"echo " + line)
        else:
            nursery.start_soon(write_all, channel, b"echo " + line)
        assert await read_until(channel, b"\n") == line


async def test_a_full_pipe_takes_what_it_has_room_for_and_then_nothing(living):
    await hold(living, 3)
    assert PIPE_BYTES - 4096 <= await fill(living) <= PIPE_BYTES
    assert living.write(b"x") == 0


async def test_waiting_for_room_ends_when_the_bot_reads(living):
    await hold(living, 0.5)
    await fill(living)
    with trio.move_on_after(0.05) as scope:
        await living.wait_writable()
    assert scope.cancelled_caught
    with trio.fail_after(PATIENCE_S):
        await living.wait_writable()
    assert living.write(b"\n") == 1


async def test_a_bot_that_was_paused_and_resumed_goes_on(channel):
    channel.pause()
    channel.pause()
    channel.resume()
    channel.resume()
    await write_all(channel, b"echo one\n")
    assert await read_until(channel, b"\n") == b"one\n"


async def test_what_is_written_to_a_paused_bot_waits_for_it(channel):
    channel.pause()
    await write_all(channel, b"echo one\n")
    channel.resume()
    assert await read_until(channel, b"\n") == b"one\n"


async def test_a_bot_can_be_measured_and_looked_at_at_any_time(channel):
    channel.begin_game()
    await write_all(channel, b"echo one\n")
    await read_until(channel, b"\n")
    is_process = isinstance(channel, ProcessChannel)  # of nothing else anything is known
    for _ in range(2):
        assert (channel.usage() is not None) == is_process
        assert (channel.silence() is not None) == is_process
        channel.pause()
    await channel.close(b"")
    channel.begin_game()
    assert (channel.usage() is not None) == is_process
    assert channel.silence() is None
    assert channel.strays == 0


LEAVINGS = [
    (b"exit 0", FaultCode.EXITED, "the bot exited with status 0"),
    (b"exit 3", FaultCode.CRASHED, "the bot exited with status 3"),
    (b"die 11", FaultCode.CRASHED, "the bot was killed by SIGSEGV"),
    (b"die 9", FaultCode.CRASHED, "the bot was killed by SIGKILL"),
]


@pytest.mark.parametrize(("how", "code", "words"), LEAVINGS)
async def test_a_bot_that_has_gone_leaves_its_last_words_an_end_and_the_reason(
    living, how, code, words
):
    await write_all(living, b"echo last\n" + how + b"\n")
    assert await read_to_the_end(living) == b"last\n"
    assert living.read() == b""
    ending = await living.ending()
    assert (ending.code, str(ending)) == (code, words)


async def test_writing_to_a_bot_that_has_gone_breaks_the_pipe(living):
    await write_all(living, b"exit 0\n")
    await read_to_the_end(living)
    await living.ending()
    with pytest.raises(BrokenPipeError):
        living.write(b"echo one\n")


async def test_a_bot_that_lives_on_without_output_has_closed_it(living):
    await write_all(living, b"mute\nhold 5\n")
    assert await read_to_the_end(living) == b""
    began = trio.current_time()
    ending = await living.ending()
    assert ending.code is FaultCode.CLOSED
    assert trio.current_time() - began < PATIENCE_S


async def test_what_was_said_on_stderr_can_be_taken_once(living):
    await write_all(living, b"stderr alas\n")
    await read_until(living, b"said\n")
    assert living.take_stderr() == (b"alas", 4)
    assert living.take_stderr() == (b"", 0)


async def test_of_a_long_stderr_the_beginning_and_the_end_are_kept_and_all_is_counted(living):
    await write_all(living, b"stderr " + b"a" * 20_000 + b"z" * 20_000 + b"\n")
    await read_until(living, b"said\n")
    kept, size = living.take_stderr()
    assert size == 40_000
    assert kept == b"a" * 8192 + b"\n[23616 bytes left out]\n" + b"z" * 8192


async def test_nothing_is_on_stderr_unless_something_was_said(channel):
    assert channel.take_stderr() == (b"", 0)


async def test_closing_twice_is_fine(channel):
    await channel.close(b"echo bye\n")
    await channel.close(b"echo bye\n")


async def test_stderr_can_still_be_taken_after_closing(living):
    await write_all(living, b"stderr alas\n")
    await read_until(living, b"said\n")
    await living.close(b"")
    assert living.take_stderr() == (b"alas", 4)


async def test_closing_a_bot_that_has_gone_is_fine(living):
    await write_all(living, b"exit 0\n")
    await read_to_the_end(living)
    await living.close(b"echo bye\n")


async def test_closing_a_bot_that_reads_nothing_is_bounded(living):
    await hold(living, 60)
    await fill(living)
    began = trio.current_time()
    await living.close(b"echo bye\n")
    assert trio.current_time() - began < 5


async def test_closing_is_not_stopped_by_a_cancellation(living):
    await hold(living, 60)
    with trio.CancelScope() as scope:
        scope.cancel()
        await living.close(b"")
    if isinstance(living, ProcessChannel):
        with pytest.raises(ProcessLookupError):
            os.kill(living.pid, 0)


@pytest.mark.parametrize("order", [b"exit 0", b"hold 60"])
async def test_a_closed_process_leaves_no_process_no_descriptor_and_no_folder(order, tmp_path):
    before = open_descriptors()
    async with opened(process) as channel:
        assert isinstance(channel, ProcessChannel)
        home = trio.Path(await trio.Path(f"/proc/{channel.pid}/cwd").readlink())
        assert await home.is_dir()
        await write_all(channel, order + b"\n")
        await channel.close(b"")
        assert not await trio.Path(f"/proc/{channel.pid}").exists()
        assert not await home.exists()
    assert open_descriptors() == before


@pytest.mark.parametrize("make", ALL)
async def test_the_farewell_reaches_the_bot_before_the_end(make, tmp_path):
    heard: list[bytes] = []

    async def script(bot: BotEnd) -> None:
        while True:
            heard.append(await bot.line())

    def function(line: bytes) -> bytes:
        heard.append(line)
        return b""

    async with trio.open_nursery() as nursery:
        channel: Channel
        said = tmp_path / "said"
        if make is process:
            command = ["/bin/sh", "-c", f"cat > {said}"]
            channel = ProcessChannel.start(nursery, command, {})
        else:
            channel = LocalChannel(function) if make is local else MemoryChannel(nursery, script)
        await channel.close(b"bye\n")
        if make is process:
            heard += said.read_bytes().splitlines()
    assert heard == [b"bye"]


async def test_a_built_in_bot_that_was_dismissed_is_gone():
    channel = LocalChannel(echo_function)
    await channel.close(b"")
    assert channel.read() == b""
    with pytest.raises(BrokenPipeError):
        channel.write(b"echo one\n")
    assert (await channel.ending()).code is FaultCode.EXITED
