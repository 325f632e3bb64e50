"""Every line that may cross the wire: one Struct a message type.

The Structs are the source: the JSON Schema of each game and the reference tables in docs/ are
generated from them. The order of their fields is part of the promise to bot authors (`type`, then
`id`, and `legal` before `state`), so each Struct lists its own fields, all by keyword, in wire order.
Optional fields that do not apply are left out of the line, never sent as null.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

PROTOCOL: Final = 1
T = TypeVar("T")


def or_unset(value: T | None) -> T | UnsetType:
    """For an optional field: what there is not, is left out of the line."""
    return UNSET if value is None else value


Seat: TypeAlias = Annotated[int, Meta(ge=0, description="a place at the table, from 0")]
RequestId: TypeAlias = Annotated[
    int,
    Meta(
        ge=0,
        le=2**53 - 1,
        description="counts the requests of this connection: hello is 1, each turn the next number",
    ),
]
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0)]
BotSeed: TypeAlias = Annotated[int, Meta(ge=0, le=2**31 - 1)]
GameId: TypeAlias = Annotated[str, Meta(description="names the game on this connection")]


class Moved(msgspec.Struct, frozen=True):
    """A decision: this seat chose this action."""

    seat: Seat
    action: str


class Took(msgspec.Struct, frozen=True, tag_field="event", tag="took"):
    """Cards went from the table into a seat's hand."""

    seat: Seat
    cards: Annotated[Sequence[str], Meta(description="bottom of the pile first")]


class Drew(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="drew"):
    """A seat drew cards from the pile."""

    seat: Seat
    count: int
    cards: Annotated[
        Sequence[str] | UnsetType, Meta(description="only for those who may see them")
    ] = UNSET


class Revealed(msgspec.Struct, frozen=True, tag_field="event", tag="revealed"):
    """Cards were turned up for all to see."""

    cards: Sequence[str]


class Discarded(msgspec.Struct, frozen=True, tag_field="event", tag="discarded"):
    """Cards of a seat went to the discard pile by a rule, not by an action of its own."""

    seat: Seat
    cards: Sequence[str]


class RoundBegan(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="round"):
    """A round was dealt."""

    round: Annotated[int, Meta(description="counted from 1")]
    cards: Annotated[int, Meta(description="how many each seat holds")]
    dealer: int
    upcard: str | UnsetType = UNSET


class TrumpSet(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="trump"):
    """The trump suit of the round is settled."""

    suit: Annotated[str | UnsetType, Meta(description="left out: no trump")] = UNSET


class TrickWon(msgspec.Struct, frozen=True, tag_field="event", tag="trick"):
    """A seat won the trick."""

    seat: Seat


class Scored(msgspec.Struct, frozen=True, tag_field="event", tag="scored"):
    """A round was scored."""

    points: Annotated[Sequence[int], Meta(description="by seat")]


class FaultEvent(msgspec.Struct, frozen=True, tag_field="event", tag="fault"):
    """A bot was at fault; the game goes on or ends as the rules of conduct say."""

    seat: Seat
    code: str


Fact: TypeAlias = (
    Drew | Revealed | Discarded | Took | RoundBegan | TrumpSet | TrickWon | Scored | FaultEvent
)
Event: TypeAlias = Moved | Fact

Events: TypeAlias = Annotated[
    Sequence[Any],
    Meta(
        description="what happened since this seat was last asked, oldest first",
        extra_json_schema={"items": {"$ref": "#/$defs/Event"}},
    ),
]


class ServerHello(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """First line of the server: answer with your own `hello` and the same `id`."""

    id: RequestId
    protocol: Annotated[int, Meta(description="the version this server speaks")]
    server: Annotated[str, Meta(description="name and version of the program")]
    auth: Annotated[str | UnsetType, Meta(description="`token`: TCP wants one")] = UNSET


class Start(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="start"):
    """A game begins. Wants no answer."""

    game: GameId
    rules: Annotated[str, Meta(description="which game it is: `svoyi-koziri`, …")]
    options: Annotated[Any, Meta(description="every option of the game's rules")]
    seat: Annotated[int, Meta(ge=0, description="your seat in this game")]
    players: Annotated[Sequence[str], Meta(description="names by seat")]
    move_ms: Annotated[Milliseconds | UnsetType, Meta(description="time for one decision")] = UNSET
    clock_ms: Annotated[
        Milliseconds | UnsetType, Meta(description="your bank for the whole game, if there is one")
    ] = UNSET
    seed: Annotated[
        BotSeed | UnsetType, Meta(description="yours to draw from; unrelated to the deal")
    ] = UNSET
    commitment: Annotated[
        str | UnsetType,
        Meta(description="SHA-256 of salt, newline and the deal's JSON: the deal is fixed already"),
    ] = UNSET


class Turn(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="turn"):
    """Choose one of `legal` within `move_ms`; answer with an `action` of the same `id`."""

    id: RequestId
    game: GameId
    seat: Annotated[int, Meta(ge=0, description="your seat in this game")]
    move_ms: Annotated[Milliseconds | UnsetType, Meta(description="time for this decision")] = UNSET
    clock_ms: Annotated[
        Milliseconds | UnsetType, Meta(description="what is left of your bank, if there is one")
    ] = UNSET
    legal: Annotated[
        Sequence[str],
        Meta(description="every action you may take now; no string in it needs escaping"),
    ]
    state: Annotated[Any, Meta(description="all that your seat may know now")]
    events: Events


class End(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="end"):
    """The game is over. Wants no answer."""

    game: GameId
    scores: Annotated[Sequence[int], Meta(description="by seat")]
    places: Annotated[Sequence[int], Meta(description="by seat; 1 is best, ties share a place")]
    reason: Annotated[str, Meta(description="why it ended: a word of the game, or `forfeit`")]
    events: Events
    deal: Annotated[
        Any, Meta(description="the whole deal, when it will not be played again before you")
    ] = UNSET
    salt: Annotated[str | UnsetType, Meta(description="opens the commitment")] = UNSET


class Error(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """What you did wrong. Wants no answer."""

    re: Annotated[int | UnsetType, Meta(description="the id it is about")] = UNSET
    code: Annotated[str, Meta(description="the fault, one word")]
    message: Annotated[str, Meta(description="the fault in words")]
    fatal: Annotated[bool, Meta(description="whether it cost you the game")]


class Bye(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="bye"):
    """No more games: leave. What still runs half a second later is killed."""

    reason: str


ServerMessage: TypeAlias = ServerHello | Start | Turn | End | Error | Bye


class BotHello(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The bot's first line: who it is."""

    id: RequestId
    protocol: Annotated[int, Meta(description="the version this bot speaks")]
    name: str
    version: str | UnsetType = UNSET
    games: Annotated[
        Sequence[str] | UnsetType, Meta(description="the games it plays; left out: any")
    ] = UNSET
    token: Annotated[str | UnsetType, Meta(description="TCP only")] = UNSET


class Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="action"):
    """The bot's decision."""

    id: RequestId
    action: Annotated[str, Meta(description="one of the strings in `legal`, verbatim")]
    note: Annotated[
        msgspec.Raw | UnsetType,
        Meta(
            description="kept in the log: a string of at most 500 characters or a flat object of "
            "at most 16 values; `win` (0 to 1) is charted in replays"
        ),
    ] = UNSET


BotMessage: TypeAlias = BotHello | Action
