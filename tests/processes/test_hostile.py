"""Every hostile bot gets a verdict that INDEX.tsv accepts, and hurts nobody else."""

import sys

import pytest

from referee.clock import Clock
from tests.processes.playing import BOTS, RANDOM, play_match

HOSTILE = BOTS / "hostile"
# name, accepted verdicts, what it does
INDEX = [
    line.split("\t")[:2]
    for line in (HOSTILE / "INDEX.tsv").read_text().splitlines()
    if not line.startswith("#")
]
MOVE_MS = {"05_near_limit": 200, "59_memory_hog": 5000}
START_MS = {"63_disk_fill": 5000}


def test_every_hostile_bot_is_in_the_index_and_every_exception_is_one_of_them():
    names = [name for name, _ in INDEX]
    assert names == sorted(path.stem for path in HOSTILE.glob("*.py"))
    assert {*MOVE_MS, *START_MS} <= set(names)


@pytest.mark.parametrize(("name", "accepted"), INDEX, ids=[name for name, _ in INDEX])
async def test_a_hostile_bot_gets_an_accepted_verdict(tmp_path, name, accepted):
    match = await play_match(
        tmp_path / "match.jsonl",
        f"hostile={sys.executable} {HOSTILE / name}.py",
        RANDOM,
        clock=Clock(move_ms=MOVE_MS.get(name, 500)),
        start_ms=START_MS.get(name, 1500),
    )
    ((verdict, opponent),) = match.verdicts
    assert verdict in accepted.split("|"), match.counted[0].forfeits
    assert opponent == "ok"
    if name == "15_env_probe":
        assert "PROBE env secret-like=0" in match.stderr_of(0)
