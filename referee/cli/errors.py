"""What an operator can get wrong on the command line, as one sentence each."""

import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.bots import did_you_mean
from referee.game import Game, OptionsError
from referee.games import GAMES


def say(words: str) -> None:
    """A line on standard error."""
    print(words, file=sys.stderr)  # noqa: T201


class UsageError(Exception):
    """The command cannot be carried out as it was given."""


def game_named(name: str) -> Game[Any]:
    """The game, or what the operator may have meant."""
    if name not in GAMES:
        raise UsageError(
            f"Unknown game '{name}'.{did_you_mean(name, GAMES)} (games: {', '.join(GAMES)})"
        )
    return GAMES[name]


def options_from(game: Game[Any], settings: Sequence[str]) -> Any:
    """The game's options from `KEY=VALUE` words."""
    known = [field.replace("_", "-") for field in game.options_type.__struct_fields__]
    values: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"-o {setting}: an option is written KEY=VALUE, like {known[0]}=…")
        if key not in known:
            raise UsageError(
                f"Unknown option '{key}' of {game.name}.{did_you_mean(key, known)}"
                f" (options: {', '.join(known)})"
            )
        values[key.replace("-", "_")] = value
    return _converted(game, values)


def _converted(game: Game[Any], values: dict[str, str]) -> Any:
    try:
        return msgspec.convert(values, game.options_type, strict=False)
    except (msgspec.ValidationError, OptionsError) as exc:
        for key, value in values.items():
            if f"$.{key}`" in str(exc):
                choices = choices_of(game.options_type, key)
                wanted = f"one of {', '.join(choices)}" if choices else "a whole number"
                hint = did_you_mean(value, choices)
                name = key.replace("_", "-")
                raise UsageError(f"-o {name}={value}: expected {wanted}.{hint}") from exc
        raise UsageError(f"Option {exc}") from exc


def choices_of(options: type[msgspec.Struct], field: str) -> list[str]:
    """The words that an option may be; empty when it is a number."""
    kinds = _kinds(options, field)
    if any(isinstance(kind, msgspec.inspect.BoolType) for kind in kinds):
        return ["true", "false"]
    return [
        str(v)
        for kind in kinds
        if isinstance(kind, msgspec.inspect.LiteralType)
        for v in kind.values
    ]


def takes_list(options: type[msgspec.Struct], field: str) -> bool:
    """Whether an option may be a list of numbers, `1,3,5`."""
    return any(isinstance(k, msgspec.inspect.VarTupleType) for k in _kinds(options, field))


def _kinds(options: type[msgspec.Struct], field: str) -> Sequence[msgspec.inspect.Type]:
    """The types that an option may have."""
    (hint,) = (f.type for f in msgspec.structs.fields(options) if f.name == field)
    kind = msgspec.inspect.type_info(hint)
    if isinstance(kind, msgspec.inspect.Metadata):
        kind = kind.type
    return kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
