"""Cuttle where the shared cases are silent: traps of other programs, each option, words."""

from random import Random
from typing import Any

import msgspec
import pytest

from protocol.messages import Discarded, Drew, Moved, Revealed, Took
from referee.game import DealError, Happening, IllegalActionError, OptionsError
from referee.games.cuttle import Cuttle, Deal, Options, State
from referee.games.cuttle.cards import NAMES, names_in, names_of
from referee.games.cuttle.effects import LOTS
from referee.games.cuttle.options import PRESETS
from tests.rules.cuttle import position, refused

GAME = Cuttle()


def table(hands: list[list[str]], *, options: Options | None = None, **setup: Any) -> State:
    return position({"hands": hands, "rest": "deck", **setup}, options or Options())


def after(state: State, *actions: str) -> State:
    """The state when each of these was played by whoever was asked."""
    for action in actions:
        state = GAME.play(state, action)
    return state


def hands(state: State) -> list[tuple[str, ...]]:
    return [names_in(hand) for hand in state.hands]


def legal(state: State) -> list[str]:
    return list(GAME.legal_actions(state))


def facts(before: State, action: str) -> list[Happening]:
    return list(GAME.happenings(before, action, GAME.play(before, action)))[1:]


def stolen(card: str, owner: int, *jacks: str) -> dict[str, Any]:
    return {"card": card, "owner": owner, "jacks": list(jacks)}


# Traps (rules page, section 5) without a shared case.


def test_trap_2_a_seven_turns_up_the_last_card_a_five_that_cannot_be_a_one_off():
    state = table([["7C"], ["AD"]], deck=["5D"], rest="scrap")
    assert legal(after(state, "oneoff 7C", "decline")) == ["points 5D"]


def test_trap_4_the_freeze_ends_when_the_owners_next_move_is_an_aimed_one_off():
    options = Options(ruleset="cuttle.cards")
    state = table([["9C"], ["2D"]], layouts=[["KS"], ["KH"]], options=options)
    frozen = after(state, "oneoff 9C KH", "decline")
    assert [names_in(cards) for cards in frozen.frozen] == [(), ("KH",)]
    done = after(frozen, "oneoff 2D KS", "decline")
    assert (done.turn_player, done.frozen) == (0, (0, 0))
    assert "permanent KH" in legal(after(done, "draw"))


def test_trap_5_a_freeze_is_state_and_outlasts_a_counter_window():
    options = Options(nine_freeze=True)
    state = table([["9C"], ["AD"]], layouts=[[], ["KH"]], options=options)
    state = after(state, "oneoff 9C KH", "decline", "oneoff AD")
    assert [names_in(cards) for cards in state.frozen] == [(), ("KH",)]


def test_trap_10_the_words_of_a_counter_name_the_card_that_is_countered():
    state = after(table([["AC", "2D"], ["2C"]]), "oneoff AC")
    assert GAME.describe(state, Moved(1, "counter 2C")) == "counters AC with 2C"
    state = after(state, "counter 2C")
    assert GAME.describe(state, Moved(0, "counter 2D")) == "counters 2C with 2D"


def test_trap_11_a_two_spent_on_a_three_may_be_fetched_and_is_not_fetched_by_itself():
    state = table([["3C", "2C"], ["2D"]], scrap=["5H"])
    state = after(state, "oneoff 3C", "counter 2D", "counter 2C", "decline")
    assert legal(state) == ["take 2C", "take 2D", "take 5H"]
    assert hands(after(state, "take 2D")) == [("2D",), ()]


@pytest.mark.parametrize("seat", [0, 1])
def test_trap_14_a_two_on_a_jack_scraps_it_and_sends_the_card_home_for_both_seats(seat):
    in_hand = [["2C"], ["7D"]] if seat == 0 else [["7D"], ["2C"]]
    points: list[Any] = [[], []]
    points[1 - seat] = [stolen("TH", seat, "JC")]
    state = table(in_hand, points=points, turn=seat)
    state = after(state, "oneoff 2C JC", "decline")
    assert [(s.controller, s.jacks) for s in state.stacks] == [(seat, ())]
    assert names_of(state.scrap) == ("2C", "JC")


