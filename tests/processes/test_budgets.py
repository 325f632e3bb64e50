"""What a bot uses is measured, and too much of it ends the bot."""

from contextlib import suppress

import pytest
import trio

from protocol.faults import FaultCode
from referee.channels import Usage, procfs
from referee.channels.process import ProcessChannel
from referee.channels.watch import Budget
from tests.processes.acting import acting, end_of, living, order

MIB = 1024  # KiB
OVERSHOOT_MIB = 96  # three steps of 32 MiB, on a machine that is busy


async def breach(channel: ProcessChannel, line: str) -> tuple[FaultCode, str]:
    """How the bot ends that is told to do this."""
    channel.write(line.encode() + b"\n")
    ending = await end_of(channel)
    return ending.code, str(ending)


def figure(words: str) -> int:
    """The measured figure in the words of a breach."""
    return int(words.split()[1].replace(",", ""))


async def test_a_bot_that_takes_too_much_memory_is_ended_and_told_how_much():
    async with acting(budget=Budget(memory_mb=256)) as channel:
        code, words = await breach(channel, "take 20000")
        assert code is FaultCode.MEMORY
        assert words == f"used {figure(words):,} MiB; memory-mb allows 256"
        assert 256 < figure(words) < 256 + OVERSHOOT_MIB
        usage = channel.usage()
        assert usage
        assert figure(words) - 1 <= usage.peak_kib // MIB < 256 + OVERSHOOT_MIB


async def test_the_words_of_a_breach_have_thousands():
    async with acting(budget=Budget(memory_mb=1024)) as channel:
        _, words = await breach(channel, "take 20000")
        assert words == f"used {figure(words):,} MiB; memory-mb allows 1,024"


async def test_the_memory_of_children_counts():
    async with acting(budget=Budget(memory_mb=256)) as channel:
        await order(channel, "child hog-90")
        await trio.sleep(0.4)
        code, words = await breach(channel, "child hog-90 3")
        assert code is FaultCode.MEMORY
        assert 256 < figure(words) < 256 + 2 * OVERSHOOT_MIB


async def test_pages_that_children_share_with_the_bot_count_once():
    async with acting(budget=Budget(memory_mb=300)) as channel:
        await order(channel, "take 150")
        await order(channel, "child quiet 10")  # 1,500 MiB, if all were added up
        await trio.sleep(1)
        await order(channel, "echo")
        members = living(channel)
        assert len(members) == 11
        assert sum(procfs.rss_kib(pid) or 0 for pid in members) > 1500 * MIB


async def test_memory_between_the_turns_of_a_bot_that_answers_at_once_counts():
    async with acting(budget=Budget(memory_mb=256)) as channel:
        taken = 0
        with suppress(BrokenPipeError):
            while taken < 2000:
                taken += 8
                channel.resume()
                channel.write(b"take 8\n")
                while channel.read() is None:  # nobody else gets to look meanwhile
                    pass
                channel.pause()
                await trio.sleep(0.04)
        assert (await channel.ending()).code is FaultCode.MEMORY
        assert taken <= 256 + 16


@pytest.mark.parametrize("how", ["quiet", "session"])
async def test_a_bot_with_too_many_processes_is_ended_with_all_of_them(how):
    async with acting(budget=Budget(processes=8)) as channel:
        await order(channel, f"child {how} 7")
        await trio.sleep(0.6)
        await order(channel, "echo")
        code, words = await breach(channel, f"child {how} 20")
        assert code is FaultCode.PROCESSES
        assert 8 < figure(words) <= 28
        assert words == f"had {figure(words)} processes; processes allows 8"


async def test_orphans_of_a_bot_count_as_its_processes():
    async with acting(budget=Budget(processes=8)) as channel:
        await order(channel, "child orphan-session 9")
        assert (await end_of(channel)).code is FaultCode.PROCESSES


async def test_without_a_budget_nothing_is_ended():
    async with acting(budget=Budget(memory_mb=None, processes=None)) as channel:
        await order(channel, "child quiet 70")
        await order(channel, "take 1100")
        await trio.sleep(0.4)
        await order(channel, "echo")


async def test_a_game_has_its_own_peak_and_its_own_computing_time():
    async with acting() as channel:
        channel.begin_game()
        await order(channel, "take 100")
        await order(channel, "spend 200")
        await order(channel, "drop")
        first = channel.usage()
        channel.begin_game()
        await order(channel, "echo")
        second = channel.usage()
    assert first
    assert second
    assert 100 * MIB < first.peak_kib < 140 * MIB
    assert 200 <= first.cpu_ms < 1000
    assert second.peak_kib < 60 * MIB
    assert second.cpu_ms < 50


async def test_children_compute_for_their_bot_while_they_live_and_when_they_were_waited_for():
    async with acting() as channel:
        channel.begin_game()
        await order(channel, "run spend")
        usage = channel.usage()
        assert usage
        assert 90 <= usage.cpu_ms < 1000
        channel.begin_game()
        await order(channel, "child burn")
        await trio.sleep(0.4)
        usage = channel.usage()
        assert usage
        assert 100 < usage.cpu_ms < 1000


@pytest.mark.parametrize("closed", [False, True])
async def test_the_usage_of_a_bot_that_has_gone_is_what_was_seen_of_it(closed):
    async with acting() as channel:
        channel.begin_game()
        await order(channel, "take 100")
        await order(channel, "spend 100")
        await trio.sleep(0.3)
        channel.write(b"exit\n")
        await end_of(channel)
        if closed:
            await channel.close(b"")
        usage = channel.usage()
        assert usage
        assert 100 * MIB < usage.peak_kib < 140 * MIB
        assert 100 <= usage.cpu_ms < 1000


async def test_a_bot_that_is_killed_at_the_end_has_its_usage_still():
    async with acting() as channel:
        await order(channel, "take 50")
        await channel.close(b"")
        before = channel.usage()
        assert before
        assert before.peak_kib > 50 * MIB
        assert before == channel.usage() == Usage(before.peak_kib, before.cpu_ms)
