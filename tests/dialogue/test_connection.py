"""A connection and a scripted bot: questions, answers, deadlines. Time is trio's mock clock."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import trio

from protocol.faults import FaultCode, FloodError, MalformedError, OversizeError, ProtocolError
from protocol.messages import Error, Start, Turn
from referee.channels import ChannelClosedError, Silence, Waits
from referee.connection import Connection, NoStartError, TooSlowError, deadline_seconds
from tests.channels.memory import BotEnd, LeavesError, MemoryChannel, Script

LEGAL = ["take", "play KD"]
START = Start(game="g1", rules="svoyi-koziri", options={}, seat=0, players=["ada", "bob"])


@asynccontextmanager
async def connected(script: Script) -> AsyncIterator[Connection]:
    """A connection to a bot whose hello is still to come."""
    with trio.fail_after(600):
        async with trio.open_nursery() as nursery:
            connection = Connection(MemoryChannel(nursery, script))
            yield connection
            await connection.close("match over")


@asynccontextmanager
async def seated(script: Script) -> AsyncIterator[Connection]:
    """A connection in a game, before the first turn."""

    async def polite(bot: BotEnd) -> None:
        await bot.hello()
        await script(bot)

    async with connected(polite) as connection:
        await connection.greet("croupier 0.1.0", 10)
        connection.tell(START)
        yield connection


def turn(connection: Connection, *, padding: int = 0) -> Turn:
    number = connection.session.next_id()
    state = {"padding": "x" * padding} if padding else {}
    return Turn(id=number, game="g1", seat=0, legal=LEGAL, state=state, events=[])


async def fault_of(connection: Connection, seconds: float = 1) -> Exception:
    with pytest.raises((TooSlowError, ProtocolError, ChannelClosedError)) as caught:
        await connection.ask(turn(connection), seconds)
    return caught.value


async def test_a_bot_is_asked_and_its_answer_is_timed(autojump_clock):
    async def script(bot: BotEnd) -> None:
        asked = await bot.turn()
        assert asked["legal"] == LEGAL
        await trio.sleep(0.3)
        bot.act(asked, "play KD", note="why not")
        await bot.play_on()

    async with seated(script) as connection:
        answer, took = await connection.ask(turn(connection), 1)
        assert (answer.id, answer.action) == (2, "play KD")
        assert took == pytest.approx(0.3)


def stops(connection: Connection) -> list[str]:
    """What was done with the bot, in order, from now on."""
    channel = connection.channel
    assert isinstance(channel, MemoryChannel)
    channel.stops.clear()
    return channel.stops


async def slow(bot: BotEnd) -> None:
    asked = await bot.turn()
    await trio.sleep(0.3)
    bot.act(asked)
    await bot.play_on()


async def garbles(bot: BotEnd) -> None:
    await bot.turn()
    bot.say(b"Hm\n")
    await bot.play_on()


async def leaves(bot: BotEnd) -> None:
    await bot.turn()


@pytest.mark.parametrize("script", [BotEnd.play_on, slow, garbles, leaves, trio.sleep_forever])
async def test_a_bot_runs_from_just_before_it_is_asked_until_it_has_answered(
    autojump_clock, script
):
    async def play(bot: BotEnd) -> None:
        await (script() if script is trio.sleep_forever else script(bot))

    async with seated(play) as connection:
        done = stops(connection)
        with suppress(TooSlowError, ProtocolError, ChannelClosedError):
            await connection.ask(turn(connection), 1)
        assert done == ["resume", "write", "pause"]
        done.clear()
        connection.tell(Error(re=2, code="illegal", message="no", fatal=False))
        assert "resume" not in done  # what wants no answer waits for the next turn


async def test_the_clock_of_a_bot_starts_when_it_runs_again(autojump_clock):
    async with seated(BotEnd.play_on) as connection:
        began: list[float] = []
        connection.channel.resume = lambda: began.append(trio.current_time())  # type: ignore[method-assign]
        await trio.sleep(5)
        _, took = await connection.ask(turn(connection), 1)
        assert (began, took) == ([trio.current_time()], 0)


async def test_a_bot_is_paused_after_its_hello_and_runs_for_the_goodbye(autojump_clock):
    async with connected(BotEnd.play_on) as connection:
        done = stops(connection)
        with pytest.raises(NoStartError):
            await connection.greet("croupier 0.1.0", 1)
        assert done == ["resume", "write", "pause"]


async def test_a_bot_that_may_ponder_is_never_paused(autojump_clock):
    async def polite(bot: BotEnd) -> None:
        await bot.hello()
        await bot.play_on()

    async with trio.open_nursery() as nursery:
        channel = MemoryChannel(nursery, polite)
        connection = Connection(channel, ponder=True)
        await connection.greet("croupier 0.1.0", 10)
        connection.tell(START)
        await connection.ask(turn(connection), 1)
        await connection.close("match over")
        assert "pause" not in channel.stops


async def test_a_silent_bot_is_looked_at_before_it_is_paused(autojump_clock):
    seen = Silence(
        asked_ms=1000,
        cpu_ms=0,
        state="S",
        waits=Waits.STDIN,
        unread=0,
        threads=1,
        program=None,
        language=None,
    )

    def look() -> Silence:
        assert done[-1] != "pause"
        return seen

    async with seated(silent) as connection:
        done = stops(connection)
        connection.channel.silence = look  # type: ignore[method-assign]
        fault = await fault_of(connection)
        assert isinstance(fault, TooSlowError)
        assert fault.silence is seen
        assert done[-1] == "pause"


async def test_half_a_line_is_what_was_heard_however_it_came(autojump_clock):
    async def script(bot: BotEnd) -> None:
        await bot.turn()
        bot.say(b'\n{"type":')
        await trio.sleep(0.1)
        bot.say(b'"act')
        await trio.sleep_forever()

    async with seated(script) as connection:
        assert isinstance(await fault_of(connection), TooSlowError)
        assert connection.heard == b'{"type":"act'


async def test_ids_count_from_the_hello_through_all_turns(autojump_clock):
    async with seated(BotEnd.play_on) as connection:
        answers = [await connection.ask(turn(connection), 1) for _ in range(200)]
        assert [answer.id for answer, _ in answers] == list(range(2, 202))


async def test_a_hello_says_who_the_bot_is(autojump_clock):
    async def script(bot: BotEnd) -> None:
        await bot.hello(version="1.2", games=["cuttle"])
        await bot.play_on()

    async with connected(script) as connection:
        hello = await connection.greet("croupier 0.1.0", 10)
        assert (hello.name, hello.version, hello.games) == ("ada", "1.2", ["cuttle"])


async def silent(bot: BotEnd) -> None:
    await trio.sleep_forever()


async def leaves_at_once(bot: BotEnd) -> None:
    await bot.message()
    raise LeavesError(FaultCode.CRASHED, "the bot exited with status 1")


async def speaks_protocol_2(bot: BotEnd) -> None:
    await bot.hello(protocol=2)
    await bot.play_on()


async def prints_a_banner(bot: BotEnd) -> None:
    bot.say(b"Welcome to ada 1.2!\n")
    await bot.hello()
    await bot.play_on()


async def answers_too_early(bot: BotEnd) -> None:
    await bot.message()
    bot.say({"type": "action", "id": 1, "action": "take"})
    await bot.play_on()


BAD_STARTS = [
    (silent, "no_start", "no hello within 1.5 s"),
    (leaves_at_once, "no_start", "no hello: the bot exited with status 1"),
    (speaks_protocol_2, "protocol", "no proper hello: the bot speaks protocol 2, we speak 1"),
    (prints_a_banner, "no_start", "no proper hello: not JSON: "),
    (answers_too_early, "no_start", "no proper hello: "),
]


@pytest.mark.parametrize(("script", "code", "words"), BAD_STARTS)
async def test_without_a_proper_hello_a_bot_has_not_started(autojump_clock, script, code, words):
    async with connected(script) as connection:
        with pytest.raises(NoStartError) as caught:
            await connection.greet("croupier 0.1.0", 1.5)
        assert caught.value.code == code
        assert str(caught.value).startswith(words)


async def test_no_answer_is_waited_for_until_the_deadline_and_not_longer(autojump_clock):
    async with seated(silent) as connection:
        began = trio.current_time()
        assert isinstance(await fault_of(connection, 1.02), TooSlowError)
        assert trio.current_time() - began == pytest.approx(1.02)


async def test_without_a_limit_a_bot_may_think_for_minutes(autojump_clock):
    async def script(bot: BotEnd) -> None:
        asked = await bot.turn()
        await trio.sleep(300)
        bot.act(asked)
        await bot.play_on()

    async with seated(script) as connection:
        _, took = await connection.ask(turn(connection), math.inf)
        assert took == pytest.approx(300)
    assert deadline_seconds(None) == math.inf


async def test_a_late_answer_is_dropped_and_the_next_one_counts(autojump_clock):
    async def script(bot: BotEnd) -> None:
        late = await bot.turn()
        await trio.sleep(1.4)
        bot.act(late, "take")
        bot.act(await bot.turn(), "play KD")
        await bot.play_on()

    async with seated(script) as connection:
        assert isinstance(await fault_of(connection), TooSlowError)
        answer, _ = await connection.ask(turn(connection), 1)
        assert (answer.id, answer.action) == (3, "play KD")
        assert connection.session.stale == 1


async def drips_bytes(bot: BotEnd) -> None:
    await bot.turn()
    for byte in b'{"type":"action","id":2,"action":"take"}':
        bot.say(bytes([byte]))
        await trio.sleep(0.1)
    bot.say(b"\n")
    await bot.play_on()


async def drips_blank_lines(bot: BotEnd) -> None:
    await bot.turn()
    while True:
        bot.say(b" \n")
        await trio.sleep(0.1)


@pytest.mark.parametrize("script", [drips_bytes, drips_blank_lines])
async def test_a_bot_that_drips_gains_no_time(autojump_clock, script):
    async with seated(script) as connection:
        began = trio.current_time()
        assert isinstance(await fault_of(connection), TooSlowError)
        assert trio.current_time() - began == pytest.approx(1)


async def test_an_answer_that_lies_in_the_pipe_at_the_deadline_was_in_time(autojump_clock):
    async with seated(silent) as connection:
        channel = connection.channel
        assert isinstance(channel, MemoryChannel)
        wait_readable = channel.wait_readable

        async def oversleep() -> None:
            await wait_readable()

        # The answer comes in the very moment in which the wait is given up.
        async def answer_at_the_deadline() -> None:
            try:
                await oversleep()
            finally:
                channel.bot.say({"type": "action", "id": 2, "action": "take"})

        channel.wait_readable = answer_at_the_deadline  # type: ignore[method-assign]
        answer, took = await connection.ask(turn(connection), 1)
        assert answer.action == "take"
        assert took == 1


async def test_a_line_without_its_end_is_no_answer(autojump_clock):
    async def script(bot: BotEnd) -> None:
        await bot.turn()
        bot.say(b'{"type":"action","id":2,"action":"take"}')
        await trio.sleep_forever()

    async with seated(script) as connection:
        assert isinstance(await fault_of(connection), TooSlowError)
        assert connection.session.partial_line == b'{"type":"action","id":2,"action":"take"}'


async def test_a_line_may_come_in_pieces_and_lines_together(autojump_clock):
    async def script(bot: BotEnd) -> None:
        await bot.turn()
        bot.say(b'\r\n{"type":"action","id":2,')
        await trio.sleep(0.1)
        bot.say(b'"action":"take"}\r\n\n \t\n')
        bot.act(await bot.turn(), "play KD")
        await bot.play_on()

    async with seated(script) as connection:
        assert (await connection.ask(turn(connection), 1))[0].action == "take"
        assert (await connection.ask(turn(connection), 1))[0].action == "play KD"


def repeats(times: int) -> Script:
    async def script(bot: BotEnd) -> None:
        first = await bot.turn()
        for _ in range(1 + times):
            bot.act(first)
        await bot.play_on()

    return script


async def test_sixteen_stale_answers_are_dropped(autojump_clock):
    async with seated(repeats(16)) as connection:
        await connection.ask(turn(connection), 1)
        answer, _ = await connection.ask(turn(connection), 1)
        assert answer.id == 3


async def test_the_seventeenth_stale_answer_breaks_the_protocol(autojump_clock):
    async with seated(repeats(17)) as connection:
        await connection.ask(turn(connection), 1)
        fault = await fault_of(connection)
        assert isinstance(fault, ProtocolError)
        assert fault.code is FaultCode.PROTOCOL
        assert str(fault) == "more than 16 stale answers in one game"


def says(data: bytes) -> Script:
    async def script(bot: BotEnd) -> None:
        await bot.turn()
        bot.say(data)
        await bot.play_on()

    return script


BROKEN_ANSWERS = [
    (b"nonsense\n", MalformedError, "malformed"),
    (b'{"type":"action","id":2}\n', MalformedError, "malformed"),
    (b'{"type":"action","id":2,"action":"take","note":"\xff"}\n', MalformedError, "malformed"),
    (b'{"type":"sing","id":2}\n', MalformedError, "malformed"),
    (b'{"type":"action","id":3,"action":"take"}\n', ProtocolError, "protocol"),
    (b"x" * 65_537, OversizeError, "oversize"),
    (b"\n" * 257, FloodError, "flood"),
    ((b" " * 5000 + b"\n") * 210, FloodError, "flood"),
]


@pytest.mark.parametrize(("data", "error", "code"), BROKEN_ANSWERS, ids=range(len(BROKEN_ANSWERS)))
async def test_what_breaks_the_rules_of_the_wire_is_named(autojump_clock, data, error, code):
    async with seated(says(data)) as connection:
        fault = await fault_of(connection)
        assert isinstance(fault, error)
        assert fault.code == code


ALLOWED = [b"x" * 65_400, b"\n" * 255, b"\xef\xbb\xbf"]


@pytest.mark.parametrize("filler", [b'"note":"' + ALLOWED[0] + b'",', b""])
@pytest.mark.parametrize("before", [b"", ALLOWED[1]])
async def test_what_keeps_within_the_limits_is_an_answer(autojump_clock, filler, before):
    line = b'{"type":"action",' + filler + b'"id":2,"action":"take"}\n'
    async with seated(says(before + line)) as connection:
        assert (await connection.ask(turn(connection), 1))[0].action == "take"


async def test_a_byte_order_mark_is_warned_of_once(autojump_clock):
    async def script(bot: BotEnd) -> None:
        bot.say(ALLOWED[2])
        await bot.hello()
        await bot.play_on()

    async with connected(script) as connection:
        await connection.greet("croupier 0.1.0", 1)
        assert connection.take_warnings() == [
            "a byte-order mark at the start of its output was dropped"
        ]
        assert connection.take_warnings() == []


async def test_a_bot_that_leaves_in_mid_turn_is_noticed_at_once(autojump_clock):
    async def script(bot: BotEnd) -> None:
        await bot.turn()
        await trio.sleep(0.2)
        raise LeavesError(FaultCode.CRASHED, "the bot was killed by SIGSEGV")

    async with seated(script) as connection:
        began = trio.current_time()
        fault = await fault_of(connection)
        assert isinstance(fault, ChannelClosedError)
        assert (fault.code, str(fault)) == ("crashed", "the bot was killed by SIGSEGV")
        assert trio.current_time() - began == pytest.approx(0.2)


async def test_a_bot_that_left_between_turns_is_judged_when_it_is_next_asked(autojump_clock):
    async def script(bot: BotEnd) -> None:
        bot.act(await bot.turn())

    async with seated(script) as connection:
        await connection.ask(turn(connection), 1)
        await trio.sleep(5)
        connection.tell(Error(code="illegal", message="said to nobody", fatal=False))
        fault = await fault_of(connection)
        assert isinstance(fault, ChannelClosedError)
        assert fault.code is FaultCode.EXITED


async def test_an_answer_that_was_given_before_leaving_counts(autojump_clock):
    async def script(bot: BotEnd) -> None:
        bot.act(await bot.turn(), "play KD")

    async with seated(script) as connection:
        assert (await connection.ask(turn(connection), 1))[0].action == "play KD"


async def test_a_bot_that_does_not_read_is_waited_for_until_the_deadline(autojump_clock):
    async with seated(silent) as connection:
        began = trio.current_time()
        with pytest.raises(TooSlowError):
            await connection.ask(turn(connection, padding=200_000), 1)
        assert trio.current_time() - began == pytest.approx(1)


async def test_a_long_question_is_written_as_the_bot_reads_and_that_time_counts(autojump_clock):
    async def script(bot: BotEnd) -> None:
        await trio.sleep(0.4)
        bot.act(await bot.turn())
        await bot.play_on()

    async with seated(script) as connection:
        _, took = await connection.ask(turn(connection, padding=200_000), 1)
        assert took == pytest.approx(0.4)


async def test_goodbye_is_said_and_the_bot_may_end_by_itself(autojump_clock):
    heard: list[str] = []

    async def script(bot: BotEnd) -> None:
        try:
            await bot.play_on()
        finally:
            heard.extend(f"{m['type']} {m.get('reason')}" for m in bot.heard)

    async with seated(script):
        pass
    assert heard == ["hello None", "start None", "bye match over"]