def test_trap_14_a_counter_fight_keeps_the_target():
    state = table([["9C", "2D"], ["2H"]], layouts=[[], ["KH", "KS"]])
    state = after(state, "oneoff 9C KS", "counter 2H", "counter 2D")
    view = GAME.view(state, 1)
    assert msgspec.to_builtins(view)["pending"] == {
        "card": "9C",
        "seat": 0,
        "target": "KS",
        "counters": ("2H", "2D"),
    }
    assert hands(after(state, "decline")) == [(), ("KS",)]


def test_trap_16_a_scuttle_from_a_seven_takes_the_jacks_along():
    points = [[], [stolen("7S", 0, "JC")]]
    state = table([["7C"], ["AD"]], deck=["9H"], points=points)
    state = after(state, "oneoff 7C", "decline", "scuttle 9H 7S")
    assert state.stacks == ()
    assert set(names_of(state.scrap)) == {"7C", "9H", "7S", "JC"}


@pytest.mark.parametrize("action", ["points 7H", "scuttle 9C 4D", "jack JC 4D", "oneoff AC"])
def test_trap_16_every_play_is_offered_to_a_revealed_card_exactly_as_to_one_in_hand(action):
    card = action.split()[1]
    setup: dict[str, Any] = {"points": [[], ["4D"]], "layouts": [[], ["KH"]]}
    in_hand = table([[card], ["AD"]], scrap=["7D"], **setup)
    revealed = after(table([["7D"], ["AD"]], deck=[card], **setup), "oneoff 7D", "decline")
    assert legal(in_hand)[1:] == legal(revealed)
    assert action in legal(revealed)


def test_trap_21_a_one_off_from_a_seven_cannot_be_sent_twice():
    state = table([["7C"], ["AD"]], deck=["AH"])
    state = after(state, "oneoff 7C", "decline", "oneoff AH")
    refused(state, 1, "oneoff AH")
    assert legal(state) == ["decline"]


@pytest.mark.parametrize("said", ["points 1C", "points", "scuttle 9C", "oneoff ac", "", "draw 5C"])
def test_trap_23_codes_that_do_not_exist_are_no_action(said):
    state = table([["9C"], ["AD"]])
    with pytest.raises(IllegalActionError, match="bad_action: "):
        GAME.play(state, said)


def test_trap_28_a_jack_from_a_seven_minds_the_queen_and_one_of_two_must_be_the_other():
    options = Options(seven_reveal=2)
    state = table(
        [["7C"], ["AD"]],
        deck=["JC", "TD"],
        points=[[], ["4S"]],
        layouts=[[], ["QH"]],
        options=options,
    )
    assert legal(after(state, "oneoff 7C", "decline")) == ["points TD", "scuttle TD 4S"]


def test_only_twos_counter():
    state = after(table([["AC"], ["2D", "3D"]]), "oneoff AC")
    assert legal(state) == ["decline", "counter 2D"]
    assert GAME.refusal(state, "counter 3D").startswith("barred: ")


def test_a_four_whose_victim_lost_his_last_card_in_the_window_asks_for_nothing():
    state = table([["4C", "2C"], ["2D"]])
    state = after(state, "oneoff 4C", "counter 2D", "counter 2C", "decline")
    assert (state.phase, state.turn_player, hands(state)) == ("main", 1, [(), ()])


def test_two_threes_that_fetch_each_other_are_stopped_by_the_turn_limit():
    state = table([["3C"], ["AD"]], scrap=["3D"], options=Options(max_turns=3))
    state = after(state, "oneoff 3C", "decline", "take 3D", "draw", "oneoff 3D", "decline")
    state = after(state, "take 3C")
    outcome = GAME.outcome(state)
    assert (outcome.places, outcome.reason) == ((1, 1), "turn_limit")


