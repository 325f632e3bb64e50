"""What a tournament and the workers that play for it tell each other: one JSON object a line.

A worker is told the setting first, then one deal block after the other; it reports each game when it
is over, and the block when its log is on the disk. The end of its input is its end.
"""

from typing import Literal, TypeAlias, TypeVar

import msgspec

from referee.bots import BotSpec
from referee.channels.isolation import LayerName
from referee.channels.watch import Budget
from referee.clock import Clock
from referee.conduct import Conduct
from tournaments.shapes import Played

M = TypeVar("M", bound=msgspec.Struct)


class Setting(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="setting"):
    """What holds for all blocks. `hidden` are paths that no bot may see, where there are walls."""

    game: str
    options: msgspec.Raw
    bots: tuple[BotSpec, ...]
    start_ms: int
    clock: Clock
    conduct: Conduct
    budget: Budget
    ponder: bool
    restart: Literal["never", "game"]
    layer: LayerName
    seed: int | None = None
    hidden: tuple[str, ...] = ()
    cpu: int | None = None


class Order(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="order"):
    """One deal block to be played.

    `bots` are the bots of its first seating; the others are its rotations. `missed`: by bot of the
    block, how often in a row it could not be started before. `secret` is this block's own: salts and the bots'
    seeds come from it. `log` is where the log goes; empty: nowhere. `games`: fewer than a block has, for trials.
    """

    block: int
    bots: tuple[int, ...]
    deal_no: int
    deal: msgspec.Raw
    secret: str
    missed: tuple[int, ...]
    log: str = ""
    games: int | None = None


class GameOver(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="game"):
    """One more game of the running block is over; nothing is stored yet."""

    block: int


class BlockDone(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="done"):
    """All games of a block, void ones left out; its log is on the disk.

    `seal` is the log's last, `sha256` that of the whole file; `seconds` is how long it took.
    """

    block: int
    games: tuple[Played, ...]
    voids: int
    seal: str
    sha256: str
    seconds: float


class BlockFailed(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="failed"):
    """A block that could not be played, by no bot's fault."""

    block: int
    why: str


class Said(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="said"):
    """Something that the operator should know."""

    words: str


Report: TypeAlias = GameOver | BlockDone | BlockFailed | Said
ToWorker: TypeAlias = Setting | Order

_encode = msgspec.json.Encoder().encode
read_report = msgspec.json.Decoder(Report).decode
read_task = msgspec.json.Decoder(ToWorker).decode


def line_of(message: Report | ToWorker) -> bytes:
    """The message with its newline."""
    return _encode(message) + b"\n"
