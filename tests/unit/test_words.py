"""What a replay says of every kind of event, in the words that players use.

A sentence has no subject: it goes on from the name of who was asked. A fact does not repeat what the
decision has said already.
"""

from random import Random
from typing import Any, Final

import pytest

from protocol.messages import FaultEvent, RoundBegan
from referee.cards import NUMBERS, hand_from
from referee.game import Game
from referee.games import GAMES, cuttle, svoyi_koziri, wizard
from tests.rules.cuttle import position

SVOYI: Final = GAMES["svoyi-koziri"]
WIZARD: Final = GAMES["wizard"]
CUTTLE: Final = GAMES["cuttle"]


def told(game: Game[Any], state: Any, *actions: str) -> list[str]:
    """All that the last of these actions brings about, in words."""
    *earlier, last = actions
    for action in earlier:
        state = game.play(state, action)
    after = game.play(state, last)
    return [game.describe(state, h.event) for h in game.happenings(state, last, after)]


# Seat 1's trump is D.
@pytest.mark.parametrize(
    ("hands", "pile", "action", "words"),
    [
        (("KC AH", "QC 7D"), "", "play KC", ["leads KC"]),
        (("KC", "QC 7D"), "", "play KC", ["leads KC and is out"]),
        (("KC AH", "QC 7D"), "TC", "play QC", ["beats TC with QC"]),
        (("KC AH", "QC 7D"), "TC", "play 7D", ["beats TC with 7D"]),
        (("KC AH", "7D"), "TC", "play 7D", ["beats TC with 7D and is out"]),
        (("KC AH", "QC KH"), "KS KD AC", "take", ["takes the pile of 3", ""]),
    ],
)
def test_svoyi_koziri_in_words(hands, pile, action, words):
    cards = [NUMBERS[name] for name in pile.split()]
    state = svoyi_koziri.State(
        options=svoyi_koziri.Options(),
        trumps=svoyi_koziri.PLAN.trump,
        leader=0,
        hands=(hand_from(hands[0].split()), hand_from(hands[1].split())),
        pile=tuple(cards),
        led=cards[-1] if cards else None,
    )
    assert told(SVOYI, state, action) == words


WIZARD_DEAL: Final = [
    ("7H", "AC", "N1", "2H"),
    ("W1", "2C W2", "3D KH", "5C N4"),
    ("N2", "AS", "4S", "9H"),
]
WIZARD_STEPS: Final = [
    ("bid 0", ["bids 0"]),
    ("bid 1", ["bids 1"]),
    ("bid 1", ["bids 1"]),
    ("play N1", ["leads N1"]),
    ("play 2H", ["plays 2H"]),
    (
        "play AC",
        [
            "discards AC",
            "seat 2 wins the trick",
            "round 1 scores -10, +20, +30",
            "round 2: seat 1 deals 2 each, W1 is turned up",
        ],
    ),
    ("trump D", ["names diamonds as trump", ""]),
    ("bid 1", ["bids 1"]),
    ("bid 1", ["bids 1"]),
    ("bid 2", ["bids 2"]),
    ("play 5C", ["leads 5C"]),
    ("play 2C", ["follows with 2C"]),
    ("play 3D", ["trumps with 3D", "wins the trick"]),
    ("play KH", ["leads KH"]),
    ("play N4", ["plays N4"]),
    (
        "play W2",
        [
            "plays W2",
            "wins the trick",
            "round 2 scores +30, -10, -10",
            "round 3: seat 2 deals 1 each, N2 is turned up",
            "no trump",
        ],
    ),
]


def test_wizard_in_words():
    rounds = [
        wizard.DealtRound(tuple(tuple(hand.split()) for hand in hands), upcard)
        for upcard, *hands in WIZARD_DEAL
    ]
    state = WIZARD.start(wizard.Deal(tuple(rounds)), 3, wizard.Options(rounds=(1, 2, 1)))
    for action, words in WIZARD_STEPS:
        assert told(WIZARD, state, action) == words
        state = WIZARD.play(state, action)


