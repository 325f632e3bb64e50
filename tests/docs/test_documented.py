"""What exists is documented, and what is linked exists."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer

from protocol.faults import FaultCode
from referee.cli import run
from referee.cli.app import app
from referee.games import GAMES
from referee.schema import BOT_MESSAGES, SERVER_MESSAGES
from tests.docs.pages import PAGES, ROOT, name_of

COMMANDS: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
MODULES = [
    file.relative_to(ROOT)
    for package in ("protocol", "referee", "tournaments")
    for file in sorted((ROOT / package).rglob("*.py"))
    if file.name != "__init__.py"
]
STATUSES = [run.FINE, run.WRONG, run.USAGE, run.NO_START, run.BOT_FAULT, run.OUR_BUG]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """What a link to a heading of this page may say after `#`."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_a_page_that_names_all_its_options(game: str) -> None:
    text = text_of(f"docs/games/{game}.md")
    fields = [field.name.replace("_", "-") for field in msgspec.structs.fields(GAMES[game].options_type)]
    assert [name for name in fields if f"`{name}" not in text] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_page_names_every_field_of_the_state(game: str) -> None:
    text = text_of(f"docs/games/{game}.md")
    fields = [field.name for field in msgspec.structs.fields(GAMES[game].view_type)]
    assert [name for name in fields if f"`{name}`" not in text] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_and_its_options_are_in_the_reference(command: str) -> None:
    section = text_of("docs/reference/cli.md").partition(f"## croupier {command}\n")[2]
    section = section.partition("\n## ")[0]
    names = [name for parameter in COMMANDS[command].params for name in parameter.opts]
    wanted = [name for name in names if name.startswith("-")]
    assert section
    assert [name for name in wanted if not re.search(rf"{name}\b", section)] == []


@pytest.mark.parametrize("code", FaultCode)
def test_a_fault_is_in_the_protocol_page(code: FaultCode) -> None:
    assert f"`{code}`" in text_of("docs/protocol.md")


@pytest.mark.parametrize(
    "message", [*SERVER_MESSAGES, *BOT_MESSAGES], ids=lambda message: message.__name__
)
def test_a_message_has_a_heading_in_the_protocol_page(message: type[msgspec.Struct]) -> None:
    assert f"\n### `{message.__struct_config__.tag}`" in text_of("docs/protocol.md")


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_is_on_the_map(module: Path) -> None:
    assert f"`{'.'.join(module.with_suffix('').parts)}`" in text_of("docs/architecture.md")


@pytest.mark.parametrize("status", [*STATUSES, run.INTERRUPTED])
def test_an_exit_status_is_in_the_readme(status: int) -> None:
    assert f"\n| {status} | " in text_of("README.md")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_relative_links_resolve(page: Path) -> None:
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        target, _, anchor = link.partition("#")
        file = page.parent / target if target else page
        if "://" not in link and not (
            file.exists() and (not anchor or anchor in anchors(file))
        ):
            dead.append(link)
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_page_can_be_reached_from_the_index(page: Path) -> None:
    if page.parent != ROOT and page != ROOT / "docs/index.md":
        assert f"]({page.relative_to(ROOT / 'docs')})" in text_of("docs/index.md")


def test_the_changelog_says_what_is_not_released_yet() -> None:
    first = re.findall(r"^## (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)[0]
    assert first.startswith("[Unreleased]")


def test_the_readme_shows_how_to_try_and_to_test() -> None:
    assert {"make demo", "make test"} <= set(text_of("README.md").splitlines())
