"""Burying the dead and finding the lost: what bots leave behind comes to us, as to any parent.

After `adopt_orphans` a process whose parent ends becomes our child, whatever session it hides in.
It is a bot's when it is in a session of that bot, has its mark in its environment, or can be no
other's. Only children that appeared after a bot did, in another session than ours, are touched, and
each is waited for by its number: nobody else's children are harmed.
"""

import ctypes
import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

import trio

from referee.channels import procfs, runaways
from referee.channels.procfs import Stat
from referee.channels.tree import Tree

SWEEP_SECONDS: Final = 2.0
COLLECT_SECONDS: Final = 0.05
QUIET_ROUNDS: Final = 2  # a process that is about to have a child may hide from one

_PR_SET_CHILD_SUBREAPER: Final = 36
_numbers: Final = itertools.count(1)
_trees: Final[dict[int, Tree]] = {}  # the bots of this process, by number


class _Collector:
    """Whether this process adopts orphans, and when it last looked for them."""

    adopts = False
    next_time = 0.0


def adopt_orphans() -> None:
    """Makes this process the parent of whatever its bots leave behind, so that it can be reaped.

    For programs of ours only, at their start: it changes how a whole process behaves. Does nothing
    where the system has no such call.
    """
    with suppress(AttributeError, OSError):
        _Collector.adopts = ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def next_number() -> int:
    """For the mark of a bot that is to be started."""
    return next(_numbers)


def enter(number: int, leader: int, bot_pid: Callable[[], int | None]) -> Tree:
    """A bot has started."""
    tree = _trees[number] = Tree(number, leader, bot_pid)
    runaways.bot_started(leader, tree.started)
    return tree


def collect() -> None:
    """Buries orphans that have ended and finds out whose the living ones are, now and then."""
    now = time.monotonic()
    if now >= _Collector.next_time:
        _Collector.next_time = now + COLLECT_SECONDS
        _collect(None)


async def sweep(tree: Tree) -> None:
    """Ends and buries all that is left of a bot, whose own process has been buried already."""
    tree.is_ending = True
    busy = _collect(tree)
    with trio.move_on_after(SWEEP_SECONDS):
        quiet = 0 if busy or tree.strays else QUIET_ROUNDS
        while quiet < QUIET_ROUNDS:
            await trio.sleep(0.001)
            quiet = 0 if _collect(tree) else quiet + 1
    del _trees[tree.number]
    runaways.bot_ended(tree.leader)


def count_lost(tree: Tree) -> None:
    """Before the kill: where orphans do not come to us they must be counted beforehand."""
    if not _Collector.adopts:
        tree.strays += len(tree.others())


def _collect(ending: Tree | None) -> bool:
    """Whether something of the bot that is ending was still there."""
    busy = False
    for pid, session in _orphans():
        # The dead first, and with as few calls as can be: a fork rabbit leaves thousands.
        if _has_ended(pid):
            tree = _owner(pid, session, None, ending)
            _bury(pid, tree)
        elif (stat := procfs.stat(pid)) and _may_be_a_bots(stat):
            tree = _owner(pid, session, stat, ending)
            if tree is not None:
                tree.adopted[pid] = stat.process
                if tree is ending or tree.is_doomed:
                    _end(stat)
        else:
            continue
        busy |= tree is not None and tree is ending
    return busy


def _orphans() -> Iterator[tuple[int, int]]:
    """Our children that may be a bot's, zombies included, with their sessions."""
    if not _Collector.adopts or not _trees:
        return
    known = {tree.leader for tree in _trees.values()} | runaways.guard_pids()
    known |= set.intersection(*(tree.bystanders for tree in _trees.values()))
    us = os.getsid(0)
    for pid in procfs.children(os.getpid()):
        if pid in known:
            continue
        with suppress(ProcessLookupError, PermissionError):
            if (session := os.getsid(pid)) != us:
                yield pid, session


def _has_ended(pid: int) -> bool:
    """Whether the child is a zombie; it stays one."""
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return False


def _may_be_a_bots(stat: Stat) -> bool:
    return any(tree.may_have(stat) for tree in _trees.values())


def _owner(pid: int, session: int, stat: Stat | None, ending: Tree | None) -> Tree | None:
    """Whose it is; of the dead there is no `stat`: nothing can be read of them."""
    for tree in _trees.values():
        if session in tree.sessions or pid in tree.adopted:
            return tree
    if stat is not None:
        mark = procfs.environ(pid, runaways.MARK)
        if mark is not None and (number := runaways.number_of(mark)) is not None:
            if number not in _trees:  # its bot is closed: it hid from the sweep
                _end(stat)
            return _trees.get(number)
    # When several bots end at once, any of them may clear away what could be another's.
    rivals = [
        tree
        for tree in _trees.values()
        if (tree.may_have(stat) if stat else pid not in tree.bystanders)
        and (tree is ending or not (ending and tree.is_ending))
    ]
    return rivals[0] if len(rivals) == 1 else None


def _end(stat: Stat) -> None:
    """Kills an orphan and what is below it."""
    for pid in procfs.descendants([stat.pid]):
        if below := procfs.stat(pid):
            procfs.send(below.process, signal.SIGKILL)
    procfs.send(stat.process, signal.SIGKILL)


def _bury(pid: int, tree: Tree | None) -> None:
    with suppress(ChildProcessError):
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG)
    if tree is not None:
        tree.adopted.pop(pid, None)
        tree.strays += pid not in tree.wrappers
