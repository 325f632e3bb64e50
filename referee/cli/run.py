"""Runs a command and maps our errors to one sentence and an exit status. The only such place."""

import sys
import traceback
from collections.abc import Sequence
from typing import Any, Final

import typer

from referee.bots import BotError
from referee.channels import IsolationError
from referee.cli.app import app
from referee.cli.errors import UsageError, say
from referee.logbook import LogFileError
from referee.replay import LogError
from tournaments.errors import LeagueError, StoreError, TrialError

FINE: Final = 0
WRONG: Final = 1
USAGE: Final = 2
NO_START: Final = 3
BOT_FAULT: Final = 4
OUR_BUG: Final = 70
# typer brings its own copy of click, or uses the installed one: a BadParameter is a UsageError is
# a ClickException in both.
_ClickException: Final = typer.BadParameter.__mro__[2]
INTERRUPTED: Final = 130

_STATUS: Final[dict[type[Exception], int]] = {
    LogError: WRONG,
    UsageError: USAGE,
    LogFileError: USAGE,
    LeagueError: USAGE,
    StoreError: USAGE,
    BotError: NO_START,
    TrialError: NO_START,
    IsolationError: NO_START,
}


def run(args: Sequence[str]) -> int:
    """The exit status of `croupier ARGS…`."""
    try:
        status = app(list(args), standalone_mode=False, prog_name="croupier")
    except typer.Exit as exc:
        return exc.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except BrokenPipeError:
        # Who reads our output has gone (`| head`): no reason for a traceback at exit, either.
        sys.stdout = sys.stderr
        return FINE
    except BaseExceptionGroup as group:
        return _grouped(group)
    except Exception as exc:  # noqa: BLE001 (the last resort)
        return _misused(exc, args) if isinstance(exc, _ClickException) else _failed(exc)
    return status if isinstance(status, int) else FINE


def _misused(exc: Any, args: Sequence[str]) -> int:
    """The command line could not be parsed. Without any arguments the help was printed already."""
    if words := exc.format_message():
        known = {c.callback.__name__ for c in app.registered_commands if c.callback}
        command = f"{args[0]} " if args[0] in known else ""
        say(f"{words if words[-1] in '.?' else words + '.'} See: croupier {command}--help")
    return USAGE


def _grouped(group: BaseExceptionGroup[BaseException]) -> int:
    """Nurseries wrap what comes out of them."""
    if group.subgroup(KeyboardInterrupt):
        return _interrupted()
    if len(group.exceptions) == 1:
        inner = group.exceptions[0]
        if isinstance(inner, BaseExceptionGroup):
            return _grouped(inner)
        if isinstance(inner, Exception):
            return _failed(inner)
    return _failed(group)


def _failed(exc: BaseException) -> int:
    for kind, status in _STATUS.items():
        if isinstance(exc, kind):
            say(str(exc))
            return status
    traceback.print_exception(exc)
    say("This is a bug of croupier, not of a bot. Please report it with the lines above.")
    return OUR_BUG


def _interrupted() -> int:
    say("Interrupted. What was finished is in the log.")
    return INTERRUPTED
