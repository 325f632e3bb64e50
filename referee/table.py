"""Where a match meets its bots: the only module that knows both trio and the match.

It asks, measures the time, hands the answers over, and writes down what happened. What an answer
means and costs is the match's business.
"""

import traceback
from collections.abc import Sequence
from typing import Any

import msgspec
import trio
from msgspec import UNSET

from protocol.codec import encode, read_note
from protocol.faults import FaultCode, ProtocolError
from protocol.log import Aside, GameLine, Result, commitment
from protocol.messages import Action, Error, Turn, or_unset
from referee.advice import about, looks
from referee.channels import ChannelClosedError, Silence
from referee.channels.excerpt import REPORTED_BYTES, Excerpt
from referee.clock import Clock
from referee.connection import Connection, TooSlowError, deadline_seconds
from referee.game import Game
from referee.lag import LagMeter
from referee.logbook import Logbook
from referee.match import (
    Acted,
    Answer,
    Decided,
    Finished,
    Forfeited,
    Garbled,
    Gone,
    Match,
    MatchEvent,
    Prompt,
    TimedOut,
    Void,
    Voided,
    shown,
)
from referee.record import act_of, result_of
from referee.results import FaultRecord, GameResult, SeatUsage
from referee.saying import Seating, end_of, start_of, turn_of

_STDERR_BYTES_PER_GAME = 8 * 1024
_QUESTION_SHOWN = 400


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """One game, ready to be played.

    By seat: `bots` has the bots' numbers, `programs` how each was started, for advice.
    `again`: the number of the void game that this one is played instead of.
    `may_void`: a time-out while the referee is late makes the game void. If not, it counts however late
    the referee was: a bot must not escape by causing lag.
    `reveal`: the deal will not be played again in front of these bots, so they may see it.
    """

    number: int
    deal_no: int
    game: Game[Any]
    options: Any
    deal: Any
    bots: tuple[int, ...]
    names: tuple[str, ...]
    programs: tuple[Sequence[str], ...] = ()
    seeds: tuple[int, ...]
    salt: str
    reveal: bool
    again: int | None = None
    may_void: bool = True


async def play(
    setup: Setup,
    match: Match,
    connections: Sequence[Connection | Gone | Void],
    logbook: Logbook,
    lag: LagMeter | None = None,
) -> GameResult:
    """Plays one game to its end.

    Bots that could not be started stand there as `Gone`; as `Void`, when that was not their fault.

    With `lag`, a time-out while the referee itself was late makes the game void.
    """
    return await _Table(setup, match, connections, logbook, lag).play()


