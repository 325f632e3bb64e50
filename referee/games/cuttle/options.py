"""The options of Cuttle. A ruleset is a set of presets; an option that is given overrides its own.

Whatever is left out is filled in when the Options are built, so that a log says all of them and
reads back as the same value.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from referee.game import OptionsError

# A list comes from a log as an array and from the command line as "1,3"; it is kept as a tuple.
if TYPE_CHECKING:
    Numbers: TypeAlias = tuple[int, ...]
else:
    Numbers: TypeAlias = tuple[int, ...] | str

BY_RULESET: Final[Any] = None  # the default of every option that the ruleset decides

_CLASSIC: Final[dict[str, Any]] = {
    "suit_order": "CDHS",
    "two_scope": "any",
    "queen_blocks_counter": True,
    "three_for_three": True,
    "four_mode": "choice",
    "five": (0, 2),
    "seven_reveal": 1,
    "nine_points": False,
    "nine_scope": "any",
    "nine_freeze": False,
    "queen_blocks_nine": True,
    "queen_protects_glasses": False,
    "king_goals": (21, 14, 10, 7, 5),
    "jack_counterable": False,
    "hand_limit": 0,
    "limit_mode": "discard_down",
    "empty_pile_reveals": False,
    "stalemate_passes": 3,
    "max_turns": 400,
}
PRESETS: Final[dict[str, dict[str, Any]]] = {
    "classic": _CLASSIC,
    # Version 1.0.2 of the site.
    "cuttle.cards": _CLASSIC
    | {
        "two_scope": "opponent",
        "three_for_three": False,
        "five": (1, 3),
        "seven_reveal": 2,
        "nine_points": True,
        "nine_scope": "opponent",
        "nine_freeze": True,
        "queen_protects_glasses": True,
        "king_goals": (21, 14, 10, 5, 0),
        "hand_limit": 8,
        "empty_pile_reveals": True,
    },
}


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Cuttle. What is left out is what `ruleset` says."""

    ruleset: Annotated[
        Literal["classic", "cuttle.cards"], Meta(description="what the options left out are")
    ] = "classic"
    suit_order: Annotated[
        Literal["CDHS", "SHDC"],
        Meta(description="suits low to high, for a scuttle of equal ranks"),
    ] = BY_RULESET
    two_scope: Annotated[
        Literal["any", "opponent"], Meta(description="whose cards a two may hit")
    ] = BY_RULESET
    queen_blocks_counter: Annotated[
        bool, Meta(description="no two may counter a card of a player with a queen")
    ] = BY_RULESET
    three_for_three: Annotated[bool, Meta(description="a three may fetch another three")] = (
        BY_RULESET
    )
    four_mode: Annotated[
        Literal["choice", "random"],
        Meta(description="who picks the cards that a four costs: their player, or chance"),
    ] = BY_RULESET
    five: Annotated[
        Numbers, Meta(description="what a five does: how many to discard first, how many to draw")
    ] = BY_RULESET
    seven_reveal: Annotated[int, Meta(description="cards a seven turns up: 1 or 2")] = BY_RULESET
    nine_points: Annotated[
        bool, Meta(description="a nine may return point cards of the opponent")
    ] = BY_RULESET
    nine_scope: Annotated[
        Literal["any", "opponent"], Meta(description="whose glasses eights a nine may return")
    ] = BY_RULESET
    nine_freeze: Annotated[
        bool, Meta(description="a returned card cannot be played on its player's next turn")
    ] = BY_RULESET
    queen_blocks_nine: Annotated[bool, Meta(description="a queen protects against nines too")] = (
        BY_RULESET
    )
    queen_protects_glasses: Annotated[
        bool, Meta(description="a queen protects her player's glasses eights too")
    ] = BY_RULESET
    king_goals: Annotated[
        Numbers, Meta(description="points that win, with 0, 1, 2, 3 and 4 kings")
    ] = BY_RULESET
    jack_counterable: Annotated[
        bool, Meta(description="a jack opens a counter window like a one-off")
    ] = BY_RULESET
    hand_limit: Annotated[int, Meta(description="0: none; else 1 to 12 cards")] = BY_RULESET
    limit_mode: Annotated[
        Literal["discard_down", "no_draw"],
        Meta(description="at the limit: discard at the end of one's turn, or do not draw"),
    ] = BY_RULESET
    empty_pile_reveals: Annotated[
        bool, Meta(description="with the draw pile empty both players see both hands")
    ] = BY_RULESET
    stalemate_passes: Annotated[int, Meta(description="so many passes in a row are a draw")] = (
        BY_RULESET
    )
    max_turns: Annotated[int, Meta(description="so many turns without a winner are a draw")] = (
        BY_RULESET
    )

    def __post_init__(self) -> None:
        for name, preset in PRESETS[self.ruleset].items():
            value = getattr(self, name)
            value = preset if value is BY_RULESET else value
            if isinstance(preset, tuple):
                value = _numbers(name, value)
            msgspec.structs.force_setattr(self, name, value)
            if name in _ALLOWED:
                _check(name, value)


def _numbers(name: str, value: str | Sequence[int]) -> tuple[int, ...]:
    """A list of whole numbers, also when it was written as `1,3`."""
    parts = value.split(",") if isinstance(value, str) else value
    try:
        return tuple(int(part) for part in parts)
    except ValueError as exc:
        raise OptionsError(_sentence(name, value)) from exc


def _check(name: str, value: Any) -> None:
    if not _ALLOWED[name][1](value):
        raise OptionsError(_sentence(name, value))


def _sentence(name: str, value: Any) -> str:
    shown = ",".join(map(str, value)) if isinstance(value, tuple) else value
    return f"{name.replace('_', '-')} is {_ALLOWED[name][0]}, not {shown}"


def _falls(goals: tuple[int, ...]) -> bool:
    return len(goals) == 5 and goals[0] > 0 <= goals[4] and [*goals] == sorted(goals, reverse=True)


# The bounds of `five` and `hand_limit` keep the list of possible discards within a few thousand.
_ALLOWED: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "five": (
        "two whole numbers, 0 to 2 cards to discard and 1 to 4 to draw, like 1,3",
        lambda five: len(five) == 2 and 0 <= five[0] <= 2 and 1 <= five[1] <= 4,
    ),
    "seven_reveal": ("1 or 2", lambda cards: cards in (1, 2)),
    "king_goals": (
        "five whole numbers that never rise, the first 1 or more, like 21,14,10,7,5",
        _falls,
    ),
    "hand_limit": ("0 (none) or 1 to 12", lambda cards: 0 <= cards <= 12),
    "stalemate_passes": ("1 or more", lambda passes: passes >= 1),
    "max_turns": ("1 or more", lambda turns: turns >= 1),
}
