"""What is kept of a game once it is over: plain values for tables and reports."""

from collections.abc import Sequence

import msgspec

from referee.game import Outcome
from referee.match import Forfeited, Verdict


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """One game. Everything by seat; `bots` has the number of the bot in each seat.

    `seconds` are the times of the decisions that were asked for, `faults` counts all of a seat's
    faults, also those that were forgiven; `tallies` are pairs: how often the game's tally counted, of
    how many times. A void game has no outcome.
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
    void: str = ""
