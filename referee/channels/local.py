"""A channel to a bot that lives in this process: a function from our lines to its lines."""

from collections.abc import Callable

import trio

from protocol.faults import FaultCode
from referee.channels import ChannelClosedError, Silence, Usage


class LocalChannel:
    """Talks to a built-in bot with the same bytes as to any other. It has no process to watch."""

    strays = 0

    def __init__(self, bot: Callable[[bytes], bytes]) -> None:
        self._bot = bot
        self._said = b""
        self._heard = b""
        self._closed = False

    def write(self, data: bytes) -> int:
        if self._closed:
            raise BrokenPipeError
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._said += self._bot(line)
        return len(data)

    def read(self) -> bytes | None:
        said, self._said = self._said, b""
        return said or (b"" if self._closed else None)

    async def wait_writable(self) -> None:
        await trio.lowlevel.checkpoint()

    async def wait_readable(self) -> None:
        # A function answers at once or never.
        if self._said or self._closed:
            await trio.lowlevel.checkpoint()
        else:
            await trio.sleep_forever()

    async def ending(self) -> ChannelClosedError:
        await trio.lowlevel.checkpoint()
        return ChannelClosedError(FaultCode.EXITED, "the built-in bot was dismissed")

    def take_stderr(self) -> tuple[bytes, int]:
        return b"", 0

    def pause(self) -> None:
        pass

    def resume(self) -> None:
        pass

    def begin_game(self) -> None:
        pass

    def usage(self) -> Usage | None:
        return None

    def silence(self) -> Silence | None:
        return None

    async def close(self, farewell: bytes) -> None:
        if not self._closed:
            self.write(farewell)
        self._closed = True
        await trio.lowlevel.checkpoint()
