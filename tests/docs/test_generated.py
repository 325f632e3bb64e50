"""What a program writes is fresh. To write it anew: pytest tests/docs --regenerate"""

import json
from pathlib import Path

import msgspec
import pytest

from referee.game import Outcome
from referee.match import Acted, Finished
from tests.docs.examples import RECORDINGS
from tests.docs.generators import FILES, PARTS, with_parts
from tests.docs.pages import PAGES, ROOT, name_of
from tests.docs.recording import new_match

REMEDY = "to write it anew: pytest tests/docs --regenerate"
OUTCOMES = {
    "svoyi-koziri": Outcome((0, 1), (2, 1), "out"),
    "wizard": Outcome((-20, 60, 50), (3, 1, 2), "complete"),
    "cuttle": Outcome((17, 0), (1, 2), "points"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_generated_file_is_fresh(name: str, pytestconfig: pytest.Config) -> None:
    file = ROOT / name
    fresh = FILES[name]()
    if pytestconfig.getoption("--regenerate"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(fresh, encoding="utf-8")
    assert file.is_file(), REMEDY
    assert file.read_text(encoding="utf-8") == fresh, REMEDY


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_generated_parts_of_a_page_are_fresh(page: Path, pytestconfig: pytest.Config) -> None:
    fresh = with_parts(page)
    if pytestconfig.getoption("--regenerate"):
        page.write_text(fresh, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == fresh, REMEDY


@pytest.mark.parametrize("name", PARTS)
def test_a_generated_part_has_its_place_in_one_page(name: str) -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    assert sum(text.count(f"<!-- generated: {name} -->") for text in texts) == 1


@pytest.mark.parametrize("game", RECORDINGS)
def test_a_stored_transcript_is_the_game_that_its_actions_give(game: str) -> None:
    match = new_match(RECORDINGS[game])
    ends = []
    for line in (ROOT / f"docs/transcripts/{game}.jsonl").read_text().splitlines():
        told = json.loads(line)
        message = told["message"]
        match message["type"]:
            case "turn":
                assert match.prompt
                asked = {
                    "seat": match.prompt.seat,
                    "legal": match.prompt.legal,
                    "state": match.prompt.view,
                    "events": match.prompt.events,
                }
                assert {field: message[field] for field in asked} == json.loads(
                    msgspec.json.encode(asked)
                )
            case "action":
                assert match.prompt
                assert told["from"] == match.prompt.seat
                match.answer(Acted(message["action"], 0))
            case "end":
                ends.append((message["scores"], message["places"], message["reason"]))
            case _:
                pass
    outcome, seats = OUTCOMES[game], RECORDINGS[game].setup.bots
    assert match.result == Finished(outcome, tuple("ok" for _ in seats))
    assert ends == [([*outcome.scores], [*outcome.places], outcome.reason) for _ in seats]
