"""`croupier standings`: what a run folder says, while it is played and afterwards."""

import os
import shlex
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from referee import screen, tables
from referee.bots import did_you_mean
from referee.cli.errors import UsageError, say
from referee.games import GAMES
from referee.match import shown
from tournaments.exports import as_csv, as_json
from tournaments.page import page
from tournaments.publishing import facts_of
from tournaments.results import Results, results_of
from tournaments.shapes import Forfeit, Played
from tournaments.store import reading

_MAX_FAULTS: Final = 50  # that are listed


class StandingsArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The command line, parsed but not understood."""

    folder: Path
    bot: str | None
    event: int | None
    html: Path | None
    faults: bool
    csv: bool
    json: bool


def run_standings(arguments: StandingsArguments) -> int:
    """Prints the table, or what was asked for instead."""
    with reading(arguments.folder) as store:
        results = results_of(store, arguments.event)
    if arguments.html:
        write_page(results, arguments.folder, arguments.html)
    elif arguments.json:
        sys.stdout.buffer.write(json_line(results, arguments.folder))
    elif arguments.csv:
        sys.stdout.write(as_csv(results.standings, GAMES[results.event.league.game].tally))
    elif arguments.faults:
        print_faults(results, arguments.folder, arguments.bot)
    else:
        print_standings(results, arguments.folder)
    return 0


def print_standings(results: Results, folder: Path) -> None:
    """The table, and what can be done next."""
    out = screen.console()
    table, event = results.standings, results.event
    out.print(headline(results), soft_wrap=True, end="\n\n")
    tables.print_standings(out, table, GAMES[event.league.game].tally)
    typed = shlex.quote(str(folder))
    lines = [f"logs    {folder}  (croupier verify {typed})"]
    if any(row.faults for row in table.rows):
        lines.append(f"faults  croupier standings {typed} --faults")
    lines.append(f"page    croupier standings {typed} --html standings.html")
    if results.unplayable:
        lines.append(
            f"{results.unplayable} deals could not be played, by no bot's fault, and are left out."
        )
    out.print("\n" + "\n".join(lines), soft_wrap=True)


def headline(results: Results) -> str:
    """`Autumn league · Wizard (rounds=quick), 4 seats · round-robin · isolation bwrap`."""
    event = results.event
    league = event.league
    game = f"{GAMES[league.game].title}{screen.options_note(league.options)}"
    number = f" · event {event.number}" if event.number > 1 else ""
    return (
        f"{shown(league.name, 64)} · {game}, {league.seats} seats · {league.format} · "
        f"isolation {event.layer}{number}"
    )


def json_line(results: Results, folder: Path) -> bytes:
    """One JSON object, and a newline."""
    event = results.event
    report: dict[str, Any] = {
        "type": "standings",
        "folder": str(folder),
        "event": event.number,
        "name": event.league.name,
        "game": event.league.game,
        "options": event.league.options,
        "format": event.league.format,
        "deals": event.league.deals,
        "restart": event.league.restart,
        "isolation": event.layer,
        "seed": event.league.seed,
        "commitment": results.commitment,
        "program": event.program,
        "began": results.began,
        "unplayable": results.unplayable,
        **as_json(results.standings, GAMES[event.league.game].tally),
    }
    return msgspec.json.encode(report) + b"\n"


def write_page(results: Results, folder: Path, file: Path) -> None:
    """The page, whole or not at all; its links lead from where it is to the logs."""

    def log_at(log: str) -> str:
        return os.path.relpath(folder / log, file.parent)

    facts = facts_of(
        results, screen.options_note(results.event.league.options).strip(" ()"), log_at
    )
    draft = file.with_name(f".{file.name}.tmp")
    try:
        draft.write_text(page(facts, results.standings), encoding="utf-8")
        draft.replace(file)
    except OSError as exc:
        raise UsageError(f"cannot write {file}: {exc.strerror}") from exc
    say(f"wrote {file}")


def print_faults(results: Results, folder: Path, bot: str | None) -> None:
    """The games that were lost by a fault, in the order of the schedule, each with what shows it again."""
    names = results.event.names
    if bot is not None and bot not in names:
        raise UsageError(f"no bot is called '{bot}'.{did_you_mean(bot, names)}")
    out = screen.console()
    found = [
        (played, forfeit)
        for played in results.played
        for forfeit in played.forfeits
        if bot in {None, names[played.bots[forfeit.seat]]}
    ]
    for played, forfeit in found[:_MAX_FAULTS]:
        out.print("\n".join(_fault_lines(results, folder, played, forfeit)), soft_wrap=True)
    if len(found) > _MAX_FAULTS:
        out.print(f"and {len(found) - _MAX_FAULTS} more; of one bot: --faults BOT")
    if not found:
        out.print(
            "No game was lost by a fault." if bot is None else f"{bot} lost no game by a fault."
        )


def _fault_lines(results: Results, folder: Path, played: Played, forfeit: Forfeit) -> list[str]:
    names = results.event.names
    name = shown(names[played.bots[forfeit.seat]], 64)
    others = ", ".join(shown(names[b], 64) for s, b in enumerate(played.bots) if s != forfeit.seat)
    step = f" at step {forfeit.step}" if forfeit.step else ""
    line = f"✗ {name} against {others}{step}: {forfeit.code}, {shown(forfeit.why, 200)}"
    log = results.logs.get(played.block)
    if log is None:
        return [line]
    typed = shlex.quote(str(folder / log))
    return [
        line,
        f"  croupier replay {typed} --game {played.game}",
        f"  croupier rerun {typed} --game {played.game} --seat {forfeit.seat} --print",
    ]
