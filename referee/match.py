"""One game between bots as a state machine without input, output or clock.

A match either waits for exactly one seat (`prompt` is set) or is over (`prompt` is None). The caller
gets the answer however it likes, from a pipe, a socket, a test script, an old log, and hands it to
`answer`, together with how long it took: time is measured elsewhere and judged here.

        start
          |
          v          answer(Acted | TimedOut | Garbled | Gone | Void)
      [waiting] --------------------------------------+
          |  ^                                        |
          |  +---- still to play ---------------------+
          v
       [over]
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec

from protocol.faults import FaultCode
from protocol.messages import Event, FaultEvent
from referee.clock import Clock
from referee.conduct import Conduct
from referee.game import Game, Happening, Outcome

Verdict: TypeAlias = FaultCode | Literal["ok"]


class Prompt(msgspec.Struct, frozen=True):
    """Whom the match waits for. `events`: what the seat may know of what came since its last turn."""

    seat: int
    step: int
    clock: Clock
    legal: Sequence[str]
    view: msgspec.Struct
    events: Sequence[Event]


class Acted(msgspec.Struct, frozen=True):
    """The bot answered with this action."""

    action: str
    took_ms: int


class TimedOut(msgspec.Struct, frozen=True):
    """The bot's time ran out."""

    took_ms: int


class Garbled(msgspec.Struct, frozen=True):
    """The bot said something that is no answer: malformed, oversize, flood, protocol."""

    code: FaultCode
    why: str
    took_ms: int = 0


class Gone(msgspec.Struct, frozen=True):
    """The bot is not there any more: exited, crashed, closed, memory, processes, disconnected."""

    code: FaultCode
    why: str
    took_ms: int = 0


class Void(msgspec.Struct, frozen=True):
    """The referee or the machine was in trouble: this game does not count."""

    why: str


Answer: TypeAlias = Acted | TimedOut | Garbled | Gone | Void


class Decided(msgspec.Struct, frozen=True):
    """A decision took effect; `by` is set when the referee made it for the bot."""

    step: int
    seat: int
    action: str
    ms: int
    clock_ms: int | None = None
    fault: FaultCode | None = None
    why: str = ""
    by: Literal["substitute"] | None = None


class Forfeited(msgspec.Struct, frozen=True):
    """A fault ended the seat's game. Step 0: before the first turn."""

    step: int
    seat: int
    ms: int
    fault: FaultCode
    why: str


class Finished(msgspec.Struct, frozen=True):
    """The last event of a game that counts."""

    outcome: Outcome
    verdicts: tuple[Verdict, ...]


class Voided(msgspec.Struct, frozen=True):
    """The last event of a game that does not count."""

    why: str


MatchEvent: TypeAlias = Decided | Forfeited | Finished | Voided