def test_a_round_of_wizard_with_a_trump_and_one_without_an_upcard_in_words():
    options = wizard.Options(rounds=(1, 2))
    dealt = wizard.DealtRound((("AC",), ("N1",), ("2H",)), "7H")
    second = wizard.DealtRound((("2C", "W2"), ("3D", "KH"), ("5C", "N4")), "TS")
    state = WIZARD.start(wizard.Deal((dealt, second)), 3, options)
    actions = ("bid 0", "bid 0", "bid 0", "play N1", "play 2H", "play AC")
    assert told(WIZARD, state, *actions)[-2:] == [
        "round 2: seat 1 deals 2 each, TS is turned up",
        "spades are trump",
    ]
    last = RoundBegan(round=20, cards=20, dealer=1)
    assert WIZARD.describe(state, last) == "round 20: seat 1 deals 20 each"


def table(hands: str, **setup: Any) -> cuttle.State:
    """`9H 8C | JD` are both hands; what is nowhere else lies in the pile, below `deck`."""
    options = cuttle.Options(**setup.pop("options", {}))
    return position({"hands": [hand.split() for hand in hands.split("|")], **setup}, options)


TEN: Final[dict[str, Any]] = {"points": [[], ["TS"]]}
STOLEN_TEN: Final[dict[str, Any]] = {
    "points": [[], [{"card": "TS", "owner": 0, "jacks": ["JC"]}]],
}
SITE: Final[dict[str, Any]] = {"options": {"ruleset": "cuttle.cards"}}


@pytest.mark.parametrize(
    ("state", "actions", "words"),
    [
        (table("KC|", deck=["5H"]), "draw", ["draws a card", "it is 5H", ""]),
        (table("KC|", rest="scrap"), "pass", ["passes"]),
        (table("9H|"), "points 9H", ["plays 9H for points"]),
        (table("JH|", **TEN), "jack JH TS", ["plays JH on TS"]),
        (
            table("TC|", points=[[], ["7D"]]),
            "scuttle TC 7D",
            ["scuttles 7D with TC", "seat 1 loses 7D"],
        ),
        (table("KC|"), "permanent KC", ["plays KC"]),
        (table("8C|"), "permanent 8C", ["plays 8C as glasses"]),
        (table("9H|", points=[["TC", "2C"], []]), "points 9H", ["plays 9H for points and wins"]),
        (table("KC|", points=[["TC", "4C"], []]), "permanent KC", ["plays KC and wins"]),
    ],
)
def test_turns_of_cuttle_in_words(state, actions, words):
    assert told(CUTTLE, state, actions) == words


@pytest.mark.parametrize(
    ("state", "action", "aim", "outcome"),
    [
        (
            table("AC|", points=[["4C"], ["7D", "9D"]]),
            "oneoff AC",
            "",
            ["seat 0 loses 4C", "loses 7D and 9D"],
        ),
        (table("2H|", **STOLEN_TEN), "oneoff 2H JC", " on the jack of clubs", ["loses JC"]),
        (
            table("2H|", layouts=[[], ["KS"]]),
            "oneoff 2H KS",
            " on the king of spades",
            ["loses KS"],
        ),
        (table("2H|", glasses=[[], ["8S"]]), "oneoff 2H 8S", " on 8S", ["loses 8S"]),
        (table("3C|", scrap=["KD"]), "oneoff 3C", "", []),
        (
            table("4C|7C 9H", options={"four_mode": "random"}),
            "oneoff 4C",
            "",
            ["loses 7C and 9H"],
        ),
        (table("6C|", layouts=[["KD"], []]), "oneoff 6C", "", ["seat 0 loses KD"]),
        (table("7C|", deck=["4D"]), "oneoff 7C", "", ["4D is turned up"]),
        (table("7C|", deck=["JH"]), "oneoff 7C", "", ["JH is turned up", "seat 0 loses JH"]),
        (table("7C|", deck=["4D", "6D"], **SITE), "oneoff 7C", "", ["4D and 6D are turned up"]),
        (
            table("9C|", layouts=[[], ["QH"]]),
            "oneoff 9C QH",
            " on the queen of hearts",
            ["gets QH back"],
        ),
        (table("9C|", glasses=[["8S"], []]), "oneoff 9C 8S", " on 8S", ["seat 0 gets 8S back"]),
    ],
)
def test_one_offs_of_cuttle_in_words(state, action, aim, outcome):
    card = action.split()[1]
    assert told(CUTTLE, state, action) == [f"plays {card} as a one-off{aim}"]
    assert told(CUTTLE, state, action, "decline") == [f"does not counter {card}", *outcome]


