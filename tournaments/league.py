"""The league file: what an organiser writes, all that can be wrong with it, and what it means.

The tables below are the reference: docs/league-file.md is generated from them. Every problem of a file is found
at once, and told with file, line and key.
"""

from collections.abc import Mapping, Sequence
from math import comb
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from referee import defaults
from referee.bots import (
    BotError,
    BotSpec,
    checked_name,
    did_you_mean,
    parse_bot,
    with_different_names,
)
from referee.channels.probing import IsolationMode
from referee.channels.watch import Budget
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.game import Game, OptionsError
from referee.games import GAMES
from tournaments.balancing import balanced_tables
from tournaments.errors import LeagueError
from tournaments.schedule import Table, all_tables, gauntlet_tables
from tournaments.toml_lines import Problems, TomlError, load

Format: TypeAlias = Literal["round-robin", "gauntlet"]
Kept: TypeAlias = Literal["all", "faults"]
Restart: TypeAlias = Literal["game", "never"]

_JSON_VERSION: Final = 1
_AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]
_NotNegative: TypeAlias = Annotated[int, Meta(ge=0)]


class LimitsTable(msgspec.Struct, frozen=True, rename="kebab"):
    """`[limits]`: what a bot may use, and what a fault costs. As the options of `croupier match`."""

    move_ms: Annotated[_AtLeastOne, Meta(description="time for one decision, in milliseconds")] = (
        defaults.MOVE_MS
    )
    game_ms: Annotated[
        _AtLeastOne | None,
        Meta(description="a bank for the whole game, in milliseconds, besides `move-ms`"),
    ] = None
    increment_ms: Annotated[
        _NotNegative, Meta(description="added to the bank after each answer, in milliseconds")
    ] = 0
    margin_ms: Annotated[
        _NotNegative,
        Meta(description="lateness that is charged but not punished, in milliseconds"),
    ] = defaults.MARGIN_MS
    start_ms: Annotated[
        _AtLeastOne, Meta(description="time to start and say hello, in milliseconds")
    ] = defaults.START_MS
    memory_mb: Annotated[
        _AtLeastOne, Meta(description="memory for a bot and all it starts, in MiB")
    ] = defaults.MEMORY_MB
    processes: Annotated[_AtLeastOne, Meta(description="how many processes a bot may have")] = (
        defaults.PROCESSES
    )
    on_fault: Annotated[
        OnFault,
        Meta(
            description="`forfeit`: a fault loses the game; `substitute`: the referee plays for the bot"
        ),
    ] = OnFault.FORFEIT
    max_faults: Annotated[
        _NotNegative, Meta(description="with `substitute`: so many are forgiven in one game")
    ] = defaults.MAX_FAULTS


class BotTable(msgspec.Struct, frozen=True, rename="kebab"):
    """`[[bots]]`: one for each bot."""

    run: Annotated[
        str,
        Meta(
            description="a BOT as for `croupier match`; paths start at the folder of the league file"
        ),
    ]
    name: Annotated[
        str | None, Meta(description="1 to 64 printable characters; else the bot's own")
    ] = None
    seed: Annotated[
        bool, Meta(description="in a gauntlet: one of those that play against all others")
    ] = False


class LeagueTable(msgspec.Struct, frozen=True, rename="kebab"):
    """The keys at the top of the file."""

    game: Annotated[str, Meta(description="see `croupier games`")]
    deals: Annotated[
        _AtLeastOne,
        Meta(description="for each table; every deal is played in every rotation of the seats"),
    ]
    name: Annotated[str | None, Meta(description="of the league; else that of the file")] = None
    seats: Annotated[
        _AtLeastOne | None,
        Meta(description="bots at one table; needed where the game leaves a choice"),
    ] = None
    format: Annotated[
        Format,
        Meta(
            description="`round-robin`: all tables that the bots can form; `gauntlet`: each seed with "
            "every choice of others"
        ),
    ] = "round-robin"
    tables: Annotated[
        _AtLeastOne | None,
        Meta(
            description="with more than two seats, a choice of so many tables at which all bots meet about "
            "equally often; else all"
        ),
    ] = None
    shared_deals: Annotated[
        bool, Meta(description="the same deals at every table; else each table has its own")
    ] = False
    restart: Annotated[
        Restart | None,
        Meta(
            description="`game`: bots are started anew for each game, `never`: for each deal; else `game` "
            "where something is hidden"
        ),
    ] = None
    seed: Annotated[
        _NotNegative | None,
        Meta(description="repeats the draws; whoever knows it can compute the deals"),
    ] = None
    anchor: Annotated[str | None, Meta(description="the name of the bot whose rating is 1500")] = (
        None
    )
    ponder: Annotated[bool, Meta(description="do not stop bots between their turns")] = False
    isolation: Annotated[
        IsolationMode, Meta(description="walls around bots; `auto`: the best that works")
    ] = "auto"
    keep_logs: Annotated[
        Kept, Meta(description="`faults`: only logs of deals in which a bot was at fault")
    ] = "all"
    options: Annotated[dict[str, Any], Meta(description="a table: the options of the game")] = {}
    limits: Annotated[dict[str, Any], Meta(description="a table, see below")] = {}
    bots: Annotated[list[Any], Meta(description="an array of tables, see below")] = []


