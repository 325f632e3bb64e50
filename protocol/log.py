"""The lines of a replay log, and the hashes that make it prove itself.

One match is one JSON Lines file: a `log` header, then per game `game`, `act`…, `result`, `seal`, and
at the end `close`. What is private (notes, stderr, fault records, commands, paths) stands in `aside`
lines of its own: the seal covers the other lines and a digest of the asides, so that a public copy
just leaves whole lines out and the chain still holds.

    commitment = SHA-256(salt, newline, the deal's JSON as written)
    asides     = SHA-256(the aside lines)
    seal       = SHA-256(previous seal, newline, asides, newline, the game's other lines)

The first previous seal is the SHA-256 of the header line. Every line is hashed with its newline.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from protocol.codec import MAX_DEPTH, depth
from protocol.faults import FaultCode
from protocol.messages import BotSeed, Milliseconds, RequestId, Seat

LOG_FORMAT: Final = 1
Digest: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every bot was allowed; a limit that is not there was off."""

    start_ms: Milliseconds
    move_ms: Milliseconds | UnsetType = UNSET
    margin_ms: Milliseconds
    game_ms: Milliseconds | UnsetType = UNSET
    increment_ms: Milliseconds | UnsetType = UNSET
    on_fault: Literal["forfeit", "substitute"] = "forfeit"
    max_faults: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    memory_mb: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    processes: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    ponder: Annotated[bool, Meta(description="bots were not stopped between their turns")] = False


class BotLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot in the header."""

    name: str
    version: str | UnsetType = UNSET


class Header(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="log"):
    """First line: what was played, by whom, under which limits."""

    format: int
    program: str
    game: str
    seed: int | UnsetType = UNSET
    limits: Limits
    isolation: str
    restart: Literal["never", "game"]
    bots: Sequence[BotLine]


class GameLine(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="game",
):
    """A game begins."""

    game: Annotated[int, Meta(ge=1)]
    again: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    deal_no: Annotated[int, Meta(ge=0)]
    options: msgspec.Raw
    seats: Annotated[tuple[Seat, ...], Meta(description="the bot's number by seat")]
    seeds: Annotated[tuple[BotSeed, ...], Meta(description="by seat")]
    deal: msgspec.Raw
    salt: str
    commitment: Digest


class Act(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="act",
):
    """One decision, or the fault that stood in its place."""

    step: Annotated[int, Meta(ge=1)]
    seat: Seat
    id: RequestId | UnsetType = UNSET
    action: str | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    fault: FaultCode | UnsetType = UNSET
    by: Literal["substitute", "stand-in"] | UnsetType = UNSET
    clock_ms: Milliseconds | UnsetType = UNSET
    suspect: Annotated[bool, Meta(description="the referee was late itself")] = False


class Aside(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="aside"):
    """What is private: left out of public copies, covered by a digest."""

    step: int | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    bot: int | UnsetType = UNSET
    note: Any = UNSET
    stderr: str | UnsetType = UNSET
    stderr_bytes: int | UnsetType = UNSET
    warning: str | UnsetType = UNSET
    run: Sequence[str] | UnsetType = UNSET
    source: str | UnsetType = UNSET
    fault: Any = UNSET
    usage: Any = UNSET


class Result(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="result",
):
    """How the game ended; a void game has only `void`, the reason in words."""

    scores: tuple[int, ...] | UnsetType = UNSET
    places: tuple[int, ...] | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    verdicts: Annotated[tuple[str, ...], Meta(description="`ok` or a fault")] | UnsetType = UNSET
    void: str | UnsetType = UNSET


class SealLine(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="seal",
):
    """Chains the game to everything before it."""

    game: int
    previous: Digest
    seal: Digest
    asides: Digest


class Close(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="close",
):
    """Last line. `secret` opens all deals when no seed was chosen by the operator."""

    games: int
    seal: Digest
    secret: Digest | UnsetType = UNSET


LogLine: TypeAlias = Header | GameLine | Act | Aside | Result | SealLine | Close

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(LogLine).decode


class LogLineError(ValueError):
    """A line of a log is not what a log may hold."""


def encode_line(line: LogLine) -> bytes:
    """The line with its newline."""
    return _encode(line) + b"\n"


def decode_line(line: bytes) -> LogLine:
    """The line's meaning; raises `LogLineError`."""
    if depth(line) > MAX_DEPTH:
        raise LogLineError(f"nested deeper than {MAX_DEPTH}")
    try:
        line.decode("utf-8")
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as exc:
        raise LogLineError(str(exc)) from exc


def commitment(salt: str, deal_json: bytes) -> str:
    """The promise that is made before the first card is seen."""
    return sha256(salt.encode() + b"\n" + deal_json).hexdigest()


class Chain:
    """The running seal of a log: feed it every line in order.

    Asides before a game's first line, and between games, belong to the next game.
    """

    def __init__(self, header_line: bytes) -> None:
        self.seal = sha256(header_line).hexdigest()
        self._lines: list[bytes] = []
        self._asides = sha256()
        self.has_asides = False

    def add(self, line: bytes) -> None:
        """One public line of the game, newline included."""
        self._lines.append(line)

    def add_aside(self, line: bytes) -> None:
        """One aside, newline included."""
        self._asides.update(line)
        self.has_asides = True

    def seal_line(self, game: int, asides: str | None = None) -> SealLine:
        """Ends the game: the line that seals it. What is added after it belongs to the next game.

        `asides` is the digest of aside lines that are not there (a public copy).
        """
        previous, digest = self.seal, asides or self._asides.hexdigest()
        self.seal = sha256(f"{previous}\n{digest}\n".encode() + b"".join(self._lines)).hexdigest()
        self._lines, self._asides, self.has_asides = [], sha256(), False
        return SealLine(game=game, previous=previous, seal=self.seal, asides=digest)
