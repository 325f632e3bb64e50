"""What a bot uses of memory, processes and computing time, and what it may use.

Memory of processes that share pages is not the sum of theirs: 70 sleeping forks of a small Python
read as 425 MiB. So the quick sum only raises the suspicion, and the slow PSS decides. What the sum
was too high by is kept, so that the PSS need not be asked again until more has been taken.
"""

import math
from typing import Final

import msgspec
import trio

from protocol.faults import FaultCode
from referee.channels import ChannelClosedError, Usage, procfs
from referee.channels.tree import Tree

GLANCE_SECONDS: Final = 0.02  # between looks at the memory of the processes that are known
NEAR_SECONDS: Final = 0.005  # when more than half of what is allowed is used
LOOK_SECONDS: Final = 0.25  # between looks for more processes
_CHEAP_PROCESSES: Final = 16  # with more than these, a glance is taken less often
_NS_PER_MS: Final = 1_000_000


class Budget(msgspec.Struct, frozen=True):
    """How much a bot may use, its children's included; None is no limit."""

    memory_mb: int | None = 1024  # of 1024 KiB each
    processes: int | None = 64


class Watch:
    """Measures one bot, from time to time while it runs and whenever it is asked."""

    def __init__(self, tree: Tree, budget: Budget) -> None:
        self.breach: ChannelClosedError | None = None
        self.has_run = True  # since the last glance
        self.is_running = True
        self._tree = tree
        self._budget = budget
        self._limit_kib = (budget.memory_mb or 0) * 1024
        self._shared_kib = 0  # by which the sum of all memory was too high
        self._pace = GLANCE_SECONDS
        self._peak_kib = 0
        self._cpu_ns = 0
        self._cpu_before = 0

    async def run(self) -> None:
        """Returns when the budget is exceeded: then `breach` says how."""
        next_look = trio.current_time()
        while self.breach is None:
            await trio.sleep(self._pace)
            if not self.has_run:
                continue
            self.has_run = self.is_running
            if trio.current_time() >= next_look:
                next_look = trio.current_time() + LOOK_SECONDS
                self._shared_kib = 0
                self.measure()
                self._count()
            self._glance()

    def begin_game(self) -> None:
        """Forgets what was used until now."""
        self.measure()
        for stat in self._tree.members:
            procfs.forget_peak(stat.pid)
        self._peak_kib, self._cpu_before = 0, self._cpu_ns

    def usage(self) -> Usage | None:
        """None where nothing can be measured."""
        if not self._cpu_ns:
            return None
        cpu_ms = (self._cpu_ns - self._cpu_before) // _NS_PER_MS
        return Usage(peak_kib=self._peak_kib, cpu_ms=cpu_ms)

    def measure(self) -> None:
        """Looks at everything once."""
        self._tree.look()
        members = self._tree.members
        spent = sum((procfs.cpu_ns(stat.pid) or 0) + stat.children_ns for stat in members)
        self._cpu_ns = max(self._cpu_ns, spent)  # what an orphan used is lost when it ends
        peaks = [procfs.peak_kib(stat.pid) or 0 for stat in members]
        self._peak_kib = max(self._peak_kib, *peaks, 0)

    def _count(self) -> None:
        count, limit = len(self._tree.members), self._budget.processes
        if limit is not None and count > limit:
            words = f"had {count:,} processes; processes allows {limit:,}"
            self.breach = ChannelClosedError(FaultCode.PROCESSES, words)

    def _glance(self) -> None:
        members = self._tree.members
        self._pace = GLANCE_SECONDS * max(1, len(members) / _CHEAP_PROCESSES)
        if not self._limit_kib:
            return
        used = sum(procfs.rss_kib(stat.pid) or 0 for stat in members) - self._shared_kib
        if used > self._limit_kib:
            used = self._weigh(used + self._shared_kib)
        if used > self._limit_kib / 2 and len(members) <= _CHEAP_PROCESSES:
            self._pace = NEAR_SECONDS
        if len(members) == 1:
            self._peak_kib = max(self._peak_kib, used)

    def _weigh(self, total: int) -> int:
        """What is really used, in KiB; a breach, if it is too much."""
        shares = [procfs.pss_kib(stat.pid) for stat in self._tree.members]
        used = total if None in shares else sum(share or 0 for share in shares)
        self._shared_kib = total - used
        self._peak_kib = max(self._peak_kib, used)
        if used > self._limit_kib and self.breach is None:
            mebibytes = math.ceil(used / 1024)
            words = f"used {mebibytes:,} MiB; memory-mb allows {self._limit_kib // 1024:,}"
            self.breach = ChannelClosedError(FaultCode.MEMORY, words)
        return used
