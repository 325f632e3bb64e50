"""A log and the rules give the same events back: replaying and verifying. Pure: lines in, words out."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from protocol.faults import FaultCode
from protocol.log import (
    LOG_FORMAT,
    Act,
    Aside,
    Chain,
    Close,
    GameLine,
    Header,
    LogLine,
    LogLineError,
    Result,
    SealLine,
    commitment,
    decode_line,
)
from referee.game import DealError, Game, Happening, OptionsError
from referee.games import GAMES
from referee.match import Decided, Finished, Forfeited, Gone, Match, MatchEvent, Prompt
from referee.record import act_of, answer_of, clock_of, conduct_of, result_of

L = TypeVar("L", bound=msgspec.Struct)


class LogError(Exception):
    """A log is not what was played; `line` is the first wrong line, counted from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class Verified(msgspec.Struct, frozen=True):
    """What a good log holds."""

    games: int
    seal: str


class Position(msgspec.Struct, frozen=True):
    """One step of a replayed game: the state before it, what was done, what it brought about.

    `prompt` is the question that a bot was asked; None for what a stand-in plays.
    """

    step: int
    act: Act
    prompt: Prompt | None
    before: Any
    happenings: Sequence[Happening]
    asides: Sequence[Aside]


class LoggedGame(msgspec.Struct, frozen=True):
    """A game with its rules applied, as a replay shows it; `match` as it stood at the end."""

    header: Header
    line: GameLine
    game: Game[Any]
    options: Any
    match: Match
    positions: Sequence[Position]
    result: Result


def _ignore(_: LoggedGame) -> None:
    """Nobody wants to see it."""


def verify(
    lines: Iterable[bytes],
    published_seal: str | None = None,
    on_game: Callable[[LoggedGame], None] = _ignore,
) -> Verified:
    """Plays every game of the log again; raises `LogError` at the first wrong line."""
    reader = _Reader(lines)
    while (game := reader.game()) is not None:
        on_game(game)
    verified = reader.finish()
    if published_seal not in {None, verified.seal}:
        raise reader.wrong(f"the last seal is {verified.seal}, not the published {published_seal}")
    return verified


def replay(lines: Iterable[bytes]) -> Iterator[LoggedGame]:
    """The games of a log, one after the other; raises `LogError` at the first wrong line.

    A log that was cut off just ends.
    """
    reader = _Reader(lines)
    while (game := reader.game()) is not None:
        yield game


