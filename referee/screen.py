"""What people see in a terminal: values in, text out. Nothing is decided here."""

import sys
from collections.abc import Sequence
from typing import IO, Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from referee.match import shown
from referee.replay import LoggedGame, Position
from tournaments.intervals import Interval
from tournaments.shapes import Standing

_PIPE_WIDTH = 200


def console(file: IO[str] | None = None) -> Console:
    """A console that never wraps, marks up or recolours what it is given."""
    out = file or sys.stdout
    width = None if out.isatty() else _PIPE_WIDTH
    return Console(file=out, width=width, highlight=False, markup=False, emoji=False)


def match_title(
    names: Sequence[str], title: str, options: str, games: int, seed: int | None
) -> str:
    """`a vs b · Svoyi Koziri (cards=24) · 100 games in 50 pairs · seed 7`."""
    drawn = "" if seed is None else f" · seed {seed}"
    words = _games_in_words(games, len(names))
    return f"{' vs '.join(names)} · {title}{options} · {words}{drawn}"


def _games_in_words(games: int, seats: int) -> str:
    """`21 games in 10 mirrored pairs and a single one`; with more seats, deals in rotation."""
    blocks, rest = divmod(games, seats)
    if games == 1 or not blocks:
        return "1 game" if games == 1 else f"{games} games"
    kind = "mirrored pair" if seats == 2 else f"deal in {seats} rotations"
    plural = kind if blocks == 1 else kind.replace("pair", "pairs").replace("deal ", "deals ")
    more = "" if not rest else " and a single one" if rest == 1 else f" and {rest} more"
    return f"{games} games in {blocks} {plural}{more}"


def standings_table(rows: Sequence[Standing], tally: str = "") -> Table:
    """The table of a match: wins and score of two bots, mean points and places of more.

    `tally` is the heading of what the game counts beside the scores, if it counts anything.
    """

    def cells(row: Standing) -> dict[str, str]:
        own = _cells_of_two(row) if len(rows) == 2 else _cells_of_many(row)
        return own | ({tally: _share(row.tally)} if tally else {}) | _common_cells(row)

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("", no_wrap=True)
    for heading in cells(rows[0]):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(Text(row.name), *cells(row).values())
    return table


def _cells_of_two(row: Standing) -> dict[str, str]:
    return {
        "win": str(row.wins),
        "draw": str(row.draws),
        "loss": str(row.losses),
        "score": f"{100 * row.score:.1f} %",
        "95 %": _interval(row.interval, 100),
    }


def _cells_of_many(row: Standing) -> dict[str, str]:
    return {
        "points": f"{row.score:.1f}",
        "95 %": _interval(row.interval, 1),
        "first": str(row.wins),
        "shared": str(row.draws),
        "place": "-" if row.place is None else f"{row.place:.2f}",
    }


def _common_cells(row: Standing) -> dict[str, str]:
    return {
        "time/move": _time(row.time.median if row.time else None),
        "slowest": _time(row.time.slowest if row.time else None),
        "cpu/game": _time(row.cpu_ms),
        "memory": "-" if row.peak_kib is None else f"{row.peak_kib / 1024:.0f} MiB",
        "faults": str(sum(row.faults.values())),
    }


def _share(tally: tuple[int, int]) -> str:
    counted, of = tally
    return f"{100 * counted / of:.0f} %" if of else "-"


def _interval(interval: Interval | None, scale: float) -> str:
    if interval is None:
        return "-"
    between = "-" if interval.low >= 0 else " to "  # a dash is no sign
    return f"{scale * interval.low:.1f}{between}{scale * interval.high:.1f}"


def _time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "-"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"


def game_listing(game: LoggedGame) -> list[str]:
    """The moves of a logged game in words."""
    names = [shown(game.header.bots[bot].name, 64) for bot in game.line.seats]
    width = max(map(len, names))
    lines = [
        f"game {game.line.game} · deal {game.line.deal_no} · {game.game.title}"
        f"{options_note(game.options)} · "
        + " - ".join(f"{name} (seat {seat})" for seat, name in enumerate(names))
    ]
    for position in game.positions:
        lines += _step_lines(game, position, names[position.act.seat].ljust(width))
    result = game.result
    if isinstance(result.void, str):
        return [*lines, f"   void: {shown(result.void, 300)}"]
    assert isinstance(result.scores, tuple)
    assert isinstance(result.places, tuple)
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, result.scores, strict=True))
    winners = [name for name, place in zip(names, result.places, strict=True) if place == 1]
    verdict = f"{winners[0]} wins" if len(winners) == 1 else "draw"
    return [*lines, f"   {verdict} ({result.reason}) · {scores}"]


def _step_lines(game: LoggedGame, position: Position, name: str) -> list[str]:
    act = position.act
    told = (game.game.describe(position.before, h.event) for h in position.happenings)
    words = "; ".join(word for word in told if word)
    if isinstance(act.fault, str):
        instead = f"; the referee plays for it: {words}" if words else ", and forfeits"
        words = f"is at fault ({act.fault}){instead}"
    took = f"{act.ms} ms" if isinstance(act.ms, int) else ""
    lines = [f"{act.step:>4}  {name}  {words:<34} {took:>8}".rstrip()]
    for aside in position.asides:
        if isinstance(aside.note, str | dict):
            lines.append(f"            note: {shown(_plain(aside.note), 200)}")
        if isinstance(aside.stderr, str):
            lines += [f"            stderr: {shown(x, 200)}" for x in aside.stderr.splitlines()]
    return lines


def _plain(note: str | dict[str, Any]) -> str:
    if isinstance(note, str):
        return note
    return ", ".join(f"{key} {value}" for key, value in note.items())


def _setting(value: Any) -> str:
    """As the command line takes it: a list is 1,3,5."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def options_note(options: Any) -> str:
    """` (cards=24, take=free)`: the options that differ from their defaults.

    The default of an option that is derived from others is what they make of it.
    """
    fields = msgspec.structs.fields(options)
    fixed = {f.name: getattr(options, f.name) for f in fields if f.default is not None}
    derived = type(options)(**fixed)
    changed = [
        f"{f.name.replace('_', '-')}={_setting(getattr(options, f.name))}"
        for f in fields
        if getattr(options, f.name)
        != (getattr(derived, f.name) if f.default is None else f.default)
    ]
    return f" ({', '.join(changed)})" if changed else ""
