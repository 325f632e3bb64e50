"""The contract between the rules of a game and the rest of the referee.

A game is pure: states are immutable values, all randomness is in `deal`, and nothing here may read
a clock, draw from a global generator, log, or await. All games have exactly one seat to move at a
time.
"""

from collections.abc import Collection, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

import msgspec

from protocol.messages import Event

S = TypeVar("S")


class DealError(ValueError):
    """A deal, from a log say, that the rules could not have made."""


class OptionsError(ValueError):
    """Options that the rules do not know or cannot play; the message names option and remedy."""


class IllegalActionError(ValueError):
    """An action that is not in the legal list."""


class Happening(msgspec.Struct, frozen=True):
    """An event and who may see it (None: everybody)."""

    event: Event
    seen_by: frozenset[int] | None = None


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: scores and places by seat (1 = best, ties share), and why."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str


class Game(Protocol[S]):
    """The rules of one game."""

    @property
    def name(self) -> str:
        """As on the command line, on the wire and in logs: `svoyi-koziri`."""
        ...

    @property
    def title(self) -> str:
        """For people: `Svoyi Koziri`."""
        ...

    @property
    def seats(self) -> range:
        """How many players the game takes."""
        ...

    @property
    def hidden(self) -> bool:
        """Whether a seat knows less than all: such a deal is never shown twice to one process."""
        ...

    @property
    def options_type(self) -> type[msgspec.Struct]:
        """Its fields with their defaults are the game's options; building one checks them."""
        ...

    @property
    def deal_type(self) -> type[msgspec.Struct]:
        """Plain data that goes into the log."""
        ...

    @property
    def view_type(self) -> type[msgspec.Struct]:
        """What `view` gives: the `state` of a turn."""
        ...

    @property
    def tally(self) -> str:
        """What is counted beside the scores, as a heading: `bids made`. Empty: nothing."""
        ...

    def deal(self, rng: Random, seats: int, options: Any) -> Any:
        """All that chance decides, drawn at once."""
        ...

    def deal_count(self, options: Any) -> int | None:
        """How many different deals there are; None: more than will ever be played."""
        ...

    def swing(self, seats: int, options: Any) -> float:
        """A lead that a deal in every seating rarely exceeds, some 3.5 standard deviations between equals.

        With two seats it is 1, for a win; with more it is in game points. Comparisons cut what lies beyond.
        """
        ...

    def start(self, deal: Any, seats: int, options: Any) -> S:
        """The first state; raises `DealError` for a deal that these options cannot have."""
        ...

    def turn(self, state: S) -> int | None:
        """The seat to move; None when the game is over."""
        ...

    def legal_actions(self, state: S) -> Sequence[str]:
        """All legal actions in canonical order; empty only when the game is over."""
        ...

    def play(self, state: S, action: str) -> S:
        """The state after a legal action; raises `IllegalActionError` for any other."""
        ...

    def refusal(self, state: S, action: str) -> str:
        """Why an action is not in the legal list: a fixed word, a colon, and words for people."""
        ...

    def view(self, state: S, seat: int | None) -> msgspec.Struct:
        """What `seat` may know (None: a spectator), built from an allow-list."""
        ...

    def happenings(self, before: S, action: str, after: S) -> Sequence[Happening]:
        """What the action brought about: the decision itself first, then the facts."""
        ...

    def outcome(self, state: S) -> Outcome:
        """The result of a game that is over."""
        ...

    def forfeit_scores(self, state: S, out: Collection[int]) -> tuple[int, ...]:
        """The scores to record when the game ends now because these seats have forfeited."""
        ...

    def redeal(self, state: S, seat: int, rng: Random) -> S:
        """Another truth that the seat cannot tell from this one, later deals included."""
        ...

    def determinize(self, view: Any, seat: int, seats: int, options: Any, rng: Random) -> S:
        """A whole state that the seat may be in when this is its view: it would see the same."""
        ...

    def describe(self, before: S, event: Event) -> str:
        """The event in plain words without its subject ("leads TC"); empty: nothing to add."""
        ...

    def tallied(self, event: Event) -> Sequence[bool]:
        """By seat, whether the event counts for it; empty when there is nothing to count."""
        ...

    def interesting(self, before: S, action: str) -> bool:
        """Whether a replay should stop at this action."""
        ...
