"""The data of Wizard: options, deal, state, view."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.game import OptionsError
from referee.games.wizard.tricks import PACK

SEATS: Final = range(3, 7)
LARGEST_ROUND: Final = PACK // SEATS.start

Phase: TypeAlias = Literal["trump", "bid", "play"]
PlayedCard: TypeAlias = tuple[int, str]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Wizard."""

    bid_rule: Annotated[
        Literal["free", "hook", "canadian"],
        Meta(
            description="hook: the last bid may not make the bids add up to the number of tricks; "
            "canadian: only a dealer who leads alone is bound so, and may always bid 0"
        ),
    ] = "free"
    rounds: Annotated[
        str | tuple[int, ...],
        Meta(
            description="all; quick: every second round, the last one among them; or the cards of "
            "each round, like 1,3,5"
        ),
    ] = "all"

    def __post_init__(self) -> None:
        if self.rounds not in ("all", "quick"):
            msgspec.structs.force_setattr(self, "rounds", _listed(self.rounds))


class DealtRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hands by seat, and the card turned up: none when all cards are dealt."""

    hands: tuple[tuple[str, ...], ...]
    upcard: str | None


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every round's cards: nothing is drawn while the game is played."""

    rounds: tuple[DealtRound, ...]


class Round(msgspec.Struct, frozen=True):
    """A round as it was dealt, hands as bits."""

    number: int
    cards: int
    dealer: int
    hands: tuple[int, ...]
    upcard: int | None


class State(msgspec.Struct, frozen=True):
    """The whole truth. `trick` has `led`, its suit, and the `power` of the card that wins it so far."""

    options: Options
    rounds: int
    ahead: tuple[Round, ...]
    round: Round
    phase: Phase
    mover: int | None
    hands: tuple[int, ...]
    trump: int
    bids: tuple[int | None, ...]
    won: tuple[int, ...]
    leader: int
    trick: tuple[PlayedCard, ...]
    led: int
    power: int
    winner: int
    played: tuple[tuple[PlayedCard, ...], ...]
    scores: tuple[int, ...]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The `state` of a turn: all that is public, and the seat's own hand."""

    phase: Phase
    round: Annotated[int, Meta(description="counted from 1")]
    rounds: Annotated[int, Meta(description="how many rounds the game has")]
    cards: Annotated[int, Meta(description="how many each seat was dealt: the tricks of the round")]
    dealer: int
    upcard: Annotated[str | UnsetType, Meta(description="left out when all 60 cards are dealt")] = (
        UNSET
    )
    trump: Annotated[str | None, Meta(description="the suit; null: none, or not named yet")]
    hand: Annotated[
        Sequence[str] | UnsetType,
        Meta(description="yours: C D H S, low to high, then W, then N; left out for spectators"),
    ] = UNSET
    bids: Annotated[Sequence[int | None], Meta(description="by seat; null: not yet")]
    won: Annotated[Sequence[int], Meta(description="tricks of this round, by seat")]
    leader: Annotated[int, Meta(description="who leads this trick, or will lead the first")]
    trick: Annotated[Sequence[PlayedCard], Meta(description="seat and card, in order of play")]
    played: Annotated[
        Sequence[Sequence[PlayedCard]], Meta(description="the finished tricks of this round")
    ]
    scores: Annotated[Sequence[int], Meta(description="totals of the finished rounds, by seat")]


def _listed(rounds: str | tuple[int, ...]) -> tuple[int, ...]:
    """The rounds of a list, which the command line writes with commas."""
    words = [word.strip() for word in rounds.split(",")] if isinstance(rounds, str) else rounds
    sizes = tuple(int(word) if str(word).isdecimal() else 0 for word in words)
    if not sizes or not all(1 <= cards <= LARGEST_ROUND for cards in sizes):
        shown = rounds if isinstance(rounds, str) else list(rounds)
        raise OptionsError(
            "rounds is all, quick, or a list of round sizes like 1,3,5, "
            f"each from 1 to {LARGEST_ROUND}, not {shown!r}"
        )
    return sizes


def round_sizes(options: Options, seats: int) -> Sequence[int]:
    """How many cards each seat gets, round by round."""
    if seats not in SEATS:
        raise OptionsError(f"Wizard is for {SEATS[0]} to {SEATS[-1]} players, not {seats}")
    full = PACK // seats
    if options.rounds == "all":
        return range(1, full + 1)
    if options.rounds == "quick":
        return range(full, 0, -2)[::-1]
    assert not isinstance(options.rounds, str)
    if (most := max(options.rounds)) > full:
        raise OptionsError(
            f"rounds has a round of {most} cards, but {PACK} cards for {seats} players are "
            f"{full} each at most"
        )
    return options.rounds
