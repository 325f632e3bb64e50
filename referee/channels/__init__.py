"""Ways to reach a bot: bytes out, bytes in, and how it ended. Nothing here knows what is said.

Reading and writing never wait; waiting is a separate step, so that a quick answer costs two system
calls and no pass of the scheduler. Every channel passes the same contract test.
"""

from enum import StrEnum
from typing import Protocol

import msgspec

from protocol.faults import FaultCode


class IsolationError(Exception):
    """The layer that was asked for does not work here; the message says why and what helps."""


class ChannelClosedError(Exception):
    """The bot is no longer there, or closed its end; `code` and the message say how."""

    def __init__(self, code: FaultCode, why: str) -> None:
        super().__init__(why)
        self.code = code


class Usage(msgspec.Struct, frozen=True):
    """What a bot has used in a game, its children's included."""

    peak_kib: int
    cpu_ms: int


class Waits(StrEnum):
    """What a bot waits for. The first that one of its threads is in tells the most."""

    STDOUT = "stdout"  # for room in the pipe
    STDERR = "stderr"
    STDIN = "stdin"  # for a line of ours
    WRITE = "write"  # on any other descriptor
    READ = "read"
    EVENTS = "events"  # of one or more descriptors, as node does
    SLEEP = "sleep"
    CHILD = "child"  # for the end of a child
    LOCK = "lock"  # for another thread, as idle helpers of node and Java do


class Silence(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot that does not answer is doing. What is not known is None."""

    asked_ms: int  # since it was asked
    cpu_ms: int  # it computed since, its children included
    state: str  # R a thread of it runs, S sleeps, D waits for a disk, T is stopped, Z has ended
    waits: Waits | None
    unread: int | None  # bytes of ours that lie in its standard input
    threads: int
    program: str | None  # the path of what runs: not argv[0] where that is a script
    language: str | None  # in which the program was written, where its file tells


class Channel(Protocol):
    """A two-way stream of bytes to one bot."""

    @property
    def strays(self) -> int:
        """How many processes of the bot, beyond itself, it left for us to end or to bury."""
        ...

    def write(self, data: bytes) -> int:
        """How many bytes were taken (0: the pipe is full); raises BrokenPipeError."""
        ...

    def read(self) -> bytes | None:
        """Some bytes; None when there are none yet; b"" at the end."""
        ...

    async def wait_writable(self) -> None:
        """Until `write` may take something."""
        ...

    async def wait_readable(self) -> None:
        """Until `read` may give something else than None."""
        ...

    async def ending(self) -> ChannelClosedError:
        """How the bot ended, to be asked after `read` gave b"" or `write` raised."""
        ...

    def take_stderr(self) -> tuple[bytes, int]:
        """What came on stderr since last asked: an excerpt, and how many bytes it was in all."""
        ...

    def pause(self) -> None:
        """Stops the bot until `resume`, with all that it is known to have started.

        Neither this nor `resume` ever raises or waits.
        """
        ...

    def resume(self) -> None:
        """Lets the bot run, and counts from now on what it does before it answers."""
        ...

    def begin_game(self) -> None:
        """What `usage` tells begins anew."""
        ...

    def usage(self) -> Usage | None:
        """What was used since `begin_game`, as far as it was seen; also of a bot that has gone."""
        ...

    def silence(self) -> Silence | None:
        """What the bot is doing instead of answering: to be asked before it is paused or killed."""
        ...

    async def close(self, farewell: bytes) -> None:
        """Says `farewell`, then leaves nothing of the bot behind. Never raises, never hangs."""
        ...
