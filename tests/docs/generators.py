"""What is written by a program: whole files, and the marked parts of hand-written pages.

A marked part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import msgspec
import typer

from protocol.faults import MEANING
from protocol.messages import Fact
from referee.cli.app import app
from referee.games import GAMES
from referee.schema import reference_page, schema_text, state_diagram
from tests.docs import examples
from tournaments.league import BotTable, LeagueTable, LimitsTable
from tournaments.toml_lines import wanted


def faults_table() -> str:
    """Every fault and what it means."""
    rows = [f"| `{code}` | {meaning} |" for code, meaning in MEANING.items()]
    return "\n".join(["| fault | meaning |", "|---|---|", *rows])


def facts_table() -> str:
    """Every fact that an event may be, with its fields."""
    rows = []
    for fact in get_args(Fact):
        fields = " ".join(
            f"`{field.encode_name}`" + ("" if field.required else "?")
            for field in msgspec.structs.fields(fact)
        )
        rows.append(f"| `{fact.__struct_config__.tag}` | {fields} | {fact.__doc__} |")
    return "\n".join(["| event | fields | meaning |", "|---|---|---|", *rows])


def diagram() -> str:
    """The states of a conversation."""
    return f"```mermaid\n{state_diagram()}\n```"


def cli_page() -> str:
    """Every command with its arguments and options."""
    group: Any = typer.main.get_command(app)
    callbacks = {c.callback.__name__: c.callback for c in app.registered_commands if c.callback}
    return "\n".join(
        [
            "# The commands",
            "",
            "Written from the program itself, by `pytest tests/docs --regenerate`. `croupier --help`",
            "says the same, and `croupier --install-completion` teaches the shell to complete it.",
            "",
            *_section("croupier", group, {}),
            *(
                line
                for name, command in group.commands.items()
                for line in _section(f"croupier {name}", command, _words(callbacks[name]))
            ),
        ]
    )


def _section(path: str, command: Any, words: dict[str, str]) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [
        p
        for p in command.params
        if p.param_type_name == "option" and not p.name.endswith("_completion")
    ]
    command_word = ["COMMAND"] if getattr(command, "commands", None) else []
    words_shown = ["[OPTIONS]"] if options else []
    usage = " ".join([path, *words_shown, *command_word, *(a.metavar for a in arguments)])
    yield from (f"## {path}", "", command.help, "", "```text", usage, "```", "")
    if arguments:
        yield from ("| argument | meaning |", "|---|---|")
        yield from (f"| `{_cell(a.metavar)}` | {_cell(a.help or 'a log')} |" for a in arguments)
        yield ""
    if options:
        yield from ("| option | default | meaning |", "|---|---|---|")
        yield from (_option(option, words.get(option.name, "N")) for option in options)
        yield ""


def _option(option: Any, words: str) -> str:
    names = ", ".join(option.opts)
    value = "" if option.is_flag else f" {option.metavar or words}"
    default = "" if option.is_flag or option.default is None else f"`{_plain(option.default)}`"
    return f"| `{_cell(names + value)}` | {default} | {_cell(option.help)} |"


def _words(callback: Callable[..., Any]) -> dict[str, str]:
    """What an option may be, for options of a few words: `never|game`."""
    kinds = ((name, _enum_in(hint)) for name, hint in get_type_hints(callback).items())
    return {name: "|".join(map(_plain, kind)) for name, kind in kinds if kind}


def _enum_in(hint: Any) -> type[Enum] | None:
    kinds = (hint, *get_args(hint))
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Enum)), None)


def _plain(value: object) -> str:
    return str(getattr(value, "value", value))


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def keys_table(table: type[msgspec.Struct]) -> str:
    """The keys of a table of the league file."""
    lines = ["| key | what it must be | default | what it is |", "|---|---|---|---|"]
    for field in msgspec.structs.fields(table):
        told = msgspec.inspect.type_info(field.type)
        assert isinstance(told, msgspec.inspect.Metadata)
        assert told.extra_json_schema
        if field.required:
            default = "needed"
        elif field.default is msgspec.NODEFAULT or field.default is None:
            default = ""
        else:
            default = f"`{_plain(field.default)}`"
        words = _cell(told.extra_json_schema["description"])
        lines.append(f"| `{field.encode_name}` | {wanted(field.type)} | {default} | {words} |")
    return "\n".join(lines)


FILES: Final[dict[str, Callable[[], str]]] = {
    **{
        f"protocol/schema/{name}.json": lambda game=game: schema_text(game)  # type: ignore[misc]
        for name, game in GAMES.items()
    },
    "docs/reference/messages.md": lambda: reference_page(GAMES["svoyi-koziri"]),
    "docs/reference/cli.md": cli_page,
    **{
        f"docs/transcripts/{name}.jsonl": lambda name=name: examples.recorded(name)  # type: ignore[misc]
        for name in examples.RECORDINGS
    },
}
PARTS: Final[dict[str, Callable[[], str]]] = {
    "facts": facts_table,
    "league keys": lambda: keys_table(LeagueTable),
    "limits keys": lambda: keys_table(LimitsTable),
    "bots keys": lambda: keys_table(BotTable),
    "faults": faults_table,
    "state diagram": diagram,
    **examples.PARTS,
}


def with_parts(page: Path) -> str:
    """The page with its marked parts written anew."""
    return re.sub(
        r"(?s)(<!-- generated: ([\w ]+) -->\n).*?(<!-- end of \2 -->)",
        lambda found: f"{found[1]}{PARTS[found[2]]()}\n{found[3]}",
        page.read_text(encoding="utf-8"),
    )