def test_for_a_made_up_position_in_which_both_meet_their_goals_the_turn_player_wins():
    points = [["TC", "TD", "AC"], ["TH", "TS", "AS"]]
    state = table([["KC"], ["KD"]], points=points, turn=1)
    assert GAME.outcome(after(state, "draw")).places == (2, 1)


# Options, one by one. Where a shared case has one, it is named.


def test_suit_order_shdc():
    state = table([["8C"], []], points=[[], ["8H"]], options=Options(suit_order="SHDC"))
    assert "scuttle 8C 8H" not in legal(table([["8C"], []], points=[[], ["8H"]]))
    assert "scuttle 8C 8H" in legal(state)


def test_under_shdc_nothing_of_its_rank_scuttles_a_club():
    state = table([["8D", "8H", "8S"], []], points=[[], ["8C"]], options=Options(suit_order="SHDC"))
    assert not [action for action in legal(state) if action.startswith("scuttle")]


def test_two_scope_opponent():
    setup: dict[str, Any] = {"layouts": [["KD"], ["KH"]], "glasses": [["8C"], ["8D"]]}
    state = table([["2C"], []], options=Options(two_scope="opponent"), **setup)
    assert legal(state) == ["draw", "points 2C", "oneoff 2C 8D", "oneoff 2C KH"]


def test_queen_blocks_counter_false():
    options = Options(queen_blocks_counter=False)
    state = table([["AC"], ["2C"]], layouts=[["QH"], []], options=options)
    assert legal(after(state, "oneoff AC")) == ["decline", "counter 2C"]


def test_three_for_three_false():
    state = table([["3C"], []], scrap=["3D", "5H"], options=Options(three_for_three=False))
    assert legal(after(state, "oneoff 3C", "decline")) == ["take 5H"]


def test_four_mode_random_discards_without_asking_and_by_the_lot_of_the_deal():
    state = table([["4C"], ["7C", "KD", "9H"]], options=Options(four_mode="random"))
    before = after(state, "oneoff 4C")
    done = after(before, "decline")
    assert (done.phase, done.turn_player) == ("main", 1)
    assert done.hands[1].bit_count() == 1
    assert done == after(before, "decline")
    assert done.lot not in (before.lot, None)
    (discarded,) = facts(before, "decline")
    assert discarded == Happening(Discarded(1, names_of(done.scrap[-2:])))


def test_four_mode_random_takes_each_card_for_some_lot():
    options = Options(four_mode="random")
    start = after(table([["4C"], ["7C", "KD", "9H"]], options=options), "oneoff 4C")
    left = {
        hands(after(msgspec.structs.replace(start, lot=lot), "decline"))[1] for lot in range(60)
    }
    assert left == {("7C",), ("9H",), ("KD",)}


def test_five_discards_first_what_there_is():
    options = Options(five=(2, 1))
    state = table([["5C", "AC"], []], deck=["9C", "TC"], options=options)
    state = after(state, "oneoff 5C", "decline")
    assert (state.phase, legal(state)) == ("five", ["discard AC"])
    assert hands(after(state, "discard AC"))[0] == ("9C",)
    alone = table([["5C"], []], deck=["9C", "TC"], options=options)
    assert hands(after(alone, "oneoff 5C", "decline"))[0] == ("9C",)


def test_a_five_draws_one_when_only_one_is_left():
    state = table([["5C"], []], deck=["9C"], rest="scrap")
    assert hands(after(state, "oneoff 5C", "decline"))[0] == ("9C",)


def test_a_card_put_back_by_a_seven_is_known_on_top_and_in_the_hand_that_draws_it():
    state = table([["7C"], ["AD"]], deck=["4C", "6D", "KS"], options=Options(seven_reveal=2))
    state = after(state, "oneoff 7C", "decline", "points 6D")
    assert GAME.view(state, 0).deck_top == ("4C",)
    assert facts(state, "draw") == [Happening(Drew(seat=1, count=1, cards=("4C",)))]
    assert GAME.view(after(state, "draw"), 0).known == ((), ("4C",))


