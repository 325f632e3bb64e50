"""The commands and their arguments. What needs trio or rich is imported when a command runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from referee import __version__, defaults
from referee.conduct import OnFault

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    help="Referee and protocol server for bots that play cards.",
)

_PLAY = "Play"
_LOGS = "Logs"
_REFERENCE = "Reference"


class Restart(StrEnum):
    """When bots are started anew."""

    NEVER = "never"
    GAME = "game"


class Isolation(StrEnum):
    """Walls around bots."""

    AUTO = "auto"
    POSIX = "posix"
    BWRAP = "bwrap"
    STRICT = "strict"


_Option = Annotated[
    list[str] | None,
    typer.Option("-o", metavar="KEY=VALUE", help="An option of the game; may be repeated."),
]
_Seed = Annotated[
    int | None,
    typer.Option(min=0, help="Repeat the draws. Whoever knows it can compute the deals."),
]
_MoveMs = Annotated[int, typer.Option(min=1, help="Time for one decision.")]
_Isolation = Annotated[
    Isolation,
    typer.Option(help="Walls around bots; auto: the best that works. See: croupier doctor"),
]
_Jobs = Annotated[
    int | None,
    typer.Option(
        "-j",
        "--jobs",
        min=1,
        help="Games at once. Default: one for each processor; with pondering bots one for each seat.",
    ),
]
_NoAffinity = Annotated[
    bool,
    typer.Option("--no-affinity", help="Tie no game to a processor: for bots with threads."),
]
_Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"croupier {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    pass


@app.command(rich_help_panel=_PLAY)
def match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="See: croupier games")],
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT",
            help="builtin:NAME, a file, a folder with bot.toml, or a quoted command; NAME=… names it",
        ),
    ],
    games: Annotated[int, typer.Option("-n", "--games", min=1, help="How many games.")] = 1,
    option: _Option = None,
    seed: _Seed = None,
    move_ms: _MoveMs = defaults.MOVE_MS,
    game_ms: Annotated[
        int | None, typer.Option(min=1, help="A bank for the whole game, besides --move-ms.")
    ] = None,
    increment_ms: Annotated[
        int, typer.Option(min=0, help="Added to the bank after each answer.")
    ] = 0,
    margin_ms: Annotated[
        int, typer.Option(min=0, help="Lateness that is charged but not punished.")
    ] = defaults.MARGIN_MS,
    start_ms: Annotated[int, typer.Option(min=1, help="Time to start and say hello.")] = (
        defaults.START_MS
    ),
    no_timeout: Annotated[
        bool, typer.Option("--no-timeout", help="No clock: for a bot in a debugger.")
    ] = False,
    on_fault: Annotated[
        OnFault, typer.Option(help="A fault loses the game, or the referee plays for the bot.")
    ] = OnFault.FORFEIT,
    max_faults: Annotated[
        int, typer.Option(min=0, help="With substitute: so many are forgiven in one game.")
    ] = defaults.MAX_FAULTS,
    memory_mb: Annotated[
        int, typer.Option(min=1, metavar="MB", help="Memory for a bot and all it starts.")
    ] = defaults.MEMORY_MB,
    processes: Annotated[int, typer.Option(min=1, help="How many processes a bot may have.")] = (
        defaults.PROCESSES
    ),
    ponder: Annotated[
        bool, typer.Option("--ponder", help="Do not stop bots between their turns.")
    ] = False,
    isolation: _Isolation = Isolation.AUTO,
    restart: Annotated[
        Restart | None,
        typer.Option(help="Start bots anew for each game. Default: never, when nothing is hidden."),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the log goes; must not exist.")
    ] = None,
    no_log: Annotated[bool, typer.Option("--no-log", help="Write no log.")] = False,
    quiet: _Quiet = False,
    json: _Json = False,
) -> int:
    """Play games between bots and print the table."""
    from referee.cli.match import MatchArguments, run_match

    return run_match(
        MatchArguments(
            game=game,
            bots=tuple(bots),
            games=games,
            options=tuple(option or ()),
            seed=seed,
            move_ms=None if no_timeout else move_ms,
            game_ms=None if no_timeout else game_ms,
            increment_ms=increment_ms,
            margin_ms=margin_ms,
            start_ms=start_ms,
            on_fault=on_fault,
            max_faults=max_faults,
            memory_mb=memory_mb,
            processes=processes,
            ponder=ponder,
            isolation=isolation.value,
            restart=restart.value if restart else None,
            log=log,
            no_log=no_log,
            quiet=quiet,
            json=json,
        )
    )


@app.command(rich_help_panel=_PLAY)
def tournament(
    league: Annotated[
        Path, typer.Argument(metavar="LEAGUE.toml", help="What is played; see docs/league-file.md")
    ],
    folder: Annotated[
        Path | None,
        typer.Option("--dir", metavar="DIR", help="The run folder. Default: LEAGUE.d beside it."),
    ] = None,
    jobs: _Jobs = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan, try two games, store nothing.")
    ] = False,
    new_event: Annotated[
        bool, typer.Option("--new-event", help="Begin anew, beside the results that are there.")
    ] = False,
    no_affinity: _NoAffinity = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 4 when a bot was at fault.")
    ] = False,
    quiet: _Quiet = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print a line of JSON for each game, and the table.")
    ] = False,
) -> int:
    """Play a league; the same command goes on with what an earlier one did not finish."""
    from referee.cli.tournament import TournamentArguments, run_tournament

    return run_tournament(
        TournamentArguments(
            league=league,
            folder=folder,
            jobs=jobs,
            dry_run=dry_run,
            new_event=new_event,
            affinity=not no_affinity,
            strict=strict,
            json=json,
            quiet=quiet,
        )
    )


@app.command(rich_help_panel=_PLAY)
def standings(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The run folder of a tournament.")],
    bot: Annotated[
        str | None, typer.Argument(metavar="BOT", help="With --faults: only those of this bot.")
    ] = None,
    event: Annotated[
        int | None, typer.Option(min=1, help="Which event. Default: the newest.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page to publish.")
    ] = None,
    faults: Annotated[
        bool, typer.Option("--faults", help="List the games that were lost by a fault.")
    ] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print a line for each bot.")] = False,
    json: _Json = False,
) -> int:
    """Print the table of a tournament, also of one that is being played."""
    from referee.cli.standings import StandingsArguments, run_standings

    return run_standings(
        StandingsArguments(
            folder=folder, event=event, html=html, faults=faults, bot=bot, csv=csv, json=json
        )
    )


@app.command(rich_help_panel=_PLAY)
def compare(
    game: Annotated[str, typer.Argument(metavar="GAME", help="See: croupier games")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version; a BOT as for match.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The old version.")],
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="A bot that both play; may be repeated. Default: each other with two seats, "
            "builtin:greedy with more.",
        ),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(min=2, help="Players at a table. Default: 4 where there is a choice."),
    ] = None,
    cap: Annotated[int, typer.Option(min=1, help="Deals, at most.")] = 2000,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="The classical test instead, between two normalised Elo differences.",
        ),
    ] = None,
    option: _Option = None,
    seed: _Seed = None,
    move_ms: _MoveMs = defaults.MOVE_MS,
    isolation: _Isolation = Isolation.AUTO,
    jobs: _Jobs = None,
    no_affinity: _NoAffinity = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir", metavar="DIR", help="Keep games and logs there, and go on from them."
        ),
    ] = None,
    quiet: _Quiet = False,
    json: _Json = False,
) -> int:
    """Is the new version better? Plays both on the same deals and stops when it knows."""
    from referee.cli.compare import CompareArguments, run_compare

    return run_compare(
        CompareArguments(
            game=game,
            new=new,
            old=old,
            against=tuple(against or ()),
            seats=seats,
            cap=cap,
            sprt=sprt,
            options=tuple(option or ()),
            seed=seed,
            move_ms=move_ms,
            isolation=isolation.value,
            jobs=jobs,
            affinity=not no_affinity,
            folder=folder,
            quiet=quiet,
            json=json,
        )
    )


@app.command(rich_help_panel=_LOGS)
def verify(
    logs: Annotated[
        list[Path],
        typer.Argument(
            metavar="LOG|DIR...",
            help="Logs, folders of logs, run folders of tournaments; .gz, too.",
        ),
    ],
    seal: Annotated[
        str | None, typer.Option(metavar="HEX", help="The last seal, as it was published.")
    ] = None,
) -> int:
    """Play logs again by the rules and name the first wrong line; check a tournament's results."""
    from referee.cli.logs import run_verify

    return run_verify(logs, seal)


