"""Real bots that do what a test tells them, and what can be seen of them from outside."""

import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from referee.channels import ChannelClosedError, procfs
from referee.channels.process import ProcessChannel
from referee.channels.watch import Budget
from tests.processes.playing import children

ACTOR = [sys.executable, "-I", "-S", str(Path(__file__).parents[1] / "channels" / "actor.py")]
PATIENCE_S = 15.0


@asynccontextmanager
async def acting(
    argv: Sequence[str] = ACTOR, budget: Budget | None = None
) -> AsyncIterator[ProcessChannel]:
    """A running bot that is closed at the end."""
    with trio.fail_after(3 * PATIENCE_S):
        async with trio.open_nursery() as nursery:
            channel = ProcessChannel.start(nursery, argv, {}, budget or Budget())
            try:
                yield channel
            finally:
                await channel.close(b"")


async def order(channel: ProcessChannel, line: str) -> None:
    """Has it done by the bot, and waits until it is."""
    channel.write(line.encode() + b"\n")
    said = b""
    with trio.fail_after(PATIENCE_S):
        while not said.endswith(b"\n"):
            data = channel.read()
            assert data != b"", "the bot has gone"
            if data is None:
                await channel.wait_readable()
            said += data or b""


async def end_of(channel: ProcessChannel) -> ChannelClosedError:
    """How the bot ended, which is waited for."""
    with trio.fail_after(PATIENCE_S):
        while channel.read() != b"":
            await channel.wait_readable()
        return await channel.ending()


def cpu_ms(channel: ProcessChannel) -> float:
    """What it has computed until now."""
    return (procfs.cpu_ns(channel.pid) or 0) / 1e6


def state(pid: int) -> str | None:
    """The letter of its state; None when it is not there."""
    stat = procfs.stat(pid)
    return stat.state if stat else None


def bury_orphans() -> None:
    """The test run adopts them."""
    for pid in children():
        if state(pid) == "Z":
            os.waitpid(pid, 0)


def has_buried_all(before: set[int]) -> bool:
    """Whether no children are left but these: orphans may have become children of this process."""
    bury_orphans()
    return children() <= before


def marked(mark: str) -> list[int]:
    """All processes on the machine with this in their mark."""
    return [pid for pid in procfs.everyone() if mark in (procfs.environ(pid, "CROUPIER_BOT") or "")]


def living(channel: ProcessChannel) -> list[int]:
    """The bot and what it started, wherever they are, by their mark."""
    mark = procfs.environ(channel.pid, "CROUPIER_BOT")
    assert mark
    return marked(mark)
