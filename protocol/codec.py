"""Bytes to lines to messages, and back. No clocks, no sockets, no logging."""

from typing import Any, Final

import msgspec

from protocol.faults import MalformedError, OversizeError
from protocol.messages import Action, BotHello, BotMessage, ServerMessage

MAX_LINE_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 64
MAX_NOTE_CHARACTERS: Final = 500
MAX_NOTE_VALUES: Final = 16
BOM: Final = b"\xef\xbb\xbf"

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(BotHello | Action).decode
_decode_note = msgspec.json.Decoder(str | dict[str, bool | int | float | str | None]).decode
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


def encode(message: ServerMessage | BotMessage) -> bytes:
    """One message as one line, its newline included."""
    return _encode(message) + b"\n"


def decode_bot_message(line: bytes) -> BotMessage:
    """The message in `line`; raises `MalformedError` for anything else.

    The whole line is checked, also what the message's shape would skip: a log must never have to
    repeat bytes that are no text, or nesting that some reader cannot follow.
    """
    if not line.isascii():
        _check_utf8(line)
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and depth(line) > MAX_DEPTH:
        raise MalformedError(f"nested deeper than {MAX_DEPTH}")
    try:
        return _decode(line)
    except msgspec.ValidationError as exc:
        raise MalformedError(f"wrong shape: {exc}") from exc
    except msgspec.DecodeError as exc:
        raise MalformedError(f"not JSON: {exc}") from exc
    except RecursionError as exc:
        raise MalformedError("nested too deeply") from exc


def _check_utf8(line: bytes) -> None:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise MalformedError(f"not UTF-8: byte {exc.start + 1} of the line") from exc


def depth(line: bytes) -> int:
    """How deep the arrays and objects of a JSON text are nested, the outermost counted.

    >>> depth(b'{"a":[["]]"]]}')
    3
    """
    # Every step is linear in the line, whatever is in it: a pattern for strings would not be.
    plain = line.replace(b"\\\\", b"").replace(b'\\"', b"")
    outside_strings = b"".join(plain.split(b'"')[::2])
    deepest = level = 0
    for byte in outside_strings.translate(None, _NO_BRACKETS):
        level += 1 if byte in b"[{" else -1
        deepest = max(deepest, level)
    return deepest


def read_note(raw: msgspec.Raw) -> tuple[Any, str]:
    """A bot's note as it is kept (None: dropped), and a warning in words (empty: none).

    >>> read_note(msgspec.Raw(b'{"win":0.5}'))
    ({'win': 0.5}, '')
    >>> read_note(msgspec.Raw(b'[1]'))[0] is None
    True
    """
    try:
        note = _decode_note(raw)
    except (msgspec.MsgspecError, RecursionError):
        return None, "note dropped: it is neither a string nor a flat object"
    if isinstance(note, str):
        cut = note[:MAX_NOTE_CHARACTERS]
        return cut, "" if cut == note else f"note cut to {MAX_NOTE_CHARACTERS} characters"
    kept = {
        key[:MAX_NOTE_CHARACTERS]: value[:MAX_NOTE_CHARACTERS] if isinstance(value, str) else value
        for key, value in list(note.items())[:MAX_NOTE_VALUES]
    }
    return kept, "" if kept == note else f"note cut to {MAX_NOTE_VALUES} values, or a value in it"


class LineBuffer:
    """Cuts a byte stream into lines.

    >>> buffer = LineBuffer(max_bytes=10)
    >>> buffer.feed(b"one\\r\\ntw")
    [b'one']
    >>> buffer.feed(b"o\\n")
    [b'two']
    """

    def __init__(self, max_bytes: int = MAX_LINE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._tail = bytearray()
        self._at_start = True
        self.had_bom = False

    @property
    def tail(self) -> bytes:
        """What came after the last newline."""
        return bytes(self._tail)

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes; raises `OversizeError`."""
        # A dripping peer sends one byte at a time: look for the newline in the new part alone.
        if b"\n" not in data:
            self._tail += data
            self._check(len(self._tail))
            return []
        *lines, tail = data.split(b"\n")
        if self._tail:
            lines[0] = bytes(self._tail) + lines[0]
            self._tail.clear()
        self._tail += tail
        self._check(max(map(len, lines)), len(tail))
        if self._at_start:
            self._at_start = False
            self.had_bom = lines[0].startswith(BOM)
            lines[0] = lines[0].removeprefix(BOM)
        return [line[:-1] if line.endswith(b"\r") else line for line in lines]

    def _check(self, *lengths: int) -> None:
        if max(lengths) > self._max_bytes:
            raise OversizeError(f"more than {self._max_bytes} bytes without the end of the line")
