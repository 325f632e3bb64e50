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
from referee.conduct import Conduct, after_forfeits
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
    """The bot answered with this action; `suspect`: while the referee was late itself."""

    action: str
    took_ms: int
    suspect: bool = False


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
    looks: str = ""  # what its author should look at, and
    stderr: str = ""  # the end of it, for reports


class Void(msgspec.Struct, frozen=True):
    """The referee or the machine was in trouble: this game does not count."""

    why: str


Answer: TypeAlias = Acted | TimedOut | Garbled | Gone | Void


class Decided(msgspec.Struct, frozen=True):
    """A decision took effect; `by` is set when the referee made it, and a stand-in takes no time."""

    step: int
    seat: int
    action: str
    ms: int | None = None
    clock_ms: int | None = None
    fault: FaultCode | None = None
    why: str = ""
    by: Literal["substitute", "stand-in"] | None = None
    suspect: bool = False


class Forfeited(msgspec.Struct, frozen=True):
    """A fault ended the seat's game. Step 0: before the first turn.

    `action` is what the stand-in played for it, when the others play on.
    """

    step: int
    seat: int
    ms: int
    fault: FaultCode
    why: str
    action: str | None = None


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

    `seeds` (by seat) are the bots' own; what the referee plays for a seat comes from the same number.
    With more than two seats a stand-in plays on for a seat that has forfeited, so that the others get
    their game; when a single player is left, he wins at once.
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
        self.game = game
        self.options = options
        self.state = game.start(deal, seats, options)
        self.clocks = [clock] * seats
        self.faults = [0] * seats
        self.verdicts: list[Verdict] = ["ok"] * seats
        # By seat: how often the game's tally counted for it, and of how many times.
        self.tallies = [(0, 0)] * seats
        self.result: Finished | Voided | None = None
        self._seeds = seeds
        self._conduct = conduct
        self._step = 0
        self._forfeits: list[frozenset[int]] = []
        self._unseen: list[list[Event]] = [[] for _ in range(seats)]
        self.prompt: Prompt | None = self._next_prompt()

    def answer(self, answer: Answer) -> list[MatchEvent]:
        """What follows from the answer to the current prompt. Raises RuntimeError when over."""
        prompt = self.prompt
        if prompt is None:
            raise RuntimeError("the match is over")
        if isinstance(answer, Void):
            return self.abandon(answer.why)
        self.clocks[prompt.seat] = prompt.clock.spend(answer.took_ms)
        self._unseen[prompt.seat] = []
        return self._judge(prompt, answer) + self._go_on()

    def abandon(self, why: str) -> list[MatchEvent]:
        """Ends the game here; it does not count."""
        self.prompt, self.result = None, Voided(why)
        return [self.result]

    def without(self, absent: Mapping[int, Gone]) -> list[MatchEvent]:
        """The events when some bots could not be started; to be said before the first answer."""
        assert absent
        assert self._step == 1
        events: list[MatchEvent] = [
            Forfeited(0, seat, 0, gone.code, gone.why) for seat, gone in absent.items()
        ]
        for seat, gone in absent.items():
            self.verdicts[seat] = gone.code
            self._show(Happening(FaultEvent(seat, gone.code)))
        self._forfeits.append(frozenset(absent))
        self._step = 0
        return events + self._go_on()

    def unseen(self, seat: int) -> Sequence[Event]:
        """What the seat may know of what happened since it was last asked."""
        return self._unseen[seat]

    def _judge(self, prompt: Prompt, answer: Acted | TimedOut | Garbled | Gone) -> list[MatchEvent]:
        seat, took, bank = prompt.seat, answer.took_ms, self.clocks[prompt.seat].bank_ms
        fault = self._fault_in(prompt, answer)
        if fault is None:
            assert isinstance(answer, Acted)
            self._carry_out(answer.action)
            suspect = answer.suspect
            return [Decided(prompt.step, seat, answer.action, took, bank, suspect=suspect)]
        code, why = fault
        self._show(Happening(FaultEvent(seat, code)))
        if not self._conduct.forgives(code, self.faults[seat], bank):
            return [self._forfeit(prompt, took, code, why)]
        self.faults[seat] += 1
        chosen = substitute(prompt, self._seeds[seat])
        self._carry_out(chosen)
        return [Decided(prompt.step, seat, chosen, took, bank, code, why, "substitute")]

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

    def _forfeit(self, prompt: Prompt, took_ms: int, code: FaultCode, why: str) -> Forfeited:
        seat = prompt.seat
        self.verdicts[seat] = code
        self._forfeits.append(frozenset({seat}))
        action = None
        if self._players_left() > 1:
            action = substitute(prompt, self._seeds[seat])
            self._carry_out(action)
        return Forfeited(prompt.step, seat, took_ms, code, why, action)

    def _players_left(self) -> int:
        return self.verdicts.count("ok")

    def _carry_out(self, action: str) -> None:
        before, self.state = self.state, self.game.play(self.state, action)
        for happening in self.game.happenings(before, action, self.state):
            self._show(happening)
            if self.game.tally:
                self._count(self.game.tallied(happening.event))

    def _count(self, marks: Sequence[bool]) -> None:
        """What a stand-in does is not counted."""
        for seat, mark in enumerate(marks):
            if self.verdicts[seat] == "ok":
                counted, of = self.tallies[seat]
                self.tallies[seat] = counted + mark, of + 1

    def _show(self, happening: Happening) -> None:
        for seat, unseen in enumerate(self._unseen):
            if happening.seen_by is None or seat in happening.seen_by:
                unseen.append(happening.event)

    def _go_on(self) -> list[MatchEvent]:
        """To the next question for a bot, by way of stand-ins, or to the end."""
        events: list[MatchEvent] = []
        while (finished := self._finished()) is None:
            prompt = self._next_prompt()
            if self.verdicts[prompt.seat] == "ok":
                self.prompt = prompt
                return events
            action = substitute(prompt, self._seeds[prompt.seat])
            self._carry_out(action)
            events.append(Decided(prompt.step, prompt.seat, action, by="stand-in"))
        self.prompt, self.result = None, finished
        return [*events, finished]

    def _finished(self) -> Finished | None:
        """The result, if the game is over or no contest is left."""
        game, state = self.game, self.state
        if self._forfeits and self._players_left() <= 1:
            out = frozenset().union(*self._forfeits)
            scores = game.forfeit_scores(state, out)
            outcome = after_forfeits(scores, self._forfeits, "forfeit")
        elif game.turn(state) is not None:
            return None
        else:
            outcome = game.outcome(state)
            if self._forfeits:
                outcome = after_forfeits(outcome.scores, self._forfeits, outcome.reason)
        return Finished(outcome, tuple(self.verdicts))

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