@pytest.mark.parametrize(
    ("state", "actions", "words"),
    [
        (
            table("3C|", scrap=["KD"]),
            "oneoff 3C, decline, take KD",
            ["takes KD from the scrap", ""],
        ),
        (table("4C|7C 9H"), "oneoff 4C, decline, discard 7C 9H", ["discards 7C and 9H"]),
        (
            table("5C|", deck=["TC", "9C"]),
            "oneoff 5C, decline",
            ["does not counter 5C, and seat 0 draws 2 cards", "they are 9C and TC", ""],
        ),
        (
            table("5C|", deck=["TC"], rest="scrap"),
            "oneoff 5C, decline",
            ["does not counter 5C, and seat 0 draws a card", "it is TC", ""],
        ),
        (
            table("5C 4D|", deck=["TC", "9C", "KD"], **SITE),
            "oneoff 5C, decline, discard 4D",
            ["discards 4D and draws 3 cards", "they are 9C, TC and KD", ""],
        ),
        (
            table("7C|", deck=["JC", "JD"], **SITE),
            "oneoff 7C, decline, discard JD",
            ["discards JD"],
        ),
        (
            table("KC 4C|", options={"hand_limit": 1}, deck=["5H"]),
            "draw, discard 4C 5H",
            ["discards 4C and 5H"],
        ),
    ],
)
def test_what_a_player_decides_besides_in_words(state, actions, words):
    assert told(CUTTLE, state, *actions.split(", ")) == words


def test_counters_of_cuttle_in_words():
    state = table("AC 2D|2C 2H", points=[[], ["7D"]])
    fight = ["oneoff AC", "counter 2C", "counter 2D", "counter 2H", "decline"]
    assert told(CUTTLE, state, *fight[:2]) == ["counters AC with 2C"]
    assert told(CUTTLE, state, *fight[:3]) == ["counters 2C with 2D"]
    assert told(CUTTLE, state, *fight) == ["does not counter 2H, so AC does nothing"]
    assert told(CUTTLE, state, *fight[:3], "decline") == [
        "does not counter 2D, so AC takes effect",
        "loses 7D",
    ]


def test_who_wins_by_the_other_s_decision_is_said():
    home = {"points": [["TC", "AC"], [{"card": "TS", "owner": 0, "jacks": ["JC"]}]]}
    assert told(CUTTLE, table("6C|", **home), "oneoff 6C", "decline") == [
        "does not counter 6C, and seat 0 wins",
        "loses JC",
    ]
    away = {"points": [[{"card": "TS", "owner": 1, "jacks": ["JC"]}], ["TC", "AC"]]}
    assert told(CUTTLE, table("6C|", **away), "oneoff 6C", "decline") == [
        "does not counter 6C and wins",
        "seat 0 loses JC",
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_fault_is_told_by_the_referee_and_not_by_the_rules(game):
    options = game.options_type()
    seats = game.seats[0]
    state = game.start(game.deal(Random(1), seats, options), seats, options)
    assert game.describe(state, FaultEvent(0, "timeout")) == ""