class League(msgspec.Struct, frozen=True, kw_only=True):
    """A league that can be played. `seeds` and `anchor` are numbers of bots; `tables` is None for all."""

    name: str
    game: str
    options: Any
    seats: int
    format: Format
    bots: tuple[BotSpec, ...]
    seeds: tuple[int, ...]
    deals: int
    tables: int | None
    shared_deals: bool
    restart: Restart
    start_ms: int
    clock: Clock
    conduct: Conduct
    budget: Budget
    ponder: bool
    isolation: IsolationMode
    keep_logs: Kept
    seed: int | None
    anchor: int | None


def load_league(path: Path) -> League:
    """The league of a file; raises `LeagueError`."""
    try:
        data = path.read_bytes()
    except OSError as exc:
        raise LeagueError(f"cannot read {path}: {exc.strerror}") from exc
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data[: exc.start].count(b"\n") + 1
        raise LeagueError(f"{path}:{line}: this is not UTF-8, as TOML must be") from exc
    return parse_league(text, path)


def parse_league(text: str, path: Path) -> League:
    """The league of a text that stands in this file; raises `LeagueError` with all that is wrong."""
    try:
        values, problems = load(text, str(path))
    except TomlError as exc:
        raise LeagueError(str(exc)) from exc
    league = _Reading(problems, path).league(values)
    if league is None or problems.lines:
        count = len(problems.lines)
        told = f"{count} problem{'' if count == 1 else 's'}, nothing was played."
        raise LeagueError("\n".join([*problems.lines, told]))
    return league


def tables_of(league: League) -> list[Table]:
    """Who sits with whom; the same for the same league."""
    count = len(league.bots)
    if league.format == "gauntlet":
        field = [bot for bot in range(count) if bot not in league.seeds]
        return gauntlet_tables(league.seeds, field, league.seats)
    if league.tables is None:
        return all_tables(count, league.seats)
    return balanced_tables(count, league.seats, league.tables, league.name)


def as_json(league: League) -> str:
    """For the store."""
    return msgspec.json.encode({"version": _JSON_VERSION, "league": league}).decode()


def from_json(text: str) -> League:
    """What `as_json` has written."""
    stored = msgspec.json.decode(text)
    assert stored["version"] == _JSON_VERSION
    league = msgspec.convert(stored["league"], League)
    options = msgspec.convert(league.options, GAMES[league.game].options_type)
    return msgspec.structs.replace(league, options=options)


