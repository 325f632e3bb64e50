"""A channel over which a scripted bot talks: no process, no pipe, and time as the test wants it."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import trio

from protocol.faults import FaultCode
from referee.channels import ChannelClosedError, Silence, Usage
from referee.channels.excerpt import Excerpt

PIPE_BYTES = 64 * 1024

Script: TypeAlias = Callable[["BotEnd"], Awaitable[None]]


class LeavesError(Exception):
    """Raised by a script to end its bot in another way than by an exit with status 0."""

    def __init__(self, code: FaultCode, why: str) -> None:
        super().__init__(why)
        self.code = code


class BotEnd:
    """The bot's side of a memory channel: what a script says and hears."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.inbox = bytearray()
        self.outbox = bytearray()
        self.stderr = Excerpt()
        self.input_ended = False
        self.output_ended = False
        self.ending: ChannelClosedError | None = None
        self._partial = bytearray()
        self._changed = trio.Event()

    def change(self) -> None:
        """Wakes whoever waits for this channel."""
        self._changed.set()
        self._changed = trio.Event()

    async def changed(self) -> None:
        """Until something has happened."""
        await self._changed.wait()

    async def line(self) -> bytes:
        """The next line from the referee, without its newline; raises EOFError at the end."""
        self._take_in()
        while b"\n" not in self._partial:
            if self.input_ended:
                raise EOFError
            await self.changed()
            self._take_in()
        line, _, rest = bytes(self._partial).partition(b"\n")
        self._partial[:] = rest
        return line

    def _take_in(self) -> None:
        self._partial += self.inbox
        if self.inbox:
            self.inbox.clear()
            self.change()

    async def message(self) -> dict[str, Any]:
        """The next message, which is kept in `heard`, too."""
        message: dict[str, Any] = json.loads(await self.line())
        self.heard.append(message)
        return message

    async def turn(self) -> dict[str, Any]:
        """The next message that is a turn."""
        while (message := await self.message())["type"] != "turn":
            pass
        return message

    def say(self, data: bytes | dict[str, Any]) -> None:
        """Bytes as they are, or a message as a line."""
        self.outbox += data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n"
        self.change()

    def complain(self, data: bytes) -> None:
        """Says something on stderr."""
        self.stderr.add(data)

    async def hello(self, **more: Any) -> None:
        """Answers the referee's hello."""
        message = await self.message()
        self.say({"type": "hello", "id": message["id"], "protocol": 1, "name": "ada"} | more)

    def act(self, turn: dict[str, Any], action: str | None = None, **more: Any) -> None:
        """Answers a turn: by default with the first legal action."""
        chosen = turn["legal"][0] if action is None else action
        self.say({"type": "action", "id": turn["id"], "action": chosen} | more)

    async def play_on(self) -> None:
        """Plays like any good bot from here, until the end of the input."""
        while True:
            message = await self.message()
            if message["type"] == "turn":
                self.act(message)


class MemoryChannel:
    """The referee's side. A script that returns, or reads at the end, has exited with status 0."""

    strays = 0

    def __init__(self, nursery: trio.Nursery, script: Script, capacity: int = PIPE_BYTES) -> None:
        self.bot = BotEnd()
        self.stops: list[str] = []
        self.silent_as: Silence | None = None
        self._capacity = capacity
        self._scope = trio.CancelScope()
        self._ended = trio.Event()
        self._closed = False
        nursery.start_soon(self._run, script)

    async def _run(self, script: Script) -> None:
        ending = ChannelClosedError(FaultCode.EXITED, "the bot exited with status 0")
        try:
            with self._scope:
                await script(self.bot)
        except EOFError:
            pass
        except LeavesError as exc:
            ending = ChannelClosedError(exc.code, str(exc))
        self.bot.ending = ending
        self.bot.output_ended = True
        self._ended.set()
        self.bot.change()

    def write(self, data: bytes) -> int:
        self.stops.append("write")
        if self.bot.ending or self._closed:
            raise BrokenPipeError
        taken = data[: max(0, self._capacity - len(self.bot.inbox))]
        self.bot.inbox += taken
        self.bot.change()
        return len(taken)

    def read(self) -> bytes | None:
        data = bytes(self.bot.outbox[:PIPE_BYTES])
        del self.bot.outbox[: len(data)]
        return data or (b"" if self.bot.output_ended else None)

    async def wait_writable(self) -> None:
        await trio.lowlevel.checkpoint()
        while len(self.bot.inbox) >= self._capacity and not self.bot.ending:
            await self.bot.changed()

    async def wait_readable(self) -> None:
        await trio.lowlevel.checkpoint()
        while not self.bot.outbox and not self.bot.output_ended:
            await self.bot.changed()

    async def ending(self) -> ChannelClosedError:
        with trio.move_on_after(0.25):
            await self._ended.wait()
        words = "the bot closed its input or output, but is still running"
        return self.bot.ending or ChannelClosedError(FaultCode.CLOSED, words)

    def take_stderr(self) -> tuple[bytes, int]:
        return self.bot.stderr.take()

    def pause(self) -> None:
        self.stops.append("pause")

    def resume(self) -> None:
        self.stops.append("resume")

    def begin_game(self) -> None:
        pass

    def usage(self) -> Usage | None:
        return None

    def silence(self) -> Silence | None:
        return self.silent_as

    async def close(self, farewell: bytes) -> None:
        if self._closed:
            return
        with trio.CancelScope(shield=True):
            if not self.bot.ending:
                self.write(farewell)
            self._closed = self.bot.input_ended = True
            self.bot.change()
            with trio.move_on_after(0.5):
                await self._ended.wait()
            self._scope.cancel()
            await self._ended.wait()
