"""A referee to be killed: starts bots, says who they are, and plays with them until its end."""

import os
import sys

import trio

from referee.channels.process import ProcessChannel
from referee.channels.runaways import guarded
from referee.channels.sweep import adopt_orphans
from tests.processes.acting import ACTOR, order


async def play(orders: list[str]) -> None:
    """Each bot gets all the orders, and is paused again and again."""
    async with trio.open_nursery() as nursery:
        channels = [ProcessChannel.start(nursery, ACTOR, {}) for _ in range(3)]
        print(*(channel.pid for channel in channels), flush=True)
        for channel in channels:
            for line in orders:
                await order(channel, line)
        print("ready", flush=True)
        while True:
            for channel in channels:
                channel.resume()
                await order(channel, "echo")
                channel.pause()


async def play_once() -> None:
    async with trio.open_nursery() as nursery:
        for _ in range(3):
            channel = ProcessChannel.start(nursery, ACTOR, {})
            await order(channel, "echo")
            await channel.close(b"")


if __name__ == "__main__":
    how, *rest = sys.argv[1:]
    adopt_orphans()
    if how == "unguarded":
        trio.run(play, rest)
    with guarded():
        print(os.getpid(), flush=True)
        trio.run(play_once) if how == "once" else trio.run(play, rest)
