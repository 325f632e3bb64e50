"""`croupier games` and `croupier schema`: what there is to know without playing."""

import sys
from typing import Any

import msgspec

from referee import screen
from referee.builtin import POLICIES
from referee.cli.errors import choices_of, game_named, takes_list
from referee.game import Game
from referee.games import GAMES
from referee.schema import schema_text


def run_games(*, as_json: bool) -> int:
    """A list for people, or one JSON object."""
    if as_json:
        report = {
            "games": [_json_game(game) for game in GAMES.values()],
            "builtin": list(POLICIES),
        }
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
        return 0
    out = screen.console()
    for game in GAMES.values():
        for line in _game_lines(game):
            out.print(line)
    out.print(f"built-in bots: {', '.join(f'builtin:{name}' for name in POLICIES)}")
    return 0


def run_schema(name: str) -> int:
    """The schema document of one game."""
    sys.stdout.write(schema_text(game_named(name)))
    return 0


def _seats(game: Game[Any]) -> str:
    few, many = game.seats.start, game.seats.stop - 1
    return f"{few} players" if few == many else f"{few} to {many} players"


def _game_lines(game: Game[Any]) -> list[str]:
    lines = [f"{game.name}  {game.title}, {_seats(game)}"]
    for field in msgspec.structs.fields(game.options_type):
        name = field.name.replace("_", "-")
        choices = choices_of(game.options_type, field.name)
        number = "N,N,…" if takes_list(game.options_type, field.name) else "N"
        values = "|".join(choices) or number
        default = "" if field.default is None else f" (default {field.default})"
        lines.append(f"  -o {name}={values}{default}: {_meaning(field.type)}")
    return lines


def _meaning(hint: Any) -> str:
    (meta,) = (meta for meta in hint.__metadata__ if isinstance(meta, msgspec.Meta))
    return meta.description or ""


def _json_game(game: Game[Any]) -> dict[str, Any]:
    fields = msgspec.structs.fields(game.options_type)
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "options": {field.name: getattr(game.options_type(), field.name) for field in fields},
    }