def test_nine_points_may_be_set_alone():
    state = table([["9C"], []], points=[[], ["TS"]], options=Options(nine_points=True))
    state = after(state, "oneoff 9C TS", "decline")
    assert (hands(state)[1], "points TS" in legal(state)) == (("TS",), True)


def test_nine_scope_opponent_leaves_ones_own_eight():
    setup: dict[str, Any] = {"glasses": [["8H"], ["8S"]]}
    state = table([["9C"], []], options=Options(nine_scope="opponent"), **setup)
    assert legal(state) == ["draw", "points 9C", "oneoff 9C 8S"]


def test_a_card_frozen_by_ones_own_nine_stays_frozen_through_ones_next_turn():
    options = Options(nine_freeze=True)
    state = table([["9C"], ["AD"]], glasses=[["8H"], []], options=options)
    state = after(state, "oneoff 9C 8H", "decline", "draw")
    assert [action for action in legal(state) if "8H" in action] == []
    assert GAME.refusal(state, "points 8H").startswith("frozen: ")
    assert "points 8H" in legal(after(state, "draw", "draw"))


def test_queen_blocks_nine_false():
    options = Options(queen_blocks_nine=False)
    state = table([["9C"], []], layouts=[[], ["QH", "KH"]], options=options)
    assert legal(state) == ["draw", "points 9C", "oneoff 9C QH", "oneoff 9C KH"]


def test_queen_protects_glasses():
    setup: dict[str, Any] = {"layouts": [[], ["QH"]], "glasses": [[], ["8H"]]}
    assert "oneoff 2C 8H" in legal(table([["2C"], []], **setup))
    state = table([["2C"], []], options=Options(queen_protects_glasses=True), **setup)
    assert legal(state) == ["draw", "points 2C", "oneoff 2C QH"]


def test_king_goals():
    options = Options(king_goals=(21, 9, 9, 9, 9))
    state = table([["KC"], []], points=[["9H"], []], options=options)
    assert GAME.outcome(after(state, "permanent KC")).scores == (9, 0)


def test_jack_counterable_declined_countered_and_won_back():
    options = Options(jack_counterable=True)
    state = table([["JC", "2S"], ["2D"]], points=[[], ["TS"]], options=options)
    asked = after(state, "jack JC TS")
    assert (asked.phase, legal(asked)) == ("counter", ["decline", "counter 2D"])
    landed = after(asked, "decline")
    assert ([s.jacks for s in landed.stacks], landed.scrap) == ([(NAMES.index("JC"),)], ())
    cancelled = after(asked, "counter 2D", "decline")
    assert (names_of(cancelled.scrap), cancelled.turn_player) == (("JC", "2D"), 1)
    won_back = after(asked, "counter 2D", "counter 2S", "decline")
    assert ([s.controller for s in won_back.stacks], len(won_back.scrap)) == ([0], 2)


def test_hand_limit_with_no_draw():
    options = Options(hand_limit=3, limit_mode="no_draw")
    assert legal(table([["JC", "JD", "KH"], []], options=options)) == ["permanent KH"]
    assert legal(table([["JC", "JD", "JH"], []], options=options)) == ["pass"]
    state = table([["5C", "JD", "JH"], []], deck=["9C", "TC"], options=options)
    assert hands(after(state, "oneoff 5C", "decline"))[0] == ("9C", "JD", "JH")


def test_hand_limit_discards_down_at_the_end_of_ones_own_turn_only():
    options = Options(hand_limit=2)
    state = table([["JC", "JD"], ["AC", "AD", "AH"]], deck=["9C"], options=options)
    state = after(state, "draw")
    assert (state.phase, legal(state)[0]) == ("limit", "discard 9C")
    state = after(state, "discard 9C", "points AC")
    assert (state.phase, state.turn_player) == ("main", 0)


