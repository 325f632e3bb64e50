"""`croupier verify` and `croupier replay`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from referee import screen
from referee.cli.errors import UsageError
from referee.logbook import logs_in, read_lines
from referee.match import shown
from referee.replay import LogError, replay, verify


def run_verify(paths: Sequence[Path], seal: str | None) -> int:
    """One line a log; 1 when one of them is wrong."""
    logs = logs_in(paths)
    if seal is not None and len(logs) != 1:
        raise UsageError(f"--seal belongs to one log, but {len(logs)} are given")
    return max(_verify_one(log, seal) for log in logs)


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
