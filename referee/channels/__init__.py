"""Ways to reach a bot: bytes out, bytes in, and how it ended. Nothing here knows what is said.

Reading and writing never wait; waiting is a separate step, so that a quick answer costs two system
calls and no pass of the scheduler. Every channel passes the same contract test.
"""

from typing import Protocol

from protocol.faults import FaultCode


class ChannelClosedError(Exception):
    """The bot is no longer there, or closed its end; `code` and the message say how."""

    def __init__(self, code: FaultCode, why: str) -> None:
        super().__init__(why)
        self.code = code


class Channel(Protocol):
    """A two-way stream of bytes to one bot."""

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

    async def close(self, farewell: bytes) -> None:
        """Says `farewell`, then leaves nothing of the bot behind. Never raises, never hangs."""
        ...
