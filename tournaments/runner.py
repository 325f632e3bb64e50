"""Plays what an event still lacks: hands out deal blocks, stores what comes back.

Nothing here keeps a clock: games are played elsewhere, behind a backend. A block counts when its log is on the
disk under its own name and its games are committed, in this order; whatever happens before is
played again.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
import trio

from protocol.faults import FaultCode
from tournaments.backend import Backend
from tournaments.errors import StoreFullError
from tournaments.event import Event, Schedule, Task
from tournaments.shapes import Played
from tournaments.store import ATTEMPTS, Store, StoredBlock
from tournaments.work import BlockDone, BlockFailed, GameOver, Order, Report, Said

GIVE_UP_AFTER: Final = 3  # blocks in a row that could not be played: it is not the blocks then
UNFINISHED: Final = ".tmp-"
_STORE_AGAIN_SECONDS: Final = 1.0


class Watcher(Protocol):
    """Hears how it goes."""

    def say(self, words: str) -> None:
        """Something that the operator should know."""
        ...

    def begun(self, task: Task) -> None:
        """A block was handed out."""
        ...

    def over(self, task: Task) -> None:
        """A game of a running block is over; it is not stored yet."""
        ...

    def stored(self, task: Task, games: Sequence[Played]) -> None:
        """A block counts now."""
        ...

    def failed(self, task: Task) -> None:
        """A block came to nothing; what was heard of its games is void."""
        ...

    def left_out(self, task: Task) -> None:
        """A block that has failed will not be played again in this run."""
        ...


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended: blocks stored in it, blocks that could not be played, and why it cannot go on."""

    stored: int
    unplayable: int
    broken: str = ""


class Run:
    """One run of an event, until nothing is missing or somebody stops it."""

    def __init__(
        self,
        event: Event,
        schedule: Schedule,
        store: Store,
        backend: Backend,
        watcher: Watcher,
        should_stop: Callable[[], bool],
    ) -> None:
        self._event = event
        self._schedule = schedule
        self._store = store
        self._backend = backend
        self._watcher = watcher
        self._should_stop = should_stop
        self._logs = log_folder(store.folder, event.number)
        self._todo = self._missing()
        self._again: list[tuple[Task, Order]] = []
        self._running: dict[int, tuple[Task, Order]] = {}
        self._failures: Counter[int] = Counter()
        self._failed_in_a_row = 0
        self._missed: Counter[int] = Counter()
        self._stored = self._unplayable = 0
        self._broken = ""

    async def play(self) -> Ended:
        """Plays; raises `StoreError`."""
        clear(self._logs)
        while True:
            while len(self._running) < self._backend.slots and (next_one := self._next()):
                await self._hand_out(*next_one)
            if not self._running:
                break
            await self._hear(await self._backend.reports.receive())
        return Ended(stored=self._stored, unplayable=self._unplayable, broken=self._broken)

    def _missing(self) -> Iterator[tuple[Task, Any]]:
        """What is expected and not stored."""
        have = self._store.keys(self._event.number)
        return ((task, deal) for task, deal in self._schedule.drawn() if task.key not in have)

    def _next(self) -> tuple[Task, Order] | None:
        """What failed comes first: all that is played later waits for it in the tables."""
        if self._should_stop() or self._broken:
            return None
        if self._again:
            return self._again.pop(0)
        if (found := next(self._todo, None)) is None:
            return None
        task, deal = found
        log = self._logs / f"{UNFINISHED}{task.key}"
        order = self._schedule.order(task, deal, self._missed)
        return task, msgspec.structs.replace(order, log=str(log.absolute()))

    async def _hand_out(self, task: Task, order: Order) -> None:
        self._running[task.number] = task, order
        self._watcher.begun(task)
        await self._backend.submit(order)

    async def _hear(self, report: Report) -> None:
        match report:
            case GameOver(block=number):
                self._watcher.over(self._running[number][0])
            case BlockDone(block=number):
                task, _ = self._running.pop(number)
                await self._keep(task, report)
            case BlockFailed(block=number, why=why):
                self._fail(*self._running.pop(number), why)
            case Said(words=words):
                self._watcher.say(words)

    async def _keep(self, task: Task, done: BlockDone) -> None:
        """Stores a block; waits for room, should the disk be full."""
        block = StoredBlock(
            key=task.key,
            log=self._settled_log(task, done),
            sha256=done.sha256,
            seal=done.seal,
            voids=done.voids,
            seconds=done.seconds,
        )
        games = dict(zip(self._schedule.game_keys(task), done.games, strict=True))
        for key in await self._committed(block, games):
            self._watcher.say(f"game {key} was stored before with another result, which stays")
        self._count_starts(done.games)
        self._failed_in_a_row = 0
        self._stored += 1
        self._watcher.stored(task, done.games)

    async def _committed(self, block: StoredBlock, games: Mapping[str, Played]) -> list[str]:
        """Games that were there with another result; raises `StoreFullError` when it is to stop."""
        has_warned = False
        while True:
            try:
                return self._store.commit(self._event.number, block, games)
            except StoreFullError as exc:
                if self._should_stop():
                    raise
                if not has_warned:
                    self._watcher.say(f"{exc}; the tournament waits until there is room")
                has_warned = True
                await trio.sleep(_STORE_AGAIN_SECONDS)

    def _settled_log(self, task: Task, done: BlockDone) -> str | None:
        """The log under its own name, relative to the run folder; None when it is not to be kept."""
        draft = self._logs / f"{UNFINISHED}{task.key}"
        is_clean = not done.voids and not any(any(played.faults) for played in done.games)
        if is_clean and self._event.league.keep_logs == "faults":
            draft.unlink()
            return None
        path = self._logs / log_name(task)
        draft.replace(path)
        _sync(self._logs)
        return str(path.relative_to(self._store.folder))

    def _count_starts(self, games: Sequence[Played]) -> None:
        for played in games:
            for bot, verdict in zip(played.bots, played.verdicts, strict=True):
                self._missed[bot] = self._missed[bot] + 1 if verdict == FaultCode.NO_START else 0

    def _fail(self, task: Task, order: Order, why: str) -> None:
        """No bot's fault, and never a loss: it is played again, but not for ever."""
        (self._logs / f"{UNFINISHED}{task.key}").unlink(missing_ok=True)
        self._watcher.failed(task)
        self._store.fail(self._event.number, task.key, why)
        self._failures[task.number] += 1
        names = " vs ".join(self._event.names[bot] for bot in order.bots)
        if self._failures[task.number] < ATTEMPTS:
            self._watcher.say(f"deal {task.block.deal + 1} of {names} is played again: {why}")
            self._again.append((task, order))
            return
        self._unplayable += 1
        self._failed_in_a_row += 1
        self._watcher.left_out(task)
        self._watcher.say(f"deal {task.block.deal + 1} of {names} could not be played: {why}")
        if self._failed_in_a_row >= GIVE_UP_AFTER:
            self._broken = why


def log_folder(folder: Path, event: int) -> Path:
    """Where the logs of an event are."""
    return folder / "logs" / f"event-{event}"


def log_name(task: Task) -> str:
    """Sorted by deals; the key tells tables apart."""
    return f"deal-{task.block.deal + 1:05}-{task.key[:16]}.jsonl"


def clear(logs: Path) -> None:
    """Makes the folder, and removes what a run that was killed had not finished."""
    logs.mkdir(parents=True, exist_ok=True)
    for draft in logs.glob(f"{UNFINISHED}*"):
        draft.unlink()
    _sync(logs)
    _sync(logs.parent)


def _sync(folder: Path) -> None:
    """A renamed file is not on the disk before its folder is."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