@app.command(rich_help_panel=_LOGS)
def replay(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log; .gz, too.")],
    game: Annotated[int | None, typer.Option(min=1, help="Only this game.")] = None,
) -> int:
    """Print the moves of a log in words."""
    from referee.cli.logs import run_replay

    return run_replay(log, game)


@app.command(rich_help_panel=_LOGS)
def rerun(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log; .gz, too.")],
    game: Annotated[int, typer.Option(min=1, help="Which game.")] = 1,
    seat: Annotated[int, typer.Option(min=0, help="Whose lines.")] = 0,
    until: Annotated[int | None, typer.Option(min=1, help="The last step that is asked.")] = None,
    print_lines: Annotated[
        bool, typer.Option("--print", help="Print the lines, for a bot in a debugger.")
    ] = False,
) -> int:
    """Give a bot once more what it was sent in a logged game."""
    from referee.cli.logs import run_rerun

    return run_rerun(log, game, seat, until, print_lines=print_lines)


@app.command(rich_help_panel=_REFERENCE)
def games(
    json: _Json = False,
) -> int:
    """List the games with their options, and the built-in bots."""
    from referee.cli.lookup import run_games

    return run_games(as_json=json)


@app.command(rich_help_panel=_REFERENCE)
def schema(
    game: Annotated[str, typer.Argument(metavar="GAME", help="See: croupier games")],
) -> int:
    """Print the JSON Schema of a game's messages."""
    from referee.cli.lookup import run_schema

    return run_schema(game)


@app.command(rich_help_panel=_REFERENCE)
def doctor(
    json: _Json = False,
) -> int:
    """Try what matches need on this machine, and say how to get what is missing."""
    from referee.cli.doctor import run_doctor

    return run_doctor(as_json=json)
