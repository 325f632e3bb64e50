"""What is written by a program: whole files, and the marked parts of hand-written pages.

A marked part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import typer

from protocol.faults import MEANING
from referee.cli.app import app
from referee.games import GAMES
from referee.schema import reference_page, schema_text, state_diagram
from tests.docs.recording import transcript

SHOWN_LINES: Final = 7  # of the transcript


def faults_table() -> str:
    """Every fault and what it means."""
    rows = [f"| `{code}` | {meaning} |" for code, meaning in MEANING.items()]
    return "\n".join(["| fault | meaning |", "|---|---|", *rows])


def diagram() -> str:
    """The states of a conversation."""
    return f"```mermaid\n{state_diagram()}\n```"


def dialogue() -> str:
    """The recorded game as the bot in seat 0 sees it."""
    lines = []
    for text in transcript().splitlines():
        line = json.loads(text)
        if 0 in {line.get("to"), line.get("from")}:
            arrow = "→" if "to" in line else "←"
            lines.append(f"{arrow} {json.dumps(line['message'], separators=(',', ':'))}")
    return "\n".join(["```text", *lines, "```"])


def transcript_beginning() -> str:
    """The first lines of the transcript's file."""
    return "\n".join(["```text", *transcript().splitlines()[:SHOWN_LINES], "```"])


def cli_page() -> str:
    """Every command with its arguments and options."""
    group: Any = typer.main.get_command(app)
    return "\n".join(
        [
            "# The commands",
            "",
            "Written by `pytest tests/docs --regenerate` from the program itself.",
            "",
            *_parameters("croupier", group),
            *(
                line
                for name, command in group.commands.items()
                for line in _parameters(f"croupier {name}", command)
            ),
        ]
    )


def _parameters(path: str, command: Any) -> Iterator[str]:
    yield from (f"## {path}", "", command.help, "")
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and not p.hidden]
    usage = " ".join([path, "[OPTIONS]", *(argument.metavar for argument in arguments)])
    yield from ("```text", usage if arguments or options else path, "```", "")
    if arguments:
        yield from ("| argument | meaning |", "|---|---|")
        yield from (f"| `{_cell(a.metavar)}` | {_cell(a.help or 'The log.')} |" for a in arguments)
        yield ""
    if options:
        yield from ("| option | default | meaning |", "|---|---|---|")
        yield from map(_option, options)
        yield ""


def _option(option: Any) -> str:
    names = ", ".join(option.opts)
    value = "" if option.is_flag else f" {option.metavar or _kind(option)}"
    default = "" if option.is_flag or option.default is None else f"`{_plain(option.default)}`"
    return f"| `{_cell(names + value)}` | {default} | {_cell(option.help)} |"


def _kind(option: Any) -> str:
    """What an option without a metavar of its own wants."""
    choices = getattr(option.type, "choices", None)
    return "|".join(map(_plain, choices)) if choices else "N"


def _plain(value: object) -> str:
    return str(getattr(value, "value", value))


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


FILES: Final[dict[str, Callable[[], str]]] = {
    **{
        f"protocol/schema/{name}.json": lambda game=game: schema_text(game)  # type: ignore[misc]
        for name, game in GAMES.items()
    },
    "docs/reference/messages.md": lambda: reference_page(GAMES["svoyi-koziri"]),
    "docs/reference/cli.md": cli_page,
    "docs/transcripts/svoyi-koziri.jsonl": transcript,
}
PARTS: Final[dict[str, Callable[[], str]]] = {
    "dialogue": dialogue,
    "faults": faults_table,
    "state diagram": diagram,
    "transcript": transcript_beginning,
}


def with_parts(page: Path) -> str:
    """The page with its marked parts written anew."""
    return re.sub(
        r"(?s)(<!-- generated: ([\w ]+) -->\n).*?(\n<!-- end of \2 -->)",
        lambda found: f"{found[1]}{PARTS[found[2]]()}{found[3]}",
        page.read_text(encoding="utf-8"),
    )
