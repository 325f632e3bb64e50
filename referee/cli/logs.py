"""`croupier verify`, `croupier replay` and `croupier rerun`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from referee import screen
from referee.cli.errors import UsageError
from referee.logbook import logs_in, read_lines
from referee.match import shown
from referee.replay import LogError, LoggedGame, replay, verify
from referee.rerun import input_lines
from tournaments.audit import Audit, audits
from tournaments.store import is_run_folder, reading


def run_verify(paths: Sequence[Path], seal: str | None) -> int:
    """One line a log or an event of a tournament; 1 when one of them is wrong."""
    runs = [path for path in paths if is_run_folder(path)]
    rest = [path for path in paths if path not in runs]
    logs = logs_in(rest) if rest else []
    if seal is not None and (runs or len(logs) != 1):
        raise UsageError(f"--seal belongs to one log, but {len(logs) + len(runs)} are given")
    return max([_verify_one(log, seal) for log in logs] + [_verify_run(run) for run in runs])


def _verify_run(folder: Path) -> int:
    """A line for each event, and one for whatever is wrong."""
    out = screen.console()
    status = 0
    with reading(folder) as store:
        for audit in audits(store):
            logs = [f"{found.log}: {found.wrong}" for found in audit.findings if found.wrong]
            for words in (*audit.wrong, *logs):
                status = 1
                out.print(f"✗ {folder}: {shown(words, 500)}", soft_wrap=True)
            mark = "✗" if logs or audit.wrong else "✓"
            out.print(f"{mark} {folder}, event {audit.event}: {_audited(audit)}", soft_wrap=True)
    return status


def _audited(audit: Audit) -> str:
    """`12 games in 6 logs; deals drawn again from the event's secret`."""
    kept = [found for found in audit.findings if found.log]
    games = sum(found.games for found in kept)
    left_out = sum(found.games for found in audit.findings) - games
    words = [f"{games} games in {len(kept)} logs"]
    if left_out:
        words.append(f"logs of {left_out} more were not kept")
    words.append(
        "their deals drawn again from the event's secret"
        if audit.has_secret
        else "where the deals come from was not checked, for the event's secret is not here"
    )
    return "; ".join(words)


def _verify_one(log: Path, seal: str | None) -> int:
    out = screen.console()
    try:
        verified = verify(read_lines(log), seal)
    except LogError as exc:
        out.print(f"✗ {log}: {shown(str(exc), 500)}", soft_wrap=True)
        return 1
    games = "1 game" if verified.games == 1 else f"{verified.games} games"
    out.print(f"✓ {log}: {games}, seal {verified.seal}", soft_wrap=True)
    return 0


def run_replay(log: Path, number: int | None) -> int:
    """The games of the log, or one of them; what is wrong with the log is a warning."""
    out = screen.console()
    found = 0
    try:
        for game in replay(read_lines(log)):
            if number in {None, game.line.game}:
                out.print("\n".join(screen.game_listing(game)), soft_wrap=True)
                found += 1
    except LogError as exc:
        print(f"warning: {log}: {shown(str(exc), 500)}", file=sys.stderr)  # noqa: T201
    if number is not None and not found:
        raise UsageError(f"log {log} has no game {number}")
    return 0


def run_rerun(log: Path, number: int, seat: int, until: int | None, *, print_lines: bool) -> int:
    """The lines that a seat was sent."""
    if not print_lines:
        raise UsageError("say --print: the lines are for a bot that you run yourself")
    game, reveal = _logged_game(log, number)
    if seat >= len(game.line.seats):
        raise UsageError(f"game {number} has the seats 0 to {len(game.line.seats) - 1}, not {seat}")
    for line in input_lines(game, seat, reveal=reveal, until=until):
        sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
    return 0


def _logged_game(log: Path, number: int) -> tuple[LoggedGame, bool]:
    """A game, and whether its deal was shown to the bots: it was when it is not played once more."""
    found = None
    for game in replay(read_lines(log)):
        if game.line.game == number:
            found = game
        elif found and game.line.deal_no == found.line.deal_no:
            return found, False
    if found is None:
        raise UsageError(f"log {log} has no game {number}")
    return found, True
