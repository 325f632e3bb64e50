"""What a bot leaves behind is found wherever it hides, ended and buried; nobody else is touched."""

import subprocess
import sys
from pathlib import Path

import pytest
import trio

from referee.channels import procfs, sweep
from referee.channels.process import ProcessChannel
from referee.channels.tree import Tree
from tests.processes.acting import acting, bury_orphans, living, marked, order, state
from tests.processes.playing import children, folders

# what the bot does, how many processes of it are there, how many of them are strays in the end
REMAINS = [
    ("echo", 1, 0),
    ("child quiet", 2, 1),
    ("child session 3", 4, 3),
    ("child orphan", 2, 1),
    ("child orphan-session", 2, 1),
    ("child orphan-session 40", 41, 40),
]


@pytest.mark.parametrize(("line", "alive", "strays"), REMAINS)
async def test_nothing_of_a_bot_is_left_and_what_it_left_is_counted(line, alive, strays):
    before = children()
    async with acting() as channel:
        await order(channel, line)
        members = living(channel)
        assert len(members) == alive
        began = trio.current_time()
        await channel.close(b"")
        assert trio.current_time() - began < 1.5
        assert [pid for pid in members if procfs.stat(pid)] == []
        assert channel.strays == strays
    assert children() == before


async def test_an_orphan_without_any_mark_is_the_only_bots():
    async with acting() as channel:
        await order(channel, "child orphan-session-bare")
        await trio.sleep(0.2)  # it has become the other program
        orphans = children() - {channel.pid}
        assert len(living(channel)) == 1
        await channel.close(b"")
        assert channel.strays == 1
        assert not orphans & children()


async def test_an_orphan_without_any_mark_goes_with_the_last_bot_it_may_belong_to():
    before = children()
    async with acting() as first, acting() as second:
        await order(first, "child orphan-session-bare")
        await trio.sleep(0.2)
        (orphan,) = children() - before - {first.pid, second.pid}
        await first.close(b"")
        await second.close(b"")
        assert state(orphan) is None
    assert children() == before


async def test_bots_that_end_together_leave_nothing_either():
    before = children()
    async with acting() as first, acting() as second, trio.open_nursery() as nursery:
        await order(first, "child orphan-session-bare")
        await order(first, "child orphan-session")
        await order(second, "child orphan-session")
        await trio.sleep(0.2)
        nursery.start_soon(first.close, b"")
        nursery.start_soon(second.close, b"")
    assert children() == before


def owner(stat: procfs.Stat, ending: Tree | None) -> Tree | None:
    """Of a living orphan, and of the same one when it is dead and nothing can be read of it."""
    found = sweep._owner(stat.pid, stat.session, stat, ending)
    assert sweep._owner(stat.pid, stat.session, None, ending) is found
    return found


async def test_an_orphan_without_any_mark_waits_for_the_last_bot_unless_all_of_them_end():
    async with acting() as first, acting() as second:
        stat = procfs.stat(second.pid)
        assert stat
        orphan = stat._replace(pid=2**22, session=2**22)
        one, other = first._tree, second._tree
        assert owner(orphan, None) is None
        one.is_ending = True
        assert owner(orphan, one) is None
        other.is_ending = True
        assert owner(orphan, one) is one
        assert owner(orphan, other) is other
        assert owner(orphan._replace(session=first.pid), other) is one


async def test_what_one_bot_leaves_is_not_blamed_on_another_nor_the_other_hurt():
    async with acting() as first, acting() as second:
        await order(first, "child session 3")
        await order(second, "child session 2")
        await first.close(b"")
        assert first.strays == 3
        assert len(living(second)) == 3
        await order(second, "echo")
        await second.close(b"")
        assert second.strays == 2


@pytest.mark.parametrize("rabbits", [1, 10])
async def test_a_rabbit_that_runs_from_process_to_process_is_caught(rabbits):
    before = children()
    async with acting() as channel:
        for _ in range(rabbits):
            await order(channel, "rabbit")
        mark = procfs.environ(channel.pid, "CROUPIER_BOT")
        assert mark
        most = 0
        for _ in range(10):
            await trio.sleep(0.03)
            most = max(most, len(children()))
        assert most < 1500  # they are buried all the time
        began = trio.current_time()
        await channel.close(b"")
        assert trio.current_time() - began < 2.5
        assert channel.strays > rabbits
        assert marked(mark) == []
    assert children() == before


def sleeper(*, new_session: bool = False) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["/bin/sleep", "60"], start_new_session=new_session)


async def test_the_children_of_others_are_neither_killed_nor_buried():
    older = sleeper(new_session=True)
    try:
        async with acting() as channel:
            ours, ended = sleeper(), sleeper()
            ended.kill()
            await order(channel, "child orphan-session")
            await trio.sleep(0.2)
            await channel.close(b"")
            assert channel.strays == 1
        assert (older.poll(), ours.poll(), ended.wait()) == (None, None, -9)
    finally:
        for process in (older, ours):
            process.kill()
            process.wait()


def descriptors() -> list[str]:
    return sorted(entry.name for entry in Path("/proc/self/fd").iterdir())


async def test_a_child_that_was_there_before_a_bot_is_not_the_bots_however_close_they_started():
    older = sleeper(new_session=True)
    try:
        async with acting() as channel:
            stat = procfs.stat(older.pid)
            assert stat
            tree = channel._tree
            assert not tree.may_have(stat._replace(started=tree.started))
            assert tree.may_have(stat._replace(pid=0, started=tree.started))
    finally:
        older.kill()
        older.wait()


async def test_fifty_short_lives_leave_no_process_no_descriptor_and_no_folder():
    bot = [sys.executable, "-I", "-S", "-c", "import os; os.fork() or os.setsid(); input()"]
    before = children(), folders(), descriptors()
    async with trio.open_nursery() as nursery:
        for number in range(50):
            channel = ProcessChannel.start(nursery, bot, {})
            if number % 2:
                await trio.sleep(0.005)
            channel.pause()
            await channel.close(b"bye\n")
    assert (children(), folders(), descriptors()) == before


UNADOPTED = """
import sys, trio
from tests.processes.acting import acting, bury_orphans, living, order

async def main():
    async with acting() as channel:
        await order(channel, "child session 3")
        members = living(channel)
        await channel.close(b"")
        print(len(members), channel.strays)

trio.run(main)
"""


def test_without_adoption_what_is_known_of_a_bot_is_ended_still():
    done = subprocess.run(
        [sys.executable, "-c", UNADOPTED], capture_output=True, text=True, check=True, timeout=30
    )
    bury_orphans()
    assert done.stdout.split() == ["4", "3"]
