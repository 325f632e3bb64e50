"""The standings in a terminal: values in, rich tables and lines of text out. Nothing is decided here.

Names come from strangers: they are escaped, and no table takes anything for markup.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from referee.match import shown
from tournaments.comparisons import MOST_DEALS
from tournaments.intervals import Interval
from tournaments.shapes import Gap, Meeting, Rating, Standing, Standings

_NAME: Final = 40
_VERSION: Final = 12
_BAR: Final = 27
_BETWEEN: Final = 2
_MOST_GAPS: Final = 8
_ENDLESS: Final = 100_000  # wider than any table
_NONE: Final = "·"

_Cell: TypeAlias = Callable[[Meeting | None], str]


class _Column(NamedTuple):
    """Those with the lowest `keep` go first when the terminal is narrow; None always stays."""

    head: str
    cells: Sequence[str]
    keep: int | None = None
    justify: Literal["left", "right"] = "right"

    @property
    def width(self) -> int:
        return max(map(cell_len, (self.head, *self.cells))) + _BETWEEN


def print_standings(console: Console, table: Standings, tally: str = "") -> None:
    """All of it. On a terminal it fits; elsewhere everything is as wide as it needs to be."""
    width = console.width if console.is_terminal else None
    _print(console, rank_list(table, tally, width))
    console.print()
    console.print("\n".join(legend(table)), soft_wrap=True)
    if lines := gap_lines(table):
        console.print()
        console.print("\n".join(lines), soft_wrap=True)
    if table.counted:
        console.print()
        console.print(_meaning_of_meetings(table, width), soft_wrap=True)
        for part in head_to_head(table, width):
            _print(console, part)
    if any(row.faults for row in table.rows):
        console.print()
        console.print("Faults by kind")
        _print(console, fault_table(table))


def _print(console: Console, table: Table) -> None:
    if not console.is_terminal:  # a pipe has no edge
        endless = console.options.update(max_width=_ENDLESS)
        console.width = max(console.width, Measurement.get(console, endless, table).maximum)
    console.print(table)


def rank_list(table: Standings, tally: str = "", width: int | None = None) -> Table:
    """A line a bot, the best first. `tally` is the heading of what the game counts beside scores.

    `width` is that of the terminal: the bars go first where it is narrow, then what matters least.
    """
    rows = table.rows
    columns = [
        _Column("#", [_ranks(row) for row in rows]),
        _Column("bot", [_name(row) for row in rows], justify="left"),
        *_version(rows),
        *_ratings(rows),
        *(_duel(rows) if table.seats == 2 else _many(rows)),
        *([_Column(tally, [_share(row.tally) for row in rows], 40)] if tally else []),
        _Column("time/move", [_time(row.time.median if row.time else None) for row in rows], 30),
        _Column("slowest", [_time(row.time.slowest if row.time else None) for row in rows], 20),
        _Column("faults", [str(sum(row.faults.values()) or _NONE) for row in rows]),
    ]
    return _rich(_fitting(columns, width))


def _fitting(columns: Sequence[_Column], width: int | None) -> Sequence[_Column]:
    droppable = [each.keep for each in columns if each.keep is not None]
    if width is None or not droppable or _total(columns) <= width:
        return columns
    return _fitting([each for each in columns if each.keep != min(droppable)], width)


def _total(columns: Sequence[_Column]) -> int:
    return sum(each.width for each in columns) - _BETWEEN


def _rich(columns: Sequence[_Column]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, _BETWEEN, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(Text(column.head), justify=column.justify, no_wrap=True)
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, cells))
    return table


def _version(rows: Sequence[Standing]) -> list[_Column]:
    if not any(row.version for row in rows):
        return []
    versions = [shown(row.version or "", _VERSION) for row in rows]
    return [_Column("version", versions, 10, "left")]


def _ratings(rows: Sequence[Standing]) -> list[_Column]:
    """The number, and the bar of its interval on an axis that all share."""
    if not (axis := _axis(rows)):
        return []
    low, high = axis
    head = f"{low:<{_BAR // 2}.0f}{high:>{_BAR - _BAR // 2}.0f}"
    return [
        _Column("rating", [_rating(row.rating) for row in rows]),
        _Column(head, [bar(row.rating, low, high) for row in rows], 0, "left"),
    ]


def _axis(rows: Sequence[Standing]) -> tuple[float, float] | None:
    rated = [row.rating for row in rows if row.rating]
    if not rated:
        return None
    ends = [end for each in rated for end in _ends(each)]
    low, high = min(ends), max(ends)
    return (low, high) if high - low >= 1 else (low - 50, high + 50)


def _ends(rating: Rating) -> tuple[float, float]:
    between = rating.interval or Interval(rating.elo, rating.elo)
    return between.low, between.high


def bar(rating: Rating | None, low: float, high: float, width: int = _BAR) -> str:
    """A rating and its interval on an axis of so many characters: `  ├──●──┤`."""
    if rating is None:
        return ""

    def place(value: float) -> int:
        return round((value - low) / (high - low) * (width - 1))

    first, dot, last = (place(value) for value in (_ends(rating)[0], rating.elo, _ends(rating)[1]))
    line = dict.fromkeys(range(first, last + 1), "─") | {first: "├", last: "┤"} | {dot: "●"}
    return "".join(line.get(at, " ") for at in range(max(line) + 1))


def _duel(rows: Sequence[Standing]) -> list[_Column]:
    ends = [f"{row.wins}-{row.draws}-{row.losses}" if row.games else _NONE for row in rows]
    return [
        _Column("games", [str(row.games) for row in rows], 70),
        _Column("W-D-L", ends, 60),
        _Column("score", [f"{100 * row.score:.1f} %" if row.games else _NONE for row in rows]),
        _Column("95 %", [_interval(row.interval, 100) for row in rows], 50),
    ]


def _many(rows: Sequence[Standing]) -> list[_Column]:
    return [
        _Column("games", [str(row.games) for row in rows], 70),
        _Column("points", [f"{row.score:.1f}" if row.games else _NONE for row in rows]),
        _Column("95 %", [_interval(row.interval, 1) for row in rows], 50),
        _Column("place", [_NONE if row.place is None else f"{row.place:.2f}" for row in rows], 60),
        _Column(
            "first", [f"{100 * row.win_share:.0f} %" if row.games else _NONE for row in rows], 45
        ),
    ]


def legend(table: Standings) -> list[str]:
    """How far it is, and what the columns mean."""
    waiting = table.played - table.counted
    wait = "waits" if waiting == 1 else "wait"
    more = f"; {waiting} more {wait} for earlier blocks to be whole" if waiting > 0 else ""
    blocks = f"{table.blocks} deal block{'' if table.blocks == 1 else 's'}"
    lines = [f"{table.counted} of {table.planned} games count, {blocks}{more}."]
    if any(first < last for first, last in (row.ranks for row in table.rows)):
        lines.append(
            "A shared rank such as 2-3: the games leave these places possible "
            "(95 %, for all pairs at once)."
        )
    return [*lines, *_scale([row for row in table.rows if row.rating])]


def _scale(rated: Sequence[Standing]) -> list[str]:
    if not rated:
        return []
    ratings = [row.rating for row in rated if row.rating]
    fixed = [_plain_name(row) for row in rated if row.rating and row.rating.is_anchor]
    scale = f"{fixed[0]} is fixed at" if fixed else "the mean of all that have played is"
    unknown = any(each.interval is None and not each.is_anchor for each in ratings)
    note = "; ±? is unknown" if unknown else ""
    return [f"rating: Elo (Bradley-Terry), {scale} 1500; ± and bars are 95 % intervals{note}."]


def gap_lines(table: Standings) -> list[str]:
    """A line for each two neighbours that the games cannot tell apart."""
    pairs = zip(pairwise(table.rows), table.gaps, strict=True)
    open_ = [
        _open_gap(above, below, gap, " a table" if len(table.rows) > table.seats else "")
        for (above, below), gap in pairs
        if above.games and below.games and not gap.is_clear
    ]
    more = len(open_) - _MOST_GAPS
    rest = [f"… and {more} more neighbours."] if more > 0 else []
    return [*open_[:_MOST_GAPS], *rest]


def _open_gap(above: Standing, below: Standing, gap: Gap, each: str) -> str:
    apart = f"{_plain_name(above)} and {_plain_name(below)} cannot be told apart"
    if gap.deals_more is None:
        return f"{apart}."
    if gap.deals_more >= MOST_DEALS:
        return f"{apart}; even {MOST_DEALS} more deals{each} might not do."
    plural = "deal" if gap.deals_more == 1 else "deals"
    return f"{apart}; about {gap.deals_more} more {plural}{each} would."


def _meaning_of_meetings(table: Standings, width: int | None) -> str:
    if table.seats == 2 and _has_counts(table, width):
        return "Head to head: wins-draws-losses of the row against the column"
    return "Head to head: how often the row was above the column, % of their games"


def _has_counts(table: Standings, width: int | None) -> bool:
    return width is None or _total(_meetings(table, _counts)) <= width


def head_to_head(table: Standings, width: int | None = None) -> list[Table]:
    """What each line did against each other: counts with two seats, else or where it is narrow per cents.

    More than one table when even these do not fit side by side.
    """
    cell = _counts if table.seats == 2 and _has_counts(table, width) else _percent
    label, *columns = _meetings(table, cell)
    parts: list[list[_Column]] = [[]]
    for column in columns:
        if parts[-1] and width is not None and _total([label, *parts[-1], column]) > width:
            parts.append([])
        parts[-1].append(column)
    return [_rich([label, *part]) for part in parts]


def _meetings(table: Standings, cell: _Cell) -> list[_Column]:
    rows = table.rows
    names = [f"{number} {_name(row)}" for number, row in enumerate(rows, 1)]
    columns = [
        _Column(
            str(other + 1),
            [
                _NONE if other == own else cell(table.meetings[own][other])
                for own in range(len(rows))
            ],
        )
        for other in range(len(rows))
    ]
    return [_Column("", names, justify="left"), *columns]


def _counts(met: Meeting | None) -> str:
    return f"{met.wins}-{met.draws}-{met.losses}" if met else ""


def _percent(met: Meeting | None) -> str:
    return f"{100 * met.score:.0f}" if met else ""


def fault_table(table: Standings) -> Table:
    """How often which bot did what; bots and kinds without any are left out."""
    faulty = [row for row in table.rows if any(row.faults.values())]
    kinds = sorted({kind for row in faulty for kind, count in row.faults.items() if count})
    columns = [
        _Column(kind, [str(row.faults.get(kind) or _NONE) for row in faulty]) for kind in kinds
    ]
    return _rich([_Column("bot", [_name(row) for row in faulty], justify="left"), *columns])


def _plain_name(row: Standing) -> str:
    return shown(row.name, _NAME)


def _name(row: Standing) -> str:
    return _plain_name(row) + (" (benched)" if row.is_benched else "")


def _ranks(row: Standing) -> str:
    first, last = row.ranks
    return str(first) if first == last else f"{first}-{last}"


def _rating(rating: Rating | None) -> str:
    if rating is None:
        return _NONE
    if rating.is_anchor:
        return f"{rating.elo:.0f} fixed"
    between = rating.interval
    reach = "?" if between is None else f"{(between.high - between.low) / 2:.0f}"
    return f"{rating.elo:.0f} ±{reach}"


def _share(tally: tuple[int, int]) -> str:
    counted, of = tally
    return f"{100 * counted / of:.0f} %" if of else _NONE


def _interval(interval: Interval | None, scale: float) -> str:
    if interval is None:
        return _NONE
    between = "-" if interval.low >= 0 else " to "  # a dash is no sign
    return f"{scale * interval.low:.1f}{between}{scale * interval.high:.1f}"


def _time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return _NONE
    if milliseconds >= 10_000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
