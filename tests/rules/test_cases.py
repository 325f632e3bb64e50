"""The rules, case by case: `pytest tests/rules --cases DIR` runs every <game>.json in DIR.

A case is `{"id", "kind", "in", "expect", "why"}`. For each kind of a game, a function in this
folder's module of that game gives the facts that follow from `in`; every fact in `expect` must be
among them and equal. Facts that are sets compare as sets, however the file lists them. Cases of
Cuttle have no kind: each is a position with the actions played from it, and its module plays them.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.games import GAMES
from tests.rules import cuttle, svoyi_koziri, wizard

KINDS = {"svoyi_koziri": svoyi_koziri.KINDS, "wizard": wizard.KINDS}
PLAYED = {"cuttle": cuttle.check_case}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        metafunc.parametrize(("game", "case"), _cases(metafunc.config.getoption("--cases")))


def _cases(folder: Path) -> list[Any]:
    files = sorted(folder.glob("*.json"))
    if not files:
        raise pytest.UsageError(f"--cases {folder}: no <game>.json there")
    return [parameter for file in files for parameter in _cases_of(file)]


def _cases_of(file: Path) -> list[Any]:
    game = file.stem
    if game not in KINDS and game not in PLAYED:
        skip = pytest.mark.skip(reason=f"{file}: this project has no game called {game!r}")
        return [pytest.param(game, None, id=game, marks=skip)]
    cases = msgspec.json.decode(file.read_bytes())["cases"]
    return [pytest.param(game, case, id=f"{game}-{case['id']}") for case in cases]


def test_the_case_is_true(game: str, case: dict[str, Any]) -> None:
    if game in PLAYED:
        PLAYED[game](case)
        return
    kinds, kind = KINDS[game], case["kind"]
    if kind not in kinds:
        pytest.fail(f"{game} has no kind {kind!r}; known are {', '.join(kinds)}")
    facts = kinds[kind](case["in"])
    expected = case["expect"]
    if isinstance(facts, bool):  # the kind asks one question, whatever the file calls the answer
        assert expected == dict.fromkeys(expected, facts), case.get("why", "")
        return
    if unknown := expected.keys() - facts.keys():
        pytest.fail(f"a case of kind {kind!r} says nothing about {', '.join(sorted(unknown))}")
    found = {key: facts[key] for key in expected}
    assert _listed(found) == _listed(_shaped(expected, found)), case.get("why", "")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_cases(game: str) -> None:
    module = game.replace("-", "_")
    assert module in KINDS or module in PLAYED
    assert (Path(__file__).parent / f"{module}.json").is_file()


def _shaped(expected: Any, like: Any) -> Any:
    """What a case expects, with its lists made sorted where the fact is a set."""
    if isinstance(like, frozenset) and isinstance(expected, list):
        return sorted(expected)
    if isinstance(like, tuple) and isinstance(expected, list) and len(like) == len(expected):
        return [_shaped(one, other) for one, other in zip(expected, like, strict=True)]
    if isinstance(like, dict):
        return {key: _shaped(value, like[key]) for key, value in expected.items()}
    return expected


def _listed(fact: Any) -> Any:
    """A fact as JSON writes it, sets sorted."""
    if isinstance(fact, frozenset):
        return sorted(fact)
    if isinstance(fact, tuple | list):
        return [_listed(part) for part in fact]
    if isinstance(fact, dict):
        return {key: _listed(value) for key, value in fact.items()}
    return fact
