"""One bot's connection: a channel and a session, questions with a deadline. Knows no game.

Times are measured here, in seconds of trio's clock, from just before the first byte is written to
the newline of the answer. Between its turns a bot is stopped, unless it may ponder.
"""

import math
from typing import Final

import trio

from protocol.codec import MAX_LINE_BYTES
from protocol.faults import FaultCode, ProtocolError, VersionError
from protocol.messages import (
    PROTOCOL,
    Action,
    BotHello,
    BotMessage,
    Bye,
    ServerHello,
    ServerMessage,
    Turn,
)
from protocol.session import BotSession, SessionState
from referee.channels import Channel, ChannelClosedError, Silence

_HITS_PER_CHECKPOINT: Final = 64
# What a bot that does not read may leave unwritten before more is simply dropped.
_MAX_UNSENT: Final = 4 * MAX_LINE_BYTES


class TooSlowError(Exception):
    """No answer before the deadline; `silence` is what the bot did instead, where that is known."""

    def __init__(self, silence: Silence | None = None) -> None:
        super().__init__()
        self.silence = silence


class NoStartError(Exception):
    """No proper hello; `code` is `no_start`, or `protocol` for a wrong version."""

    def __init__(self, code: FaultCode, why: str, silence: Silence | None = None) -> None:
        super().__init__(why)
        self.code = code
        self.silence = silence


class Connection:
    """The bot behind a channel. With `ponder` it may think between its turns, too."""

    def __init__(self, channel: Channel, *, ponder: bool = False) -> None:
        self.channel = channel
        self._ponder = ponder
        self.session = BotSession()
        self._unsent = b""
        self._hits = 0
        self._warned_of_bom = False

    @property
    def heard(self) -> bytes:
        """What the bot said since it was asked that is no answer: half a line, or the last bytes."""
        return self.session.partial_line or self.session.heard

    def take_warnings(self) -> list[str]:
        """What was tolerated, in words; each is said once."""
        if self._warned_of_bom or not self.session.had_bom:
            return []
        self._warned_of_bom = True
        return ["a byte-order mark at the start of its output was dropped"]

    async def greet(self, server: str, seconds: float) -> BotHello:
        """Says hello and gives the bot's; raises `NoStartError`."""
        hello = ServerHello(id=self.session.next_id(), protocol=PROTOCOL, server=server)
        try:
            answer, _ = await self._ask(hello, seconds)
        except TooSlowError as exc:
            why = f"no hello within {seconds:g} s"
            raise NoStartError(FaultCode.NO_START, why, exc.silence) from None
        except ChannelClosedError as exc:
            raise NoStartError(FaultCode.NO_START, f"no hello: {exc}") from exc
        except ProtocolError as exc:
            code = exc.code if isinstance(exc, VersionError) else FaultCode.NO_START
            raise NoStartError(code, f"no proper hello: {exc}") from exc
        assert isinstance(answer, BotHello)
        return answer

    async def ask(self, turn: Turn, seconds: float) -> tuple[Action, float]:
        """The bot's answer and the seconds it took, at most `seconds` (which may be infinite).

        Raises `TooSlowError`, `ProtocolError`, `ChannelClosedError`.
        """
        answer, took = await self._ask(turn, seconds)
        assert isinstance(answer, Action)
        return answer, took

    def tell(self, message: ServerMessage) -> None:
        """Sends what wants no answer, without waiting. What a dead bot misses is noticed later."""
        self._queue(message)
        try:
            self._flush()
        except BrokenPipeError:
            self._unsent = b""

    async def close(self, reason: str) -> None:
        """Says goodbye and leaves nothing of the bot behind."""
        if self.session.state is not SessionState.LEAVING:
            self._queue(Bye(reason=reason))
        await self.channel.close(self._unsent)

    def _queue(self, message: ServerMessage) -> None:
        line = self.session.send(message)
        if len(self._unsent) < _MAX_UNSENT:
            self._unsent += line

    async def _ask(self, request: ServerHello | Turn, seconds: float) -> tuple[BotMessage, float]:
        self._queue(request)
        self.channel.resume()
        try:
            return await self._exchange(seconds)
        finally:
            if not self._ponder:
                self.channel.pause()

    async def _exchange(self, seconds: float) -> tuple[BotMessage, float]:
        started = trio.current_time()
        try:
            answer = self._take() if self._flush() else None
            if answer is None:
                answer = await self._wait(started + seconds)
            else:
                await self._breathe()
        except (BrokenPipeError, EOFError):
            self._unsent = b""
            raise await self.channel.ending() from None
        if answer is None:
            raise TooSlowError(self.channel.silence())
        # What lay in the pipe at the deadline was in time, however late we came to read it.
        return answer, min(trio.current_time() - started, seconds)

    async def _wait(self, deadline: float) -> BotMessage | None:
        """The answer, or None at the deadline, which is absolute: who drips bytes gains nothing."""
        with trio.CancelScope(deadline=deadline):
            while self._unsent and not self._flush():
                await self.channel.wait_writable()
            while (answer := self._take()) is None:
                await self.channel.wait_readable()
            return answer
        return self._take()

    def _flush(self) -> bool:
        """Whether all has been written."""
        if self._unsent:
            self._unsent = self._unsent[self.channel.write(self._unsent) :]
        return not self._unsent

    def _take(self) -> BotMessage | None:
        data = self.channel.read()
        if data == b"":
            raise EOFError
        if data is None and not self.session.holds_lines:
            return None
        return self.session.receive(data or b"")

    async def _breathe(self) -> None:
        """Lets others run now and then, though this bot always answers at once."""
        self._hits += 1
        if self._hits % _HITS_PER_CHECKPOINT == 0:
            await trio.lowlevel.checkpoint()


def deadline_seconds(milliseconds: int | None) -> float:
    """For `ask`: None is no limit."""
    return math.inf if milliseconds is None else milliseconds / 1000