class _Lines:
    """The lines of a log one by one, numbered, chained, the asides set apart."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._ahead: tuple[bytes, LogLine] | None = None
        self.number = 0
        self.raw = b""
        self.chain: Chain | None = None
        self.asides: list[Aside] = []

    def peek(self) -> LogLine | None:
        """The next line that is not an aside; None at the end."""
        while self._ahead is None:
            raw = next(self._lines, None)
            if raw is None:
                return None
            self.number += 1
            line = self._decoded(raw)
            if not isinstance(line, Aside):
                self._ahead = raw, line
                break
            self.asides.append(line)
            if self.chain:
                self.chain.add_aside(raw)
        return self._ahead[1]

    def accept(self, kind: type[L]) -> L | None:
        """The next line if it is of this kind, and then it is taken; else None."""
        line = self.peek()
        if not isinstance(line, kind):
            return None
        assert self._ahead
        self.raw, self._ahead = self._ahead[0], None
        if self.chain and not isinstance(line, SealLine | Close):
            self.chain.add(self.raw)
        return line

    def wrong(self, why: str) -> LogError:
        """The error for the line that was last read."""
        return LogError(max(1, self.number), why)

    def _decoded(self, raw: bytes) -> LogLine:
        if not raw.endswith(b"\n"):
            raise self.wrong("the log is cut off in the middle of this line")
        try:
            return decode_line(raw)
        except LogLineError as exc:
            raise self.wrong(f"this is no line of a log: {exc}") from exc


class _Reader:
    """Plays a log again, game by game."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = _Lines(lines)
        self.games = 0
        self._in_game = False
        self.header = self._header()
        self._chain = self._lines.chain = Chain(self._lines.raw)
        self._last_ids: dict[int, int] = {}

    def _header(self) -> Header:
        header = self._lines.accept(Header)
        if header is None:
            raise self.wrong("a log begins with its header, a line of type `log`")
        if header.format != LOG_FORMAT:
            raise self.wrong(
                f"log format {header.format}; this program reads {LOG_FORMAT}: "
                f"use the version that wrote it ({header.program})"
            )
        if header.game not in GAMES:
            raise self.wrong(f"unknown game {header.game!r}")
        if len(header.bots) not in GAMES[header.game].seats:
            raise self.wrong(f"{header.game} is not played by {len(header.bots)} bots")
        return header

    def wrong(self, why: str) -> LogError:
        """The error for the line that was last read."""
        return self._lines.wrong(why)

    def _missing(self, what: str) -> LogError:
        """The error when something must come here and does not."""
        found = self._lines.peek()
        if found is not None:
            return self.wrong(f"expected {what}, found a line of type `{_type(found)}`")
        good = {0: "no game is whole", 1: "game 1 is good"}.get(
            self.games, f"1 to {self.games} are good"
        )
        if self._in_game:
            return self.wrong(f"log ends in game {self.games + 1}, before {what}; {good}")
        return self.wrong(f"log ends after game {self.games}; {good}")

    def finish(self) -> Verified:
        """Checks what comes after the last game."""
        close = self._lines.accept(Close)
        if close is None:
            raise self._missing(f"game {self.games + 1} or the `close` line")
        if close.games != self.games:
            raise self.wrong(f"`close` counts {close.games} games, but there are {self.games}")
        if close.seal != self._chain.seal:
            raise self.wrong("the seal in `close` is not that of the last game")
        if self._lines.asides:
            raise self.wrong("an aside after the last seal belongs to no game")
        if self._lines.peek() is not None or self._lines.asides:
            raise self.wrong("nothing may come after `close`")
        return Verified(self.games, close.seal)

    def game(self) -> LoggedGame | None:
        """The next game, played again; None when no further game begins here."""
        line = self._lines.accept(GameLine)
        if line is None:
            return None
        self._in_game = True
        self._check_game(line)
        match = self._match(line)
        acts = self._acts()
        result = self._lines.accept(Result)
        end = self._lines.number
        positions = self._play(line, match, acts, _absent(len(line.seeds), acts, result))
        self._lines.number = end
        self._check_result(result, match)
        assert result
        self._seal(line.game)
        asides, self._lines.asides = self._lines.asides, []
        self.games += 1
        self._in_game = False
        told = _with_asides(positions, asides)
        return LoggedGame(self.header, line, match.game, match.options, match, told, result)

    def _acts(self) -> list[tuple[int, Act]]:
        """The steps of a game with their line numbers.

        They are read ahead, for it is the result that says who was absent from the beginning.
        """
        acts = []
        while (act := self._lines.accept(Act)) is not None:
            acts.append((self._lines.number, act))
        return acts

    def _check_game(self, line: GameLine) -> None:
        bots = len(self.header.bots)
        if line.game != self.games + 1:
            raise self.wrong(f"this is game {line.game}, but game {self.games + 1} must come here")
        if sorted(line.seats) != list(range(bots)) or len(line.seeds) != bots:
            raise self.wrong(f"seats {list(line.seats)} do not seat the {bots} bots")
        if commitment(line.salt, bytes(line.deal)) != line.commitment:
            raise self.wrong("the deal is not the one that was committed to")

    def _match(self, line: GameLine) -> Match:
        game = GAMES[self.header.game]
        try:
            return Match(
                game,
                msgspec.json.decode(line.deal, type=game.deal_type),
                options=msgspec.json.decode(line.options, type=game.options_type),
                seeds=line.seeds,
                clock=clock_of(self.header),
                conduct=conduct_of(self.header),
            )
        except (msgspec.MsgspecError, OptionsError, DealError) as exc:
            raise self.wrong(f"the rules could not have made this deal: {exc}") from exc

    def _play(
        self,
        line: GameLine,
        match: Match,
        acts: Sequence[tuple[int, Act]],
        absent: Mapping[int, Gone],
    ) -> list[Position]:
        """Plays the steps; a stand-in's steps follow by themselves from the answer before them."""
        game, state = match.game, match.state
        played: deque[MatchEvent] = deque(match.without(absent) if absent else ())
        positions = []
        for number, act in acts:
            self._lines.number = number
            while played and not _is_step(played[0]):
                played.popleft()
            prompt = None if played else match.prompt
            if not played:
                self._check_order(act, match)
                self._check_id(act, line.seats[act.seat])
                played.extend(match.answer(answer_of(act)))
            event = played.popleft()
            assert isinstance(event, Decided | Forfeited)
            self._check_act(act, event)
            before = state
            happened: Sequence[Happening] = ()
            if isinstance(act.action, str):
                state = game.play(before, act.action)
                happened = game.happenings(before, act.action, state)
            positions.append(Position(act.step, act, prompt, before, happened, ()))
        return positions

    def _check_order(self, act: Act, match: Match) -> None:
        prompt = match.prompt
        if prompt is None:
            raise self.wrong(f"step {act.step} comes after the end of the game")
        if act.step != prompt.step:
            raise self.wrong(f"this is step {act.step}, but step {prompt.step} must come here")
        if act.seat != prompt.seat:
            raise self.wrong(f"seat {act.seat} moves, but it is the turn of seat {prompt.seat}")
        if act.fault is UNSET and act.action not in prompt.legal:
            why = match.game.refusal(match.state, str(act.action))
            raise self.wrong(f"action {act.action!r} is not legal here; {why}")

    def _check_id(self, act: Act, bot: int) -> None:
        """A connection counts its requests: 1 is its hello, so a new process begins at 2."""
        expected = self._last_ids.get(bot, 1) + 1
        if act.id not in {expected, 2}:
            raise self.wrong(f"request id {act.id} of bot {bot}: {expected} must come here")
        assert isinstance(act.id, int)
        self._last_ids[bot] = act.id

    def _check_act(self, act: Act, event: Decided | Forfeited) -> None:
        expected = act_of(event, act.id if isinstance(act.id, int) else None)
        for field in ("step", "seat", "fault", "action", "by", "clock_ms", "ms"):
            logged, played = getattr(act, field), getattr(expected, field)
            if logged != played:
                raise self.wrong(
                    f"`{field}` of step {act.step} is {_word(logged)}, "
                    f"but the rules give {_word(played)}"
                )

    def _check_result(self, line: Result | None, match: Match) -> None:
        if line is None:
            raise self._missing(f"the next step or the result of game {self.games + 1}")
        if line.void is not UNSET:
            if line != Result(void=line.void):
                raise self.wrong("a void game has no scores")
            return
        if not isinstance(match.result, Finished):
            raise self.wrong("here is a result, but the game is not over: steps are missing")
        expected = result_of(match.result)
        for field in ("scores", "places", "reason", "verdicts"):
            logged, played = getattr(line, field), getattr(expected, field)
            if logged != played:
                raise self.wrong(
                    f"`{field}` of the result: {_word(logged)}, but the rules give {_word(played)}"
                )

    def _seal(self, number: int) -> None:
        chain = self._chain
        before = chain.seal
        line = self._lines.accept(SealLine)
        if line is None:
            raise self._missing(f"the seal of game {number}")
        if line.game != number:
            raise self.wrong(f"this seals game {line.game}, but game {number} must be sealed here")
        if line.previous != before:
            raise self.wrong("the chain is broken: `previous` is not the seal before this game")
        expected = chain.seal_line(number, None if chain.has_asides else line.asides)
        if line.asides != expected.asides:
            raise self.wrong(f"the asides of game {number} are not those that were sealed")
        if line.seal != expected.seal:
            raise self.wrong(
                f"the seal of game {number} does not fit its lines: one of them was changed"
            )


def _absent(seats: int, acts: Sequence[tuple[int, Act]], result: Result | None) -> dict[int, Gone]:
    """The seats that never played: the result has a fault for them and no step does."""
    if result is None or result.verdicts is UNSET:
        return {}
    faulty = {act.seat for _, act in acts if act.fault is not UNSET}
    return {
        seat: Gone(FaultCode(verdict), "")
        for seat, verdict in enumerate(result.verdicts[:seats])
        if verdict in {FaultCode.NO_START, FaultCode.PROTOCOL} and seat not in faulty
    }


def _is_step(event: MatchEvent) -> bool:
    return isinstance(event, Decided) or (isinstance(event, Forfeited) and event.step > 0)


def _with_asides(positions: Sequence[Position], asides: Sequence[Aside]) -> list[Position]:
    return [
        msgspec.structs.replace(
            position, asides=[aside for aside in asides if aside.step == position.step]
        )
        for position in positions
    ]


def _type(line: LogLine) -> str:
    return str(type(line).__struct_config__.tag)


def _word(value: object) -> str:
    return "left out" if value is UNSET else msgspec.json.encode(value).decode()
