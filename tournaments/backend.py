"""Where deal blocks are played: orders in, reports out, whatever is in between.

A cluster is another backend with the same three methods. The one here has worker processes on this
machine, each in a session of its own and pinned to a processor with all its bots.
"""

import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import IO, Final, Protocol

import trio

from tournaments.work import (
    BlockDone,
    BlockFailed,
    Order,
    Report,
    Setting,
    line_of,
    read_report,
)

END_SECONDS: Final = 1.5  # for a worker whose input has ended; then it is killed
_LOOK_SECONDS: Final = 0.01
_READ_BYTES: Final = 65536
_TAIL_BYTES: Final = 2000
_COMMAND: Final = (sys.executable, "-m", "tournaments.worker")


class Backend(Protocol):
    """Plays blocks somewhere. Every order ends in one `BlockDone` or `BlockFailed`."""

    @property
    def slots(self) -> int:
        """How many blocks are played at once."""
        ...

    @property
    def reports(self) -> trio.MemoryReceiveChannel[Report]:
        """What is told of the blocks, as it comes."""
        ...

    async def submit(self, order: Order) -> None:
        """Hands in a block; waits until a place is free for it."""
        ...


class LocalBackend:
    """Worker processes on this machine."""

    def __init__(self, settings: Sequence[Setting]) -> None:
        self.slots = len(settings)
        self._settings = settings
        self._orders, self._taken = trio.open_memory_channel[Order](0)
        self._tell, self.reports = trio.open_memory_channel[Report](0)

    async def submit(self, order: Order) -> None:
        """Hands in a block; waits until a worker is free."""
        await self._orders.send(order)

    async def run(self) -> None:
        """Works until cancelled; the workers are gone then."""
        async with trio.open_nursery() as nursery:
            for setting in self._settings:
                nursery.start_soon(self._serve, setting)

    async def _serve(self, setting: Setting) -> None:
        """One worker after the other, should they die."""
        while True:
            # Not before there is work for it: a finished tournament starts nothing.
            order = await self._taken.receive()
            async with _worker(setting) as worker:
                while await self._played(worker, order):
                    order = await self._taken.receive()

    async def _played(self, worker: "_Worker", order: Order) -> bool:
        """Whether the worker has survived the block."""
        with suppress(trio.BrokenResourceError):
            await worker.tell(order)
            while report := await worker.report():
                await self._tell.send(report)
                if isinstance(report, BlockDone | BlockFailed):
                    return True
        why = f"its worker process died: {await worker.last_words()}"
        await self._tell.send(BlockFailed(block=order.block, why=why))
        return False


class _Worker:
    """A worker process and its pipes."""

    def __init__(self, process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self._process, self._errors = process, errors
        self._to = trio.lowlevel.FdStream(os.dup(process.stdin.fileno()))
        self._from = trio.lowlevel.FdStream(os.dup(process.stdout.fileno()))
        self._rest = b""
        self._lines: deque[bytes] = deque()
        process.stdin.close()
        process.stdout.close()

    async def tell(self, task: Setting | Order) -> None:
        """Raises `trio.BrokenResourceError` when the worker has died."""
        await self._to.send_all(line_of(task))

    async def report(self) -> Report | None:
        """The next one; None when the worker has died."""
        while not self._lines:
            if not (data := await self._from.receive_some(_READ_BYTES)):
                return None
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._lines.extend(lines)
        return read_report(self._lines.popleft())

    async def _ended(self) -> None:
        """Waits for its end, but not for ever."""
        with trio.move_on_after(END_SECONDS):
            while self._process.poll() is None:  # noqa: ASYNC110 (nothing tells us)
                await trio.sleep(_LOOK_SECONDS)

    async def last_words(self) -> str:
        """How it ended, and the last line of what it wrote to stderr."""
        await self._ended()
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _TAIL_BYTES))
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"status {self._process.returncode}" + (f", {lines[-1]}" if lines else "")

    async def end(self) -> None:
        """Its input ends, and so must it; its guard ends its bots."""
        await self._to.aclose()
        await self._ended()
        self._process.kill()  # nothing, if it has ended
        self._process.wait()
        await self._from.aclose()


@asynccontextmanager
async def _worker(setting: Setting) -> AsyncIterator[_Worker]:
    """A worker that knows its setting; it is gone afterwards, whatever happens."""
    with tempfile.TemporaryFile() as errors:
        # Not `trio.open_process`: what ties the worker to us must not hang on a passing thread.
        process = subprocess.Popen(  # noqa: ASYNC220 (a millisecond or two)
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            bufsize=0,
        )
        worker = _Worker(process, errors)
        try:
            with suppress(trio.BrokenResourceError):
                await worker.tell(setting)
            yield worker
        finally:
            with trio.CancelScope(shield=True):
                await worker.end()


@asynccontextmanager
async def local(settings: Sequence[Setting]) -> AsyncIterator[Backend]:
    """A worker for each setting; they are gone afterwards."""
    backend = LocalBackend(settings)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(backend.run)
        yield backend
        nursery.cancel_scope.cancel()
