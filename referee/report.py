"""What went wrong, told so that a bot's author can mend it: values in, lines of text out."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.match import Forfeited, shown
from referee.results import GameResult

_MAX_LINES: Final = 5
_STDERR_LINES: Final = 6
_WIDTH: Final = 100
_INDENT: Final = " " * 10


def fault_report(
    results: Sequence[GameResult], names: Sequence[str], log: Path | None
) -> list[str]:
    """The first forfeit of every bot in full, a line for each of some more, and how many there were."""
    full: list[str] = []
    short: list[str] = []
    told: set[int] = set()
    for result in results:
        for forfeit in result.forfeits:
            bot = result.bots[forfeit.seat]
            if bot in told:
                short.append(_headline(result, forfeit, names[bot]))
            else:
                full += [_headline(result, forfeit, names[bot]), *_details(result, forfeit, log)]
            told.add(bot)
    more = len(short) - _MAX_LINES
    rest = [f"  … and {more} more forfeits"] if more > 0 else []
    return [*full, *short[:_MAX_LINES], *rest]


def void_lines(results: Sequence[GameResult]) -> list[str]:
    """A line for each game that did not count."""
    return [f"! game {r.game} is void: {shown(r.void, 300)}" for r in results if not r.outcome]


def _headline(result: GameResult, forfeit: Forfeited, name: str) -> str:
    step = f" at step {forfeit.step}" if forfeit.step else ""
    why = shown(forfeit.why, 300)
    return f"✗ {name} forfeited game {result.game}{step} ({forfeit.fault}): {why}"


def _details(result: GameResult, forfeit: Forfeited, log: Path | None) -> Iterator[str]:
    record = next(r for r in result.faults_seen if (r.seat, r.step) == (forfeit.seat, forfeit.step))
    if record.id:
        yield from _quoted("asked", record.asked)
        yield from _quoted("got", record.got or "nothing on stdout")
    if record.looks:
        yield from _quoted("looks", record.looks)
    if lines := record.stderr.strip().splitlines()[-_STDERR_LINES:]:
        yield "  last lines of its stderr"
        yield from (f"    {shown(line, _WIDTH)}" for line in lines)
    if record.id and log:
        command = (
            f"croupier rerun {shlex.quote(str(log))} --game {result.game} --seat {record.seat}"
        )
        yield f"  rerun   {command} --print"


def _quoted(word: str, text: str) -> Iterator[str]:
    """The text behind its word, as often broken as it must be; its own lines are kept."""
    lines = [
        part for line in text.splitlines() for part in textwrap.wrap(shown(line, 1000), _WIDTH)
    ]
    for number, line in enumerate(lines):
        yield f"  {word:<8}{line}" if number == 0 else f"{_INDENT}{line}"
