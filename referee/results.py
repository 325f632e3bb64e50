"""What is kept of a game once it is over: plain values for tables and reports."""

from collections.abc import Sequence

import msgspec

from protocol.faults import FaultCode
from referee.game import Outcome
from referee.match import Forfeited, Verdict


class FaultRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, as the log's aside and the report to people have it.

    `asked` is the line that was sent and `got` the beginning of what came, both escaped and cut;
    `looks` says in words what it looks like, and a remedy;
    `ms` is the reading of the clock, `lines` and `bytes` what came since it was asked; `stderr` is
    the end of it.
    """

    seat: int
    code: FaultCode
    why: str
    step: int = 0
    id: int = 0
    ms: int | None = None
    asked: str = ""
    got: str = ""
    lines: int = 0
    bytes: int = 0
    looks: str = ""
    stderr: str = ""


class SeatUsage(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot and its children used in one game: memory at its peak, computing time."""

    peak_kib: int
    cpu_ms: int


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """One game. Everything by seat; `bots` has the number of the bot in each seat.

    `seconds` are the times of the decisions that were asked for, `faults` counts all of a seat's
    faults, also those that were forgiven; `tallies` are pairs: how often the game's tally counted, of
    how many times. A void game has no outcome; `again` is the number of the
    void game that this one was played instead of.
    """

    game: int
    deal_no: int
    bots: tuple[int, ...]
    outcome: Outcome | None
    verdicts: tuple[Verdict, ...]
    actions: Sequence[str]
    seconds: tuple[Sequence[float], ...]
    faults: tuple[int, ...]
    tallies: tuple[tuple[int, int], ...] = ()
    forfeits: Sequence[Forfeited] = ()
    faults_seen: Sequence[FaultRecord] = ()
    usage: Sequence[SeatUsage | None] = ()
    void: str = ""
    again: int | None = None