class _Table:
    def __init__(
        self,
        setup: Setup,
        match: Match,
        connections: Sequence[Connection | Gone | Void],
        logbook: Logbook,
        lag: LagMeter | None,
    ) -> None:
        self._setup = setup
        self._match = match
        self._log = logbook
        self._lag = lag or LagMeter()
        self._deal_json = msgspec.json.encode(setup.deal)
        self._seating = Seating(
            number=setup.number,
            rules=setup.game.name,
            options=setup.options,
            names=setup.names,
            seeds=setup.seeds,
            commitment=commitment(setup.salt, self._deal_json),
        )
        self._bots = {s: c for s, c in enumerate(connections) if isinstance(c, Connection)}
        self._trouble = next((c.why for c in connections if isinstance(c, Void)), "")
        self._absent = {s: c for s, c in enumerate(connections) if isinstance(c, Gone)}
        self._actions: list[str] = []
        self._forfeits: list[Forfeited] = []
        self._faults = [0] * len(connections)
        self._seconds: list[list[float]] = [[] for _ in connections]
        self._stderr_left = [_STDERR_BYTES_PER_GAME] * len(connections)
        self._stderr_rest = [Excerpt(head=0) for _ in connections]
        self._stderr_end = [b""] * len(connections)
        self._asked: Turn | None = None
        self._silence: Silence | None = None
        self._usage: list[SeatUsage | None] = [None] * len(connections)
        self._records: list[FaultRecord] = []
        self._private: list[Aside] = []
        self._announced = False

    async def play(self) -> GameResult:
        self._open_log()
        if self._trouble:
            self._match.abandon(self._trouble)
        elif self._absent:
            self._keep(self._match.without(self._absent), None)
        for connection in self._bots.values():
            connection.channel.begin_game()
        if self._match.prompt:
            self._say_start()
        while (prompt := self._match.prompt) is not None:
            bot = self._bots[prompt.seat]
            answer = await self._ask(bot, prompt)
            self._keep(self._judged(answer), bot)
        self._end()
        return self._result()

    def _judged(self, answer: Answer) -> list[MatchEvent]:
        """What follows from the answer. An error in the rules ends this game and no other."""
        try:
            return self._match.answer(answer)
        except Exception as exc:  # noqa: BLE001 (rules may be anybody's)
            self._private.append(Aside(warning="".join(traceback.format_exception(exc))))
            why = f"an error in the rules of {self._setup.game.name}: {exc!r}"
            return self._match.abandon(why)

    # -- the log --

    def _open_log(self) -> None:
        setup = self._setup
        self._log.add(
            GameLine(
                game=setup.number,
                again=or_unset(setup.again),
                deal_no=setup.deal_no,
                options=msgspec.Raw(msgspec.json.encode(setup.options)),
                seats=setup.bots,
                seeds=setup.seeds,
                deal=msgspec.Raw(self._deal_json),
                salt=setup.salt,
                commitment=self._seating.commitment,
            )
        )

    def _keep(self, events: Sequence[MatchEvent], bot: Connection | None) -> None:
        """Writes events down and tells the bot of its fault."""
        for event in events:
            if isinstance(event, Decided | Forfeited):
                self._keep_step(event, bot)
        for aside in self._private:
            self._log.add(aside)
        self._private.clear()

    def _keep_step(self, event: Decided | Forfeited, bot: Connection | None) -> None:
        if event.action is not None:
            self._actions.append(event.action)
        if isinstance(event, Forfeited):
            self._forfeits.append(event)
        is_asked = isinstance(event, Forfeited) or event.by != "stand-in"
        if event.step:
            self._log.add(act_of(event, bot.session.last_id if bot and is_asked else None))
        if event.fault:
            self._fault(event, event.fault, bot)

    def _fault(self, event: Decided | Forfeited, code: FaultCode, bot: Connection | None) -> None:
        self._faults[event.seat] += 1
        record = FaultRecord(
            seat=event.seat, code=code, why=event.why, step=event.step, ms=event.ms
        )
        if absent := self._absent.get(event.seat):
            record = msgspec.structs.replace(record, looks=absent.looks, stderr=absent.stderr)
        if bot:
            session = bot.session
            record = msgspec.structs.replace(
                record,
                id=session.last_id,
                asked=self._last_question(),
                got=shown(session.heard.decode(errors="replace")),
                lines=session.lines,
                bytes=session.bytes,
                looks=self._looks_like(event, bot),
                stderr=self._stderr_end[event.seat].decode(errors="replace"),
            )
            bot.tell(
                Error(
                    re=session.last_id,
                    code=code,
                    message=event.why,
                    fatal=isinstance(event, Forfeited),
                )
            )
        self._records.append(record)
        self._private.append(Aside(step=event.step or UNSET, seat=event.seat, fault=record))

    def _looks_like(self, event: Decided | Forfeited, bot: Connection) -> str:
        assert event.fault
        argv = self._setup.programs[event.seat] if self._setup.programs else ()
        if event.fault is FaultCode.TIMEOUT:
            return looks(self._silence, bot.heard, argv)
        return about(event.fault, bot.heard, self._stderr_end[event.seat], argv)

    def _last_question(self) -> str:
        return shown(encode(self._asked).decode().strip(), _QUESTION_SHOWN) if self._asked else ""

    def _note(self, prompt: Prompt, bot: Connection, action: Action | None) -> None:
        """What is private about a decision: the bot's note, its stderr, warnings."""
        note: Any = None
        warnings = bot.take_warnings()
        if action is not None and action.note is not UNSET:
            note, warning = read_note(action.note)
            warnings += [warning] if warning else []
        excerpt, size = bot.channel.take_stderr()
        self._stderr_end[prompt.seat] = (self._stderr_end[prompt.seat] + excerpt)[-REPORTED_BYTES:]
        if note is None and not warnings and not size:
            return
        kept = excerpt[: self._stderr_left[prompt.seat]]
        self._stderr_left[prompt.seat] -= len(kept)
        self._stderr_rest[prompt.seat].add(excerpt[len(kept) :])
        self._private.append(
            Aside(
                step=prompt.step,
                seat=prompt.seat,
                note=UNSET if note is None else note,
                stderr=kept.decode(errors="replace") if kept else UNSET,
                stderr_bytes=size if size > len(kept) else UNSET,
                warning="; ".join(warnings) or UNSET,
            )
        )

    def _last_stderr(self, seat: int, bot: Connection) -> None:
        """What came after the seat's last decision, and the end of what was too much."""
        rest = self._stderr_rest[seat]
        rest.add(bot.channel.take_stderr()[0])
        kept, size = rest.take()
        if size:
            words = kept.decode(errors="replace")
            self._log.add(Aside(seat=seat, stderr=words, stderr_bytes=size))

    # -- the bots --

    def _say_start(self) -> None:
        self._announced = True
        for seat, bot in self._bots.items():
            bot.tell(start_of(self._seating, seat, self._match.clocks[seat]))

    async def _ask(self, bot: Connection, prompt: Prompt) -> Answer:
        clock = prompt.clock
        turn = turn_of(self._seating, prompt, bot.session.next_id())
        self._asked, self._silence = turn, None
        seconds = deadline_seconds(clock.deadline_ms)
        began = trio.current_time()
        action = None
        try:
            action, took = await bot.ask(turn, seconds)
            self._seconds[prompt.seat].append(took)
            suspect = self._was_late_since(began, clock)
            answer: Answer = Acted(action.action, int(took * 1000), suspect)
        except TooSlowError as exc:
            self._silence = exc.silence
            assert clock.deadline_ms is not None
            self._seconds[prompt.seat].append(seconds)
            answer = self._timed_out(clock, began + seconds)
        except ProtocolError as exc:
            answer = Garbled(exc.code, str(exc))
        except ChannelClosedError as exc:
            answer = Gone(exc.code, str(exc))
        self._note(prompt, bot, action)
        return answer

    def _was_late_since(self, moment: float, clock: Clock) -> bool:
        """Whether the referee was late by more than the margin."""
        return 1000 * self._lag.worst_since(moment) > clock.margin_ms

    def _timed_out(self, clock: Clock, deadline: float) -> TimedOut | Void:
        """Nobody's fault when the referee itself was late just before the deadline."""
        assert clock.deadline_ms is not None
        late_from = deadline - clock.margin_ms / 1000
        if self._setup.may_void and self._was_late_since(late_from, clock):
            late = 1000 * self._lag.worst_since(late_from)
            return Void(
                f"the referee was {late:.0f} ms late when a bot's time ran out "
                f"({clock.margin_ms} ms are tolerated): too many games at once for this machine"
            )
        return TimedOut(clock.deadline_ms + 1)

    # -- the end --

    def _end(self) -> None:
        result = self._match.result
        assert result
        for seat, bot in self._bots.items():
            self._last_stderr(seat, bot)
            self._count_usage(seat, bot)
        if isinstance(result, Voided):
            self._log.add(Result(void=result.why))
        else:
            self._log.add(result_of(result))
            self._say_end(result)
        self._log.end_game()

    def _count_usage(self, seat: int, bot: Connection) -> None:
        if usage := bot.channel.usage():
            used = SeatUsage(peak_kib=usage.peak_kib, cpu_ms=usage.cpu_ms)
            self._usage[seat] = used
            self._log.add(Aside(seat=seat, usage=used))

    def _say_end(self, finished: Finished) -> None:
        if not self._announced:
            return
        setup = self._setup
        revealed = (setup.deal, setup.salt) if setup.reveal else None
        for seat, bot in self._bots.items():
            bot.tell(end_of(self._seating, finished, self._match.unseen(seat), revealed))

    def _result(self) -> GameResult:
        result = self._match.result
        return GameResult(
            game=self._setup.number,
            deal_no=self._setup.deal_no,
            bots=self._setup.bots,
            outcome=result.outcome if isinstance(result, Finished) else None,
            verdicts=tuple(self._match.verdicts),
            actions=self._actions,
            seconds=tuple(self._seconds),
            faults=tuple(self._faults),
            tallies=tuple(self._match.tallies),
            forfeits=self._forfeits,
            faults_seen=self._records,
            usage=tuple(self._usage),
            void=result.why if isinstance(result, Voided) else "",
            again=self._setup.again,
        )