class _Reading:
    """Reads the values of a file, and collects what is wrong with them."""

    def __init__(self, problems: Problems, path: Path) -> None:
        self._problems, self._path = problems, path

    def league(self, values: Mapping[str, Any]) -> League | None:
        """None when too much is wrong to go on; all problems have been collected then."""
        top = self._table(values, LeagueTable, ())
        limits = self._table(_dict(values.get("limits")), LimitsTable, ("limits",))
        tables = [
            self._table(_dict(given), BotTable, ("bots", number))
            for number, given in enumerate(_list(values.get("bots")))
        ]
        game = self._game(values)
        options = self._options(game, _dict(values.get("options"))) if game else None
        bots = [self._bot(table, number) for number, table in enumerate(tables)]
        if game and top:
            self._check_tables(game, top, options, len(bots))
        self._check_seeds(top, tables)
        if not (top and limits and game and options is not None) or self._problems.lines:
            return None
        return self._put_together(top, limits, game, options, tables, [bot for bot in bots if bot])

    def _put_together(
        self,
        top: LeagueTable,
        limits: LimitsTable,
        game: Game[Any],
        options: Any,
        tables: Sequence[BotTable | None],
        bots: Sequence[BotSpec],
    ) -> League:
        different = with_different_names(bots)
        seeds = [number for number, table in enumerate(tables) if table and table.seed]
        return League(
            name=top.name or self._path.stem,
            game=game.name,
            options=options,
            seats=top.seats or game.seats.start,
            format=top.format,
            bots=tuple(different),
            seeds=tuple(seeds),
            deals=top.deals,
            tables=top.tables,
            shared_deals=top.shared_deals,
            restart=top.restart or ("game" if game.hidden else "never"),
            start_ms=limits.start_ms,
            clock=Clock(
                move_ms=limits.move_ms,
                bank_ms=limits.game_ms,
                increment_ms=limits.increment_ms,
                margin_ms=limits.margin_ms,
            ),
            conduct=Conduct(limits.on_fault, limits.max_faults),
            budget=Budget(limits.memory_mb, limits.processes),
            ponder=top.ponder,
            isolation=top.isolation,
            keep_logs=top.keep_logs,
            seed=top.seed,
            anchor=self._anchor(top, different),
        )

    def _table(
        self, values: Mapping[str, Any], kind: type[Any], path: tuple[str | int, ...]
    ) -> Any | None:
        """A table as a value of this kind; None when something in it is wrong."""
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        before = len(self._problems.lines)
        found: dict[str, Any] = {}
        for key, value in values.items():
            if key not in fields:
                self._problems.unknown(path, key, fields)
                continue
            try:
                found[fields[key].name] = msgspec.convert(value, fields[key].type)
            except msgspec.ValidationError:
                self._problems.wrong((*path, key), fields[key].type, value)
        for key, field in fields.items():
            if field.required and key not in values:
                self._problems.missing(path, key, field.type)
        return kind(**found) if len(self._problems.lines) == before else None

    def _game(self, values: Mapping[str, Any]) -> Game[Any] | None:
        name = values.get("game")
        if not isinstance(name, str):
            return None  # told already
        if name not in GAMES:
            hint = f"{did_you_mean(name, GAMES)} (games: {', '.join(GAMES)})"
            self._problems.add(("game",), f"unknown game '{name}'.{hint}")
        return GAMES.get(name)

    def _options(self, game: Game[Any], values: Mapping[str, Any]) -> Any | None:
        """The game's options; None when they are wrong."""
        fields = {
            field.name.replace("_", "-"): field
            for field in msgspec.structs.fields(game.options_type)
        }
        good = {}
        before = len(self._problems.lines)
        for key, value in values.items():
            if key not in fields:
                self._problems.unknown(("options",), key, fields)
                continue
            try:
                good[fields[key].name] = msgspec.convert(value, fields[key].type)
            except msgspec.ValidationError:
                self._problems.wrong(("options", key), fields[key].type, value)
        if len(self._problems.lines) > before:
            return None
        try:
            return msgspec.convert(good, game.options_type)
        except (msgspec.ValidationError, OptionsError) as exc:
            self._problems.add(("options",), str(exc))
            return None

    def _bot(self, table: BotTable | None, number: int) -> BotSpec | None:
        if table is None:
            return None
        try:
            spec = parse_bot(table.run, self._path.parent)
        except BotError as exc:
            self._problems.add(("bots", number, "run"), str(exc))
            return None
        if table.name is None:
            return spec
        try:
            return msgspec.structs.replace(spec, name=checked_name(table.name))
        except BotError as exc:
            self._problems.add(("bots", number, "name"), str(exc))
            return None

    def _check_tables(
        self, game: Game[Any], top: LeagueTable, options: Any | None, bots: int
    ) -> None:
        """Whether these bots can sit at tables of this game."""
        few, many = game.seats.start, game.seats.stop - 1
        wanted = f"{few}" if few == many else f"{few} to {many}"
        seats = top.seats or (few if few == many else None)
        if seats is None:
            self._problems.add(("seats",), f"missing: {game.title} is played by {wanted} bots")
            return
        if seats not in game.seats:
            self._problems.add(
                ("seats",), f"{game.title} is played by {wanted} bots at a table, not {seats}"
            )
            return
        if bots < seats:
            self._problems.add(("bots",), f"a table of {seats} needs {seats} bots; {bots} given")
        elif top.tables is not None:
            self._check_choice(top, seats, bots)
        if options is not None:
            try:
                game.deal(Random(0), seats, options)
            except OptionsError as exc:  # some fit one number of seats and not another
                self._problems.add(("options",), str(exc))

    def _check_choice(self, top: LeagueTable, seats: int, bots: int) -> None:
        if seats == 2 or top.format == "gauntlet":
            why = "with two seats" if seats == 2 else "in a gauntlet"
            self._problems.add(("tables",), f"{why} all tables are played: leave it out")
        elif top.tables and top.tables > (most := comb(bots, seats)):
            self._problems.add(
                ("tables",), f"{bots} bots form {most} tables of {seats}, not {top.tables}"
            )

    def _check_seeds(self, top: LeagueTable | None, tables: Sequence[BotTable | None]) -> None:
        seeds = [number for number, table in enumerate(tables) if table and table.seed]
        if top is None:
            return
        if top.format == "round-robin" and seeds:
            self._problems.add(
                ("bots", seeds[0], "seed"), 'only a gauntlet has seeds: format = "gauntlet"'
            )
        if top.format == "gauntlet" and not seeds:
            self._problems.add(
                ("format",), "a gauntlet needs a seed: seed = true in the [[bots]] that is one"
            )
        others = len(tables) - len(seeds)
        if top.format == "gauntlet" and seeds and others < (top.seats or 2) - 1:
            self._problems.add(("bots",), "a gauntlet needs others for its seeds to play against")

    def _anchor(self, top: LeagueTable, bots: Sequence[BotSpec]) -> int | None:
        if top.anchor is None:
            return None
        names = [bot.name for bot in bots]
        if top.anchor in names:
            return names.index(top.anchor)
        hint = did_you_mean(top.anchor, names)
        self._problems.add(("anchor",), f"no bot is called '{top.anchor}'.{hint}")
        return None


def _dict(value: Any) -> dict[str, Any]:
    """What is not a table is told where its key is checked."""
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
