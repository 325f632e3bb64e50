"""Every hostile bot gets a verdict that INDEX.tsv accepts, hurts nobody else and leaves nothing.

    pytest tests/processes/test_hostile_bots.py [--bots DIR] [--run-slow]

DIR has an INDEX.tsv: name, accepted verdicts (`a|b`), what the bot does, flags of `croupier match`
in which it differs from the others. With --run-slow each bot plays twenty times.
"""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.processes.judging import (
    HOSTILE,
    Court,
    layers,
    programs,
    read_index,
    tools,
)
from tests.tools import need, need_sandbox

REPEATS = 20
REMEDIES = {
    "105_crlf_shebang": "sed -i 's/\\r$//'",
    "106_not_executable": "chmod +x",
    "107_missing_interpreter": "'no-such-interpreter-3.99'",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "bot" in metafunc.fixturenames:
        repeats = REPEATS if metafunc.config.getoption("--run-slow") else 1
        bots = read_index(metafunc.config.getoption("--bots"))
        metafunc.parametrize("repeat", range(repeats))
        metafunc.parametrize("layer", layers())
        metafunc.parametrize("bot", bots, ids=[bot.name for bot in bots])


@pytest.fixture(scope="module")
def court(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Court]:
    """All the games that will be asked for are begun at once, in their order."""
    court = Court(tmp_path_factory.mktemp("court"))
    for item in request.session.items:
        if isinstance(item, pytest.Function) and "court" in item.fixturenames:
            told: dict[str, Any] = item.callspec.params
            bot = told["bot"]
            if all(map(shutil.which, tools(bot.path))):
                court.call(bot, told["layer"], told["repeat"])
    yield court
    court.close()


def test_a_hostile_bot_gets_an_accepted_verdict_and_leaves_nothing(court, bot, layer, repeat):
    for tool in tools(bot.path):
        need(tool)
    judged = court.judge(bot, layer, repeat)
    assert judged.verdict in bot.accepted, judged
    assert (judged.opponent, judged.survivors, judged.folders) == ("ok", [], []), judged
    assert REMEDIES.get(bot.name, "") in judged.err
    if bot.name == "15_env_probe":
        assert "PROBE env secret-like=0" in judged.stderr


def test_every_hostile_bot_is_in_the_index_and_has_one_program(request):
    folder = request.config.getoption("--bots")
    names = [bot.name for bot in read_index(folder)]
    assert [len(programs(folder, name)) for name in names] == [1] * len(names)
    others = {"INDEX", "README", "ruff", "__pycache__"}
    found = {path.stem for path in folder.iterdir() if not path.name.startswith(".")}
    assert sorted(found - others) == sorted(names)


def test_every_exception_is_the_name_of_a_hostile_bot():
    assert {*REMEDIES} <= {bot.name for bot in read_index(HOSTILE)}


def test_bubblewrap_is_one_of_the_layers():
    need_sandbox()
    assert layers() == ("posix", "bwrap")