def test_empty_pile_reveals_but_not_while_a_turned_up_card_will_go_back():
    options = Options(ruleset="cuttle.cards")
    state = table([["7C"], ["AD"]], deck=["4C", "6D"], rest="scrap", options=options)
    state = after(state, "oneoff 7C", "decline")
    assert GAME.view(state, 0).opponent_hand is msgspec.UNSET
    state = after(state, "points 6D", "draw")
    assert hands(state)[1] == ("AD", "4C")
    assert GAME.view(state, 0).opponent_hand == hands(state)[1]


def test_stalemate_passes():
    state = table([["JC"], ["JD"]], rest="scrap", options=Options(stalemate_passes=2))
    assert GAME.outcome(after(state, "pass", "pass")).reason == "stalemate"


def test_max_turns():
    state = table([["JC"], ["JD"]], options=Options(max_turns=2))
    assert GAME.outcome(after(state, "draw", "draw")).reason == "turn_limit"


# Options as they are given.


@pytest.mark.parametrize("ruleset", PRESETS)
def test_a_ruleset_is_its_presets_and_a_single_option_overrides_its_own(ruleset):
    shown = msgspec.to_builtins(Options(ruleset=ruleset, hand_limit=5))
    assert shown == {"ruleset": ruleset, **PRESETS[ruleset], "hand_limit": 5}
    line = msgspec.json.encode(Options(ruleset=ruleset))
    assert msgspec.json.decode(line, type=Options) == Options(ruleset=ruleset)


def test_options_come_from_the_command_line_as_words():
    words = {"ruleset": "cuttle.cards", "five": "0,2", "nine_freeze": "false", "hand_limit": "7"}
    options = msgspec.convert(words, Options, strict=False)
    assert options == Options(ruleset="cuttle.cards", five=(0, 2), nine_freeze=False, hand_limit=7)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"five": "1,x"}, "five is two whole numbers, .* not 1,x"),
        ({"five": [1]}, "five is two whole numbers, .* not 1$"),
        ({"five": [3, 9]}, "five is two whole numbers, .* not 3,9"),
        ({"seven_reveal": 3}, "seven-reveal is 1 or 2, not 3"),
        ({"king_goals": "21,14"}, "king-goals is five whole numbers .* not 21,14"),
        ({"king_goals": [0, 0, 0, 0, 0]}, "king-goals is five whole numbers"),
        ({"hand_limit": 13}, "hand-limit is 0 .none. or 1 to 12, not 13"),
        ({"stalemate_passes": 0}, "stalemate-passes is 1 or more, not 0"),
        ({"max_turns": -1}, "max-turns is 1 or more, not -1"),
        ({"suit_order": "HSDC"}, "suit_order"),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(wrong, words):
    with pytest.raises((msgspec.ValidationError, OptionsError), match=words):
        msgspec.convert(wrong, Options)


def test_a_deal_has_a_lot_only_for_random_fours():
    rng, options = Random(1), Options(four_mode="random")
    assert GAME.deal(rng, 2, Options()).lot is msgspec.UNSET
    assert GAME.start(GAME.deal(rng, 2, options), 2, options).lot is not None
    with pytest.raises(DealError, match="lot"):
        GAME.start(Deal(NAMES), 2, options)


def test_another_truth_has_another_lot_and_only_for_random_fours():
    for options in (Options(), Options(four_mode="random")):
        state = GAME.start(GAME.deal(Random(1), 2, options), 2, options)
        made = [GAME.determinize(GAME.view(state, 0), 0, 2, options, Random(n)) for n in range(5)]
        others = [GAME.redeal(state, 0, Random(n)) for n in range(5, 10)]
        lots = {truth.lot for truth in (state, *made, *others)}
        assert (None in lots, len(lots) > 8) == ((False, True) if state.lot else (True, False))


# Sight.


def test_cards_seen_through_glasses_stay_known_when_the_glasses_are_gone():
    state = table([["KC"], ["2C", "4D"]], glasses=[["8H"], []], turn=1)
    state = after(state, "oneoff 2C 8H", "decline")
    views = [GAME.view(state, seat) for seat in (0, 1, None)]
    assert [view.known for view in views] == [((), ("4D",)), ((), ("4D",)), ((), ())]
    assert views[0].opponent_hand is msgspec.UNSET


