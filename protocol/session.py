"""Our end of one bot's connection, as a state machine without input, output or clock.

Messages in, bytes out; bytes in, messages out. Rule 1: everything about what may be said when is in
the tables below; docs/protocol.md draws its diagram from them. Rule 2: the session does not know
the rules of any game; whether an action is legal is not its business.

A bot may be slow or chatty without breaking anything: an answer to an older id, and a second answer
to the same one, is dropped and counted. A malformed answer costs the turn; any other
`ProtocolError` breaks the session for good.
"""

from collections import deque
from enum import StrEnum
from typing import Final

from protocol.codec import LineBuffer, decode_bot_message, encode
from protocol.faults import FloodError, MalformedError, ProtocolError, VersionError
from protocol.messages import (
    PROTOCOL,
    Action,
    BotHello,
    BotMessage,
    Bye,
    End,
    Error,
    ServerHello,
    ServerMessage,
    Start,
    Turn,
)

MAX_LINES_PER_TURN: Final = 256
MAX_BYTES_PER_TURN: Final = 1024 * 1024
MAX_STALE_PER_GAME: Final = 16
_HEARD_BYTES: Final = 4096  # are enough for a report


class SessionState(StrEnum):
    """Where the conversation stands."""

    NEW = "new"
    GREETED = "greeted"
    IDLE = "idle"
    PLAYING = "playing"
    ASKED = "asked"
    LEAVING = "leaving"
    BROKEN = "broken"


S = SessionState

WE_MAY_SAY: Final[dict[SessionState, dict[type[ServerMessage], SessionState]]] = {
    S.NEW: {ServerHello: S.GREETED, Bye: S.LEAVING},
    S.GREETED: {Error: S.BROKEN, Bye: S.LEAVING},
    S.IDLE: {Start: S.PLAYING, Bye: S.LEAVING},
    S.PLAYING: {Turn: S.ASKED, Error: S.PLAYING, End: S.IDLE, Bye: S.LEAVING},
    # From ASKED, a Turn, Error or End comes after a time-out: the answer is not waited for any more.
    S.ASKED: {Turn: S.ASKED, Error: S.PLAYING, End: S.IDLE, Bye: S.LEAVING},
    S.LEAVING: {},
    S.BROKEN: {Error: S.BROKEN, End: S.BROKEN, Bye: S.LEAVING},
}
BOT_MAY_SAY: Final[dict[SessionState, dict[type[BotMessage], SessionState]]] = {
    S.NEW: {},
    S.GREETED: {BotHello: S.IDLE},
    S.IDLE: {},
    S.PLAYING: {},
    S.ASKED: {Action: S.PLAYING},
    S.LEAVING: {},
    S.BROKEN: {},
}
# Where a malformed line leads: it stands for the answer. Elsewhere it breaks the session.
AFTER_MALFORMED: Final[dict[SessionState, SessionState]] = {
    S.PLAYING: S.PLAYING,
    S.ASKED: S.PLAYING,
}


class BotSession:
    """One connection, from our `hello` to our `bye`."""

    def __init__(self) -> None:
        self.state = S.NEW
        self.last_id = 0
        self.stale = 0
        self.lines = 0
        self.bytes = 0
        self.heard = b""  # the beginning of what came since it was asked, for fault reports
        self._answered = True
        self._buffer = LineBuffer()
        self._held: deque[bytes] = deque()

    @property
    def had_bom(self) -> bool:
        """Whether the bot's output began with a byte-order mark, which was dropped."""
        return self._buffer.had_bom

    @property
    def partial_line(self) -> bytes:
        """What the bot wrote after its last newline."""
        return self._buffer.tail

    @property
    def holds_lines(self) -> bool:
        """Whether lines came behind the last answer and wait to be judged with the next one."""
        return bool(self._held)

    def next_id(self) -> int:
        """The id that the next request must carry."""
        return self.last_id + 1

    def send(self, message: ServerMessage) -> bytes:
        """The bytes to write; a message out of place is a bug of ours (KeyError)."""
        self.state = WE_MAY_SAY[self.state][type(message)]
        if isinstance(message, Turn | ServerHello):
            assert message.id == self.last_id + 1
            self.last_id = message.id
            self._answered = False
            self.lines = self.bytes = 0
            self.heard = b""
        elif isinstance(message, Start):
            self.stale = 0
        return encode(message)

    def receive(self, data: bytes) -> BotMessage | None:
        """The answer that `data` completes, or None while it is still awaited.

        Raises `ProtocolError` when `data` breaks the protocol.
        """
        try:
            return self._receive(data)
        except MalformedError:
            self.state = AFTER_MALFORMED.get(self.state, S.BROKEN)
            self._answered = True
            raise
        except ProtocolError:
            self.state = S.BROKEN
            raise

    def _receive(self, data: bytes) -> BotMessage | None:
        if len(self.heard) < _HEARD_BYTES:
            self.heard += data  # a line may come in pieces
        self.bytes += len(data)
        if self.bytes > MAX_BYTES_PER_TURN:
            raise FloodError(f"{self.bytes} bytes in one turn")
        self._held += self._buffer.feed(data)
        while self._held:
            line = self._held.popleft()
            self.lines += 1
            if self.lines > MAX_LINES_PER_TURN:
                raise FloodError(f"more than {MAX_LINES_PER_TURN} lines in one turn")
            if line and not line.isspace() and self._admits(message := decode_bot_message(line)):
                # A turn ends with its answer: what follows is of the next one, however it came.
                return message
        return None

    def _admits(self, message: BotMessage) -> bool:
        if message.id > self.last_id:
            raise ProtocolError(
                f"answer to id {message.id}, but the last one asked is {self.last_id}"
            )
        if message.id < self.last_id or self._answered:
            self.stale += 1
            if self.stale > MAX_STALE_PER_GAME:
                raise ProtocolError(f"more than {MAX_STALE_PER_GAME} stale answers in one game")
            return False
        try:
            self.state = BOT_MAY_SAY[self.state][type(message)]
        except KeyError:
            raise MalformedError(f"{_type_of(message)} does not answer id {message.id}") from None
        if isinstance(message, BotHello) and message.protocol != PROTOCOL:
            raise VersionError(f"the bot speaks protocol {message.protocol}, we speak {PROTOCOL}")
        self._answered = True
        return True


def _type_of(message: BotMessage) -> str:
    return "a hello" if isinstance(message, BotHello) else "an action"
