"""What a built-in bot makes of a position that anybody can judge."""

from random import Random
from typing import Any

import pytest

from referee.builtin import choose_greedy
from referee.builtin.question import Question
from referee.games.cuttle.options import Options as CuttleOptions

WIZARD = {
    "phase": "play",
    "round": 3,
    "rounds": 20,
    "cards": 3,
    "dealer": 2,
    "upcard": "5H",
    "trump": "H",
    "hand": ["2C", "QC", "AC"],
    "bids": [1, 1, 0],
    "won": [0, 0, 0],
    "leader": 1,
    "trick": [[1, "TC"], [2, "3C"]],
    "played": [],
    "scores": [0, 0, 0],
}
CUTTLE = {
    "phase": "main",
    "turn": 9,
    "turn_player": 0,
    "hand": ["3C", "5H", "9D"],
    "hand_sizes": [3, 4],
    "known": [[], []],
    "points": [
        [{"card": "TC", "owner": 0, "jacks": []}],
        [{"card": "8S", "owner": 1, "jacks": []}],
    ],
    "layouts": [[], []],
    "glasses": [[], []],
    "scores": [10, 8],
    "goals": [21, 21],
    "deck": 30,
    "deck_top": [],
    "scrap": ["4C"],
    "revealed": [],
    "frozen": [],
    "passes": 0,
}


def wizard(legal: list[str], **more: Any) -> str:
    question = Question("wizard", {}, 0, legal, WIZARD | more)
    return choose_greedy(question, Random(0))


def cuttle(legal: list[str], **more: Any) -> str:
    options = {"king_goals": CuttleOptions().king_goals}
    return choose_greedy(Question("cuttle", options, 0, legal, CUTTLE | more), Random(0))


PLAYS = ["play 2C", "play QC", "play AC"]


def test_the_last_to_play_takes_a_wanted_trick_as_cheaply_as_he_can():
    assert wizard(PLAYS, bids=[2, 1, 0]) == "play QC"


def test_the_last_trick_that_is_wanted_is_taken_by_what_would_take_another_one():
    assert wizard(PLAYS, bids=[1, 1, 0]) == "play AC"


def test_a_trick_that_cannot_be_taken_gets_the_worst_card_while_tricks_are_wanted():
    trick = [[1, "W1"], [2, "3C"]]
    assert wizard(PLAYS, bids=[2, 1, 0], trick=trick) == "play 2C"


def test_who_wants_no_trick_gets_rid_of_the_best_card_that_does_not_take_it():
    legal = ["play 2C", "play 9C", "play AC"]
    assert wizard(legal, bids=[0, 1, 0], hand=["2C", "9C", "AC"]) == "play 9C"


def test_who_must_take_an_unwanted_trick_takes_it_with_the_strongest_card():
    legal = ["play QC", "play AC"]
    assert wizard(legal, bids=[0, 1, 0], hand=["QC", "AC"], cards=2) == "play AC"


def test_a_hand_of_wizards_is_bid_in_full_and_one_of_jesters_not_at_all():
    bids = ["bid 0", "bid 1", "bid 2", "bid 3"]
    before = {"phase": "bid", "bids": [None, None, 0], "trick": []}
    assert wizard(bids, hand=["W1", "W2", "W3"], **before) == "bid 3"
    assert wizard(bids, hand=["N1", "N2", "N3"], **before) == "bid 0"


def test_a_bid_that_the_rule_forbids_is_replaced_by_the_nearest():
    before = {"phase": "bid", "bids": [None, 1, 1], "trick": []}
    assert wizard(["bid 0", "bid 1", "bid 3"], hand=["W1", "W2", "W3"], **before) == "bid 3"


def test_the_longest_suit_becomes_trump():
    legal = [f"trump {suit}" for suit in "CDHS"]
    hand = ["2C", "3C", "9C", "AH", "W1"]
    assert wizard(legal, phase="trump", hand=hand, trump=None, trick=[]) == "trump C"


def test_points_that_win_are_laid():
    legal = ["draw", "points 3C", "points 9D", "scuttle 9D 8S", "oneoff 3C"]
    assert cuttle(legal, scores=[12, 8]) == "points 9D"


def test_a_king_that_wins_is_laid():
    assert cuttle(["draw", "points 3C", "permanent KC"], scores=[15, 8]) == "permanent KC"


def test_a_jack_that_steals_the_lead_is_played_rather_than_drawing():
    assert cuttle(["draw", "jack JC 8S"]) == "jack JC 8S"


def test_a_sweep_of_points_is_played_when_it_hits_the_other_and_not_oneself():
    legal = ["draw", "points AC", "oneoff AC"]
    theirs: list[Any] = [{"card": card, "owner": 1, "jacks": []} for card in ("8S", "TS")]
    assert cuttle(legal, points=[[], theirs], scores=[0, 18]) == "oneoff AC"
    assert cuttle(legal, points=[theirs, []], scores=[18, 0]) != "oneoff AC"


@pytest.mark.parametrize(
    ("card", "seat", "counters", "answer"),
    [("AC", 1, [], "counter 2C"), ("3S", 1, [], "decline"), ("5S", 0, ["2S"], "decline")],
)
def test_a_sweep_that_hurts_is_countered_and_a_trifle_is_not_worth_a_two(
    card, seat, counters, answer
):
    pending = {"card": card, "seat": seat, "counters": counters}
    mine: list[Any] = [{"card": card, "owner": 0, "jacks": []} for card in ("8S", "TS")]
    more = {"points": [mine, []], "scores": [18, 0], "phase": "counter", "pending": pending}
    assert cuttle(["decline", "counter 2C"], hand=["2C", "3C", "5H"], **more) == answer


def test_a_two_on_the_jack_that_holds_points_of_ours_is_answered_for():
    """The opponent's two would give back the stack that wins for us next turn."""
    pending = {"card": "2S", "seat": 1, "target": "JC", "counters": []}
    stolen: list[Any] = [{"card": "TS", "owner": 1, "jacks": ["JC"]}]
    more = {"points": [stolen, []], "scores": [10, 0], "phase": "counter", "pending": pending}
    assert cuttle(["decline", "counter 2C"], hand=["2C"], turn_player=1, **more) == "counter 2C"


def test_a_three_fetches_the_card_that_wins():
    legal = ["take 2C", "take 9C", "take JS"]
    hand = ["4D"]
    more = {"phase": "three", "scrap": ["2C", "9C", "JS"], "points": [[], []]}
    assert cuttle(legal, hand=hand, scores=[12, 0], **more) == "take 9C"


def test_the_points_that_would_win_for_the_other_are_scuttled():
    theirs: list[Any] = [{"card": card, "owner": 1, "jacks": []} for card in ("8S", "TS")]
    legal = ["draw", "points 9D", "scuttle 9D 8S"]
    assert cuttle(legal, hand=["9D"], points=[[], theirs], scores=[0, 18]) == "scuttle 9D 8S"


def test_the_least_useful_cards_are_discarded():
    legal = ["discard 3C 5H", "discard 3C KD", "discard 5H KD"]
    assert cuttle(legal, phase="four", hand=["3C", "5H", "KD"]) == "discard 3C 5H"


def test_in_a_game_without_advice_any_action_is_chosen():
    question = Question("high-card", {}, 0, ["play 2C"], {})
    assert choose_greedy(question, Random(0)) == "play 2C"