def test_a_fetched_card_is_known_to_all_until_it_is_played():
    state = table([["3C"], ["JC"]], scrap=["KD"])
    state = after(state, "oneoff 3C", "decline", "take KD")
    assert GAME.view(state, None).known == (("KD",), ())
    assert GAME.view(after(state, "draw", "permanent KD"), None).known == ((), ())


def test_the_opponent_sees_a_drawn_card_only_through_glasses():
    state = table([["KC"], ["2C"]], deck=["5H"])
    assert facts(state, "draw") == [
        Happening(Drew(seat=0, count=1, cards=("5H",)), frozenset({0})),
        Happening(Drew(seat=0, count=1), frozenset({1})),
    ]
    watched = table([["KC"], ["2C"]], deck=["5H"], glasses=[[], ["8H"]])
    assert facts(watched, "draw") == [
        Happening(Drew(seat=0, count=1, cards=("5H",)), frozenset({0, 1}))
    ]


# Events, what a replay stops at, refusals.


def test_what_rules_discard_return_and_turn_up_is_told_to_all():
    points = [[], [stolen("7S", 0, "JC")]]
    scuttle = table([["9C"], []], points=points)
    assert facts(scuttle, "scuttle 9C 7S") == [Happening(Discarded(1, ("7S", "JC")))]
    nine = after(table([["9C"], []], layouts=[[], ["KH"]]), "oneoff 9C KH")
    assert facts(nine, "decline") == [Happening(Took(1, ("KH",)))]
    seven = after(table([["7C"], []], deck=["JH"]), "oneoff 7C")
    assert facts(seven, "decline") == [
        Happening(Revealed(("JH",))),
        Happening(Discarded(0, ("JH",))),
    ]


@pytest.mark.parametrize(
    ("action", "interesting"),
    [
        ("draw", False),
        ("permanent 8C", False),
        ("points 4C", False),
        ("points 9H", True),
        ("permanent KC", True),
        ("scuttle 9H 7D", True),
        ("jack JC 7D", True),
        ("oneoff AC", True),
    ],
)
def test_one_offs_scuttles_jacks_and_what_ends_the_game_are_interesting(action, interesting):
    in_hand = [["9H", "KC", "8C", "JC", "AC", "4C"], []]
    state = table(in_hand, points=[["TC", "4D"], ["7D"]])
    assert GAME.interesting(state, action) == interesting


@pytest.mark.parametrize(
    ("action", "word"),
    [
        ("dance", "bad_action"),
        ("decline", "wrong_phase"),
        ("pass", "cannot_pass"),
        ("points 5C", "not_in_hand"),
        ("points KC", "bad_use"),
        ("permanent 9H", "bad_use"),
        ("scuttle 9H TD", "bad_target"),
        ("jack JC TD", "bad_target"),
        ("oneoff 9H KS", "bad_one_off"),
    ],
)
def test_refusals_begin_with_a_fixed_word(action, word):
    state = table([["9H", "KC", "JC"], []], points=[[], ["TD"]], layouts=[[], ["QC", "KS"]])
    assert GAME.refusal(state, action).partition(": ")[0] == word


def test_a_forfeit_keeps_the_points_on_the_table():
    state = table([["9H"], []], points=[["TC"], ["7D"]])
    assert GAME.forfeit_scores(state, [0]) == (10, 7)


def test_the_bounds_of_a_lot():
    options = Options(four_mode="random")
    deck = GAME.deal(Random(1), 2, options).deck
    for lot in (0, LOTS - 1):
        assert GAME.start(Deal(deck, lot), 2, options).lot == lot
    for lot in (-1, LOTS):
        with pytest.raises(DealError, match=f"from 0 to {LOTS - 1}, not {lot}"):
            GAME.start(Deal(deck, lot), 2, options)
    assert GAME.start(Deal(deck), 2, Options()).lot is None


