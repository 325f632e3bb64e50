"""JSON Schema, reference tables and the state diagram, generated from the code that they describe.

One document a game: in a shared one, two games' Structs of the same name would rename each other.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from protocol.messages import (
    Action,
    BotHello,
    BotMessage,
    Bye,
    End,
    Error,
    Fact,
    Moved,
    ServerHello,
    ServerMessage,
    Start,
    Turn,
)
from protocol.session import BOT_MAY_SAY, WE_MAY_SAY
from referee.game import Game

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SERVER_MESSAGES: Final = (ServerHello, Start, Turn, End, Error, Bye)
BOT_MESSAGES: Final = (BotHello, Action)


def game_schema(game: Game[Any]) -> dict[str, Any]:
    """Both directions of the wire for one game."""
    parts = [
        ServerMessage,
        BotMessage,
        Fact,
        Moved,
        game.view_type,
        game.options_type,
        game.deal_type,
    ]
    shapes, defs = msgspec.json.schema_components(parts, ref_template="#/$defs/{name}")
    server, bot, fact, moved, view, options, deal = shapes
    defs["Event"] = {"anyOf": [moved, fact]}
    defs["ServerMessage"], defs["BotMessage"] = server, bot
    _put(defs["Turn"], "state", view)
    _put(defs["Start"], "options", options)
    _put(defs["End"], "deal", deal)
    _put(defs["Start"], "rules", {"const": game.name})
    return {
        "$schema": DIALECT,
        "title": f"{game.title}, protocol 1",
        "anyOf": [{"$ref": "#/$defs/ServerMessage"}, {"$ref": "#/$defs/BotMessage"}],
        "$defs": dict(sorted(defs.items())),
    }


def _put(message: dict[str, Any], field: str, shape: Mapping[str, Any]) -> None:
    """Says what a field holds in this game."""
    message["properties"][field] = {**message["properties"][field], **shape}


def schema_text(game: Game[Any]) -> str:
    """The document as it is printed and stored."""
    return msgspec.json.format(msgspec.json.encode(game_schema(game))).decode() + "\n"


def reference_page(game: Game[Any]) -> str:
    """The Markdown reference of all messages, and of one game's own shapes."""
    defs = game_schema(game)["$defs"]
    return "\n".join([f"# Messages, with the state of {game.title}", "", *_sections(defs)])


def _sections(defs: Mapping[str, Any]) -> Iterator[str]:
    for name, shape in defs.items():
        if "properties" not in shape:
            continue
        yield from (f"## {name}", "", shape.get("description", ""), "")
        yield from ("| field | type | required | meaning |", "|---|---|---|---|")
        for field, spec in shape["properties"].items():
            needed = "yes" if field in shape.get("required", ()) else "no"
            yield f"| `{field}` | {_kind(spec)} | {needed} | {spec.get('description', '')} |"
        yield ""


def _kind(spec: Mapping[str, Any]) -> str:
    """A field's type in a word or two."""
    if "enum" in spec:
        return " or ".join(f"`{value}`" for value in spec["enum"])
    if "const" in spec:
        return f"`{spec['const']}`"
    if "$ref" in spec:
        return str(spec["$ref"]).removeprefix("#/$defs/")
    if "anyOf" in spec:
        return " or ".join(_kind(option) for option in spec["anyOf"])
    if "prefixItems" in spec:
        return f"array of {len(spec['prefixItems'])} x {_kind(spec['prefixItems'][0])}"
    if spec.get("type") == "array":
        return f"array of {_kind(spec['items'])}" if spec.get("items") else "array"
    return str(spec.get("type", "any"))


def state_diagram() -> str:
    """The conversation as a Mermaid diagram, drawn from the session's tables."""
    lines = ["stateDiagram-v2", "    [*] --> new"]
    for table, arrow in ((WE_MAY_SAY, "→"), (BOT_MAY_SAY, "←")):
        for state, row in table.items():
            for message, after in row.items():
                tag = message.__struct_config__.tag
                lines.append(f"    {state} --> {after}: {arrow} {tag}")
    return "\n".join(lines)
