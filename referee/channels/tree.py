"""A bot's process and what it has started, as far as it is known: who is to be stopped or killed."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress

from referee.channels import procfs
from referee.channels.procfs import Process, Stat


class Tree:
    """The processes of one bot.

    `leader` is our child; it leads a session and a group. It is the bot, or a wrapper around it:
    then `bot_pid` finds the bot, once it is there.
    """

    def __init__(self, number: int, leader: int, bot_pid: Callable[[], int | None]) -> None:
        self.number = number
        self.leader = leader
        self.bot_pid = bot_pid
        start = procfs.stat(leader)
        self.started = start.started if start else 0
        self.bystanders = set(procfs.children(os.getpid()))  # they were there before it
        self.members: list[Stat] = []  # as of the last look: the bot and what it started
        self.adopted: dict[int, Process] = {}  # orphans of the bot that are our children now
        self.sessions = {leader}
        self.strays = 0
        self.is_ending = False
        self.is_doomed = False  # over its budget: whatever of it is found is to be killed
        self.wrappers: set[int] = (
            set()
        )  # what stands between the leader and the bot: ours, no strays
        self._apart: list[Process] = []  # whom a signal to the group does not reach

    def look(self) -> None:
        """Finds out who is there. Takes 60 µs for a bot alone, some 40 more for each other."""
        bot = self.bot_pid()
        pids = _with_descendants([self.leader, *self.adopted])
        lost = [one.pid for one in self.others() if one.pid not in pids and procfs.is_alive(one)]
        pids |= _with_descendants(lost)  # whose parent has ended, where orphans do not come to us
        stats = [stat for pid in pids if (stat := procfs.stat(pid))]
        wrappers = self._wrappers(stats, bot)
        self.wrappers |= wrappers
        self.members = [stat for stat in stats if stat.pid not in wrappers]
        self.sessions |= {stat.session for stat in self.members}
        self._apart = [
            stat.process
            for stat in self.members
            if stat.pid != bot and (wrappers or stat.group != self.leader)
        ]

    def may_have(self, stat: Stat) -> bool:
        """Whether an orphan of ours could be the bot's, by its age."""
        return stat.started >= self.started and stat.pid not in self.bystanders

    def pids(self) -> list[int]:
        """Of all that are known; before the first look, of the bot."""
        bot = self.bot_pid()
        return [stat.pid for stat in self.members] or ([] if bot is None else [bot])

    def others(self) -> list[Process]:
        """Living processes of the bot beyond itself."""
        bot = self.bot_pid()
        return [stat.process for stat in self.members if stat.pid != bot and stat.state != "Z"]

    def signal(self, number: int) -> None:
        """To the bot and all that is known of it, but not to a wrapper."""
        bot = self.bot_pid()
        if bot is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            if bot == self.leader:
                os.killpg(bot, number)
            else:
                os.kill(bot, number)
        for process in self._apart:
            procfs.send(process, number)

    def kill(self) -> None:
        """The group of the leader, and all else that is known."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader, signal.SIGKILL)
        for process in self._apart:
            procfs.send(process, signal.SIGKILL)

    def _wrappers(self, stats: list[Stat], bot: int | None) -> set[int]:
        """From the leader down to the parent of the bot; none where the leader is the bot."""
        parents = {stat.pid: stat.parent for stat in stats}
        if bot is None:
            return set(parents)
        found: set[int] = set()
        while bot != self.leader and bot in parents:
            bot = parents[bot]
            found.add(bot)
        return found


def _with_descendants(roots: list[int]) -> set[int]:
    return {*roots, *procfs.descendants(roots)}
