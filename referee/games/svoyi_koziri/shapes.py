"""The data of Svoyi Koziri: options, deal, state, view."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from referee.cards import SUITS
from referee.game import OptionsError

PLIES_PER_CARD: Final = 60

Position: TypeAlias = tuple[int, int, int]  # both hands and who leads
# Positions at the leads so far, kept apart by the remainder of seat 0's hand and in order of time:
# one is looked for among a few that way, and a game of hundreds of turns is not slow at its end.
Positions: TypeAlias = tuple[tuple[Position, ...], ...]
NO_POSITIONS: Final[Positions] = ((),) * 17  # a prime, so that the remainder depends on all cards


class Plan(msgspec.Struct, frozen=True):
    """Who owns which suits, by seat, as suit numbers (C D H S = 0..3).

    The players' choice is made before a card is seen, so it is a mere naming: everyone plays the
    article's plan. Others exist to state that the rules do not depend on it.
    """

    trump: tuple[int, int]
    plain: tuple[int, int]


PLAN: Final = Plan(trump=(SUITS.index("S"), SUITS.index("D")), plain=(0, SUITS.index("H")))


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Svoyi Koziri."""

    cards: Annotated[int, Meta(description="size of the pack: a multiple of 4 from 8 to 52")] = 32
    take: Annotated[
        Literal["forced", "free"],
        Meta(description="forced: one may take only when nothing beats; free: always"),
    ] = "forced"
    after_take: Annotated[
        Literal["leader", "taker"], Meta(description="who leads after a taking")
    ] = "leader"
    repetition: Annotated[
        int, Meta(description="how often a position must occur for a draw; 0: never")
    ] = 3
    max_plies: Annotated[
        int | None,
        Meta(description=f"plies until a draw; left out: {PLIES_PER_CARD} for each card"),
    ] = None

    def __post_init__(self) -> None:
        if self.cards not in range(8, 53, 4):
            raise OptionsError(f"cards is a multiple of 4 from 8 to 52, not {self.cards}")
        if self.repetition < 0 or self.repetition == 1:
            raise OptionsError(f"repetition is 0 (off), or 2 or more, not {self.repetition}")
        if self.max_plies is None:
            msgspec.structs.force_setattr(self, "max_plies", PLIES_PER_CARD * self.cards)
        elif self.max_plies < 1:
            raise OptionsError(f"max-plies is 1 or more, not {self.max_plies}")


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Both hands, and the code that says the same in one number.

    Bit i of the code is set when the dealer keeps own card i; own cards are listed trump suit low
    to high, then plain suit low to high.
    """

    code: int
    hands: tuple[tuple[str, ...], tuple[str, ...]]


class State(msgspec.Struct, frozen=True):
    """The whole truth. Hands are bits, `pile` is bottom to top, `led` is the card to be beaten."""

    options: Options
    trumps: tuple[int, int]
    leader: int
    hands: tuple[int, int]
    pile: tuple[int, ...] = ()
    led: int | None = None
    plies: int = 0
    positions: Positions = NO_POSITIONS  # the one of the last lead included
    occurrences: int = 0  # how often the position of the last lead has occurred
    over: Literal["out", "repetition", "ply_limit"] | None = None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The `state` of a turn: everything is open."""

    phase: Literal["lead", "reply"]
    leader: int
    trumps: Annotated[Sequence[str], Meta(description="each seat's trump suit")]
    hands: Annotated[
        Sequence[Sequence[str]], Meta(description="by seat, in the order C D H S, low to high")
    ]
    pile: Annotated[Sequence[str], Meta(description="the cards on the table, bottom to top")]
    led: Annotated[
        str | msgspec.UnsetType, Meta(description="the card to be beaten; only in a reply")
    ] = msgspec.UNSET
    plies: int
    max_plies: int
    position_count: Annotated[
        int, Meta(description="how often the position of the last lead has occurred")
    ]
