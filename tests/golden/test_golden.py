"""Whole games as they were when last looked at: a change of the rules shows in them, and only there.

To write them anew: pytest tests/golden --regenerate. Then read the difference before you commit it.
"""

import re
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest

from tests.golden.playthrough import Playthrough, written

FOLDER: Final = Path(__file__).parent
REMEDY: Final = "if that is meant: pytest tests/golden --regenerate, and read the difference"
PLAYTHROUGHS: Final = [
    # The pack of the article, cut off at the ply limit.
    Playthrough("svoyi-koziri", 1, seats=2, options={"cards": 36, "max_plies": 100}),
    # Somebody goes out.
    Playthrough("svoyi-koziri", 7, seats=2, options={"cards": 16}),
    # Takings by choice, the taker leads; a position comes back.
    Playthrough(
        "svoyi-koziri",
        8,
        seats=2,
        options={"cards": 12, "take": "free", "after_take": "taker", "repetition": 2},
    ),
    # The whole game; three times the dealer names the trump, once a jester is turned up.
    Playthrough("wizard", 5, seats=3, options={}),
    Playthrough("wizard", 12, seats=5, options={"rounds": "quick", "bid_rule": "hook"}),
    # A dealer who leads alone is bound in round 4.
    Playthrough("wizard", 28, seats=6, options={"rounds": [1, 2, 10, 3], "bid_rule": "canadian"}),
    Playthrough("cuttle", 473, seats=2, options={"ruleset": "classic"}),
    # Passes to the end: nobody wins.
    Playthrough("cuttle", 1273, seats=2, options={"ruleset": "cuttle.cards"}),
    # A seven turns up two jacks that cannot be played.
    Playthrough("cuttle", 693, seats=2, options={"ruleset": "cuttle.cards"}),
    # The options that no ruleset has.
    Playthrough(
        "cuttle",
        1460,
        seats=2,
        options={
            "suit_order": "SHDC",
            "queen_blocks_counter": False,
            "four_mode": "random",
            "five": [2, 3],
            "seven_reveal": 2,
            "jack_counterable": True,
            "hand_limit": 5,
            "limit_mode": "no_draw",
            "max_turns": 60,
        },
    ),
]
# What must be in one of them: verbs by phase, facts, ends.
PHASES: Final[dict[str, dict[str, str]]] = {
    "svoyi-koziri": {"lead": "play", "reply": "play take"},
    "wizard": {"trump": "trump", "bid": "bid", "play": "play"},
    "cuttle": {
        "main": "draw pass points scuttle permanent jack oneoff",
        "counter": "decline counter",
        "three": "take",
        "four": "discard",
        "five": "discard",
        "seven": "points scuttle permanent jack oneoff discard",
        "limit": "discard",
    },
}
FACTS: Final = {
    "svoyi-koziri": "took",
    "wizard": "round trump trick scored",
    "cuttle": "drew revealed discarded took",
}
REASONS: Final = {
    "svoyi-koziri": "out repetition ply_limit",
    "wizard": "complete",
    "cuttle": "points stalemate turn_limit",
}


@pytest.mark.parametrize("played", PLAYTHROUGHS, ids=lambda played: played.name)
def test_the_game_goes_as_it_is_written(played: Playthrough, pytestconfig: pytest.Config) -> None:
    file, fresh = FOLDER / played.name, list(written(played))
    if pytestconfig.getoption("--regenerate"):
        file.write_text("\n".join(fresh) + "\n", encoding="utf-8")
    assert file.is_file(), f"{file} is missing; to write it: pytest tests/golden --regenerate"
    stored = file.read_text(encoding="utf-8").splitlines()
    for number, (was, now) in enumerate(zip_longest(stored, fresh, fillvalue="(the end)"), 1):
        if was != now:
            pytest.fail(f"{file}:{number}\nwritten: {was}\nplayed:  {now}\n{REMEDY}", pytrace=False)


def test_every_file_is_one_of_these_games() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == {p.name for p in PLAYTHROUGHS}


@pytest.mark.parametrize("game", PHASES)
def test_every_kind_of_action_fact_and_end_is_in_one_of_them(game: str) -> None:
    text = _texts(game)
    chosen = set(re.findall(r"^step \d+: seat \d, (\w+)\n.*\n  plays: (\w+)", text, re.MULTILINE))
    assert chosen == {(phase, v) for phase, verbs in PHASES[game].items() for v in verbs.split()}
    assert set(re.findall(r'\{"event":"(\w+)"', text)) == set(FACTS[game].split())
    assert set(re.findall(r'^outcome: .*"reason":"(\w+)"', text, re.MULTILINE)) == set(
        REASONS[game].split()
    )


def test_every_one_off_is_played_is_countered_and_a_counter_is_countered() -> None:
    text = _texts("cuttle")
    assert set(re.findall(r"  plays: oneoff (.)", text)) == set("A2345679")
    countered = re.findall(r"told to all: counters (..) with", text)
    assert {card for card in countered if card[0] == "2"}
    assert {card for card in countered if card[0] not in "2J"}


def test_a_bid_is_forbidden_under_either_rule() -> None:
    for name in ("wizard_12.txt", "wizard_28.txt"):
        offers = re.findall(r"  legal: (bid .*)", (FOLDER / name).read_text(encoding="utf-8"))
        bids = [[int(bid.removeprefix("bid ")) for bid in offer.split(", ")] for offer in offers]
        assert any(offer != list(range(len(offer))) for offer in bids)


def _texts(game: str) -> str:
    files = sorted(FOLDER.glob(f"{game}_*.txt"))
    return "".join(file.read_text(encoding="utf-8") for file in files)