class Match:
    """A game in progress, seen from the referee's chair.

    `seeds` (by seat) are the bots' own; the substitute for a seat draws from the same number.
    """

    def __init__(
        self,
        game: Game[Any],
        deal: Any,
        *,
        options: Any,
        seeds: Sequence[int],
        clock: Clock,
        conduct: Conduct,
    ) -> None:
        seats = len(seeds)
        assert seats == 2, "more seats need stand-ins for those who forfeit"
        self.game = game
        self.options = options
        self.state = game.start(deal, seats, options)
        self.clocks = [clock] * seats
        self.faults = [0] * seats
        self.verdicts: list[Verdict] = ["ok"] * seats
        self.result: Finished | Voided | None = None
        self._seeds = seeds
        self._conduct = conduct
        self._step = 0
        self._unseen: list[list[Event]] = [[] for _ in range(seats)]
        self.prompt: Prompt | None = self._next_prompt()

    def answer(self, answer: Answer) -> list[MatchEvent]:
        """What follows from the answer to the current prompt. Raises RuntimeError when over."""
        prompt = self.prompt
        if prompt is None:
            raise RuntimeError("the match is over")
        if isinstance(answer, Void):
            self.result = Voided(answer.why)
            events: list[MatchEvent] = [self.result]
        else:
            events = self._judge(prompt, answer)
        self.prompt = None if self.result else self._next_prompt()
        return events

    def without(self, absent: Mapping[int, Gone]) -> list[MatchEvent]:
        """The events of a game for which some bots could not be started: it is over at once."""
        assert absent
        assert self._step == 1
        missing: list[MatchEvent] = [
            Forfeited(0, seat, 0, gone.code, gone.why) for seat, gone in absent.items()
        ]
        self.prompt = None
        return [*missing, self._forfeit({seat: gone.code for seat, gone in absent.items()})]

    def unseen(self, seat: int) -> Sequence[Event]:
        """What the seat may know of what happened since it was last asked."""
        return self._unseen[seat]

    def _judge(self, prompt: Prompt, answer: Acted | TimedOut | Garbled | Gone) -> list[MatchEvent]:
        seat = prompt.seat
        fault = self._fault_in(prompt, answer)
        self.clocks[seat] = clock = prompt.clock.spend(answer.took_ms)
        self._unseen[seat] = []
        if fault is None:
            assert isinstance(answer, Acted)
            decided = Decided(
                prompt.step, seat, answer.action, answer.took_ms, clock_ms=clock.bank_ms
            )
            return self._carry_out(decided)
        code, why = fault
        self._show(Happening(FaultEvent(seat, code)))
        if not self._conduct.forgives(code, self.faults[seat], clock.bank_ms):
            forfeited = Forfeited(prompt.step, seat, answer.took_ms, code, why)
            return [forfeited, self._forfeit({seat: code})]
        self.faults[seat] += 1
        chosen = substitute(prompt, self._seeds[seat])
        return self._carry_out(
            Decided(
                prompt.step,
                seat,
                chosen,
                answer.took_ms,
                clock_ms=clock.bank_ms,
                fault=code,
                why=why,
                by="substitute",
            )
        )

    def _fault_in(self, prompt: Prompt, answer: Answer) -> tuple[FaultCode, str] | None:
        match answer:
            case TimedOut():
                return FaultCode.TIMEOUT, f"no answer within {prompt.clock.allowance_ms} ms"
            case Garbled(code=code, why=why) | Gone(code=code, why=why):
                return code, why
            case Acted(took_ms=took) if prompt.clock.is_overstepped_by(took):
                return FaultCode.TIMEOUT, f"the answer came after {took} ms"
            case Acted(action=action) if action not in prompt.legal:
                offered = f"is not in the legal list ({len(prompt.legal)} were offered)"
                reason = self.game.refusal(self.state, action)
                return FaultCode.ILLEGAL, f'action "{shown(action)}" {offered}; {shown(reason)}'
        return None

    def _carry_out(self, decided: Decided) -> list[MatchEvent]:
        before = self.state
        self.state = self.game.play(before, decided.action)
        for happening in self.game.happenings(before, decided.action, self.state):
            self._show(happening)
        if self.game.turn(self.state) is not None:
            return [decided]
        self.result = Finished(self.game.outcome(self.state), tuple(self.verdicts))
        return [decided, self.result]

    def _show(self, happening: Happening) -> None:
        for seat, unseen in enumerate(self._unseen):
            if happening.seen_by is None or seat in happening.seen_by:
                unseen.append(happening.event)

    def _forfeit(self, faults: Mapping[int, FaultCode]) -> Finished:
        for seat, code in faults.items():
            self.verdicts[seat] = code
        loser = next(iter(faults)) if len(faults) == 1 else None
        scores = self.game.forfeit_scores(self.state, tuple(faults))
        places = (1, 1) if loser is None else (1 + (loser == 0), 1 + (loser == 1))
        self.result = Finished(Outcome(scores, places, "forfeit"), tuple(self.verdicts))
        return self.result

    def _next_prompt(self) -> Prompt:
        self._step += 1
        seat = self.game.turn(self.state)
        assert seat is not None
        return Prompt(
            seat,
            self._step,
            self.clocks[seat],
            self.game.legal_actions(self.state),
            self.game.view(self.state, seat),
            self._unseen[seat],
        )


def substitute(prompt: Prompt, seed: int) -> str:
    """The action that the referee plays for a bot: legal, random, and the same in every replay."""
    return prompt.legal[int(Random(f"{seed} {prompt.step}").random() * len(prompt.legal))]


def shown(words: str, limit: int = 120) -> str:
    """A bot's words, safe to print: one line, control characters escaped, not endless."""
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words)
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"
