"""What a bot is told of a game: from the match's words to messages. Pure.

The table says it to living bots, and a log says it again.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from protocol.messages import End, Event, Start, Turn, or_unset
from referee.clock import Clock
from referee.match import Finished, Prompt


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """What all seats of a game are told of it."""

    number: int
    rules: str
    options: Any
    names: Sequence[str]
    seeds: Sequence[int]
    commitment: str

    @property
    def id(self) -> str:
        """The game's name on the wire."""
        return f"g{self.number}"


def start_of(seating: Seating, seat: int, clock: Clock) -> Start:
    """The game begins."""
    return Start(
        game=seating.id,
        rules=seating.rules,
        options=seating.options,
        seat=seat,
        players=seating.names,
        move_ms=or_unset(clock.move_ms),
        clock_ms=or_unset(clock.bank_ms),
        seed=seating.seeds[seat],
        commitment=seating.commitment,
    )


def turn_of(seating: Seating, prompt: Prompt, request: int) -> Turn:
    """The question of a prompt; `request` is its id on that connection."""
    return Turn(
        id=request,
        game=seating.id,
        seat=prompt.seat,
        move_ms=or_unset(prompt.clock.allowance_ms),
        clock_ms=or_unset(prompt.clock.bank_ms),
        legal=prompt.legal,
        state=prompt.view,
        events=prompt.events,
    )


def end_of(
    seating: Seating, finished: Finished, events: Sequence[Event], revealed: tuple[Any, str] | None
) -> End:
    """The game is over; `revealed` are deal and salt, if the bot may know them now."""
    outcome = finished.outcome
    deal, salt = revealed or (UNSET, UNSET)
    return End(
        game=seating.id,
        scores=outcome.scores,
        places=outcome.places,
        reason=outcome.reason,
        events=events,
        deal=deal,
        salt=salt,
    )
