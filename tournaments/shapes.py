"""The data of tournaments: what is played, what is kept of a game, what the tables say."""

from collections.abc import Mapping, Sequence

import msgspec

from tournaments.intervals import Interval


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """The unit of everything: one table of bots, one deal, every seating.

    `table` are the numbers of its bots in ascending order, `deal` counts the table's deals from 0, a
    seating has the number of the bot in each seat.
    """

    table: tuple[int, ...]
    deal: int
    seatings: tuple[tuple[int, ...], ...]


class TimeUse(msgspec.Struct, frozen=True, kw_only=True):
    """Times of decisions in milliseconds: quartiles, and the slowest."""

    low: float
    median: float
    high: float
    slowest: float


class Forfeit(msgspec.Struct, frozen=True, kw_only=True):
    """Who lost a game by a fault: at which step (0: before the first), and why, in words."""

    seat: int
    step: int
    code: str
    why: str


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """One game that counts, as the store keeps it. All but `block` and `turn` by seat.

    `block` is the place of its block in the schedule, `turn` its number within the block, both from 0.
    `bots` are the bots' numbers, `faults` how often which fault was counted, forgiven ones included.
    `times` counts decisions by class of time (`tournaments.times`), `slowest` is in milliseconds.
    `tallies`, `peak_kib` and `cpu_ms` are those of `referee.results.GameResult`. `game` is the game's number in
    its log, void ones counted; `steps` are its decisions.
    """

    block: int
    turn: int
    bots: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    verdicts: tuple[str, ...]
    faults: tuple[Mapping[str, int], ...]
    times: tuple[Mapping[int, int], ...] = ()
    slowest: tuple[float | None, ...] = ()
    tallies: tuple[tuple[int, int], ...] = ()
    peak_kib: tuple[int | None, ...] = ()
    cpu_ms: tuple[int | None, ...] = ()
    forfeits: tuple[Forfeit, ...] = ()
    game: int = 1
    steps: int = 0


class Rating(msgspec.Struct, frozen=True):
    """On the scale of Elo; `interval` is None for the anchor, whose rating is given, and when unknown."""

    elo: float
    interval: Interval | None
    is_anchor: bool = False


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line over the games that counted.

    `ranks` are the best and the last place that the games leave possible: a shared rank `2-3`. A bot that has not
    played may have any, and takes none from the others.
    `score` is 0 to 1 with two seats (wins, and half of draws), and the mean of game points with
    more; its interval is over whole deal blocks. A win is a sole first place, a draw a shared one.
    `place` is the mean place, who shares places having the mean of them, `win_share` the share of first places, shared ones divided.
    `tally` is how often the game's tally counted, and of how many times; `faults` how often which
    fault. `peak_kib` is the most memory in any game, `cpu_ms` the mean computing time of a game; both
    None for built-in bots. `time` is None when the bot was never asked.
    """

    bot: int
    name: str
    version: str | None = None
    ranks: tuple[int, int]
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: Interval | None
    place: float | None
    win_share: float
    rating: Rating | None
    tally: tuple[int, int] = (0, 0)
    faults: Mapping[str, int]
    is_benched: bool = False
    time: TimeUse | None
    peak_kib: int | None = None
    cpu_ms: float | None = None


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """What one bot did against another in the games that both played.

    A win is to be placed above the other. `score` is wins and half of draws, 0 to 1, its `interval` is over deal
    blocks. `difference` is the mean difference of game points, with more than two seats.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: Interval | None
    difference: float | None = None


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """Between a line of the table and the next one: can the games tell them apart?

    `lead` is the difference of the scores, with more than two seats that of game points within games; the interval is of
    this pair alone. `is_clear` allows for all pairs that are compared at once
    (Holm). `deals_more`: about how many more deals a table would tell; None when it is clear, and when it is
    unknown because neither is ahead or the two were not compared.
    """

    lead: float
    interval: Interval | None
    is_clear: bool
    deals_more: int | None = None


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """A table, the best bot first.

    `meetings[i][j]` is what line i did against line j, None where they never met; `gaps[i]` lies
    between lines i and i + 1. `counted` games are those of the contiguous prefix of whole blocks,
    `played` all that are stored, `planned` all there will be. `blocks` is the number of blocks in the
    prefix.
    """

    seats: int
    rows: Sequence[Standing]
    meetings: Sequence[Sequence[Meeting | None]]
    gaps: Sequence[Gap]
    counted: int
    played: int
    planned: int
    blocks: int