def test_each_random_four_draws_a_new_lot_with_which_the_next_one_is_drawn():
    state = table([["4C"], ["AD", "2D", "3D"]], options=Options(four_mode="random"), lot=7)
    lots = {
        after(msgspec.structs.replace(state, lot=lot), "oneoff 4C", "decline").lot
        for lot in range(10)
    }
    assert len(lots) == 10


def test_a_counter_and_a_jack_are_interesting_though_they_do_not_end_the_game():
    state = table([["AC", "JC"], ["2D"]], points=[[], ["3D", "4D"]])
    assert GAME.interesting(state, "jack JC 3D")
    asked = after(state, "oneoff AC")
    assert GAME.interesting(asked, "counter 2D")
    assert not GAME.interesting(asked, "decline")


def test_the_first_fact_is_the_decision_itself_with_its_seat():
    state = table([["AC", "4D"], ["2D"]])
    assert GAME.happenings(state, "draw", after(state, "draw"))[0] == Happening(Moved(0, "draw"))
    asked = after(state, "oneoff AC")
    countered = after(asked, "counter 2D")
    assert GAME.happenings(asked, "counter 2D", countered)[0] == Happening(Moved(1, "counter 2D"))


@pytest.mark.parametrize("played", ["oneoff 7C", "oneoff 9C KD"])
def test_a_countered_one_off_turns_up_and_returns_nothing(played):
    state = table([["7C", "9C"], ["2D"]], layouts=[[], ["KD"]])
    before = after(state, played, "counter 2D")
    assert facts(before, "decline") == []


def test_points_win_at_once_however_many_cards_are_held():
    options = Options(hand_limit=1, king_goals=(5, 4, 3, 2, 1))
    won = after(table([["TC", "3D", "4D"], []], options=options), "points TC")
    assert (won.phase, won.over, won.winner) == ("over", "points", 0)


def test_a_card_that_froze_before_a_discard_to_the_limit_stays_frozen():
    options = Options(hand_limit=1, nine_freeze=True)
    state = table([["9C", "4D"], []], glasses=[["8H"], []], options=options)
    before = after(state, "oneoff 9C 8H", "decline")
    assert before.phase == "limit"
    kept = after(before, "discard 4D")
    assert [names_in(cards) for cards in kept.frozen] == [("8H",), ()]


def test_without_nine_freeze_nothing_freezes():
    state = table([["9C", "AC"], []], glasses=[["8H"], []])
    assert after(state, "oneoff 9C 8H", "decline").frozen == (0, 0)


def test_a_frozen_two_that_countered_is_not_frozen_any_more():
    options = Options(ruleset="cuttle.cards")
    state = table([["9C", "2D"], ["4H"]], points=[[], ["2H"]], options=options)
    frozen = after(state, "oneoff 9C 2H", "decline")
    assert [names_in(cards) for cards in frozen.frozen] == [(), ("2H",)]
    countered = after(frozen, "oneoff 4H", "counter 2D", "counter 2H")
    assert countered.frozen == (0, 0)


def test_a_scrap_of_threes_gives_a_three_nothing_to_take_without_three_for_three():
    options = Options(three_for_three=False)
    for three in ("3D", "3H", "3S"):
        state = table([["3C"], ["KD"]], scrap=[three], options=options)
        assert "oneoff 3C" not in legal(state)


def test_a_goal_may_fall_to_zero_with_the_first_king():
    assert Options(king_goals=(21, 0, 0, 0, 0)).king_goals == (21, 0, 0, 0, 0)


def test_a_draw_breaks_a_row_of_passes_too():
    """Where the limit forbids drawing one may have to pass though there is a pile."""
    options = Options(hand_limit=2, limit_mode="no_draw")
    state = after(table([["JC", "JD"], ["3C"]], options=options), "pass")
    assert state.passes == 1
    assert after(state, "draw").passes == 0


def test_nothing_lies_turned_up_when_a_jack_without_a_target_is_discarded():
    state = after(table([["7C"], ["AD"]], deck=["JC"]), "oneoff 7C", "decline")
    assert (state.phase, state.revealed, names_of(state.scrap)) == ("main", (), ("7C", "JC"))
