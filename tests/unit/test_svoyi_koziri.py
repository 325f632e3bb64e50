from random import Random

import msgspec
import pytest

from protocol.messages import Moved, Took
from referee.cards import names_in
from referee.game import DealError, IllegalActionError, OptionsError, Outcome
from referee.games.svoyi_koziri import (
    Options,
    SvoyiKoziri,
    View,
    at_lead,
    deal_from_code,
)
from tests.laws.strategies import play_at_random

GAME = SvoyiKoziri()
DEAL = deal_from_code(1, 8)  # 0: AD KH AH KS, 1: KC AC KD AS
# Both lead, beat and take in turn: after eight plies the position of the start is back.
CIRCLE = ["play KS", "play KD", "play AC", "take", "play KC", "play AC", "play KD", "take"]


def begin(**options):
    return GAME.start(DEAL, 2, Options(cards=8, **options))


def after(actions, **options):
    state = begin(**options)
    for action in actions:
        state = GAME.play(state, action)
    return state


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cards": 6}, "cards is a multiple of 4 from 8 to 52, not 6"),
        ({"cards": 56}, "cards is a multiple of 4 from 8 to 52, not 56"),
        ({"cards": 30}, "cards is a multiple of 4 from 8 to 52, not 30"),
        ({"repetition": -1}, "repetition is 0 (off), or 2 or more, not -1"),
        ({"repetition": 1}, "repetition is 0 (off), or 2 or more, not 1"),
        ({"max_plies": 0}, "max-plies is 1 or more, not 0"),
    ],
)
def test_options_that_cannot_be_played_are_refused_with_the_remedy(options, words):
    with pytest.raises(OptionsError) as refused:
        Options(**options)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"take":"never"}', "Invalid enum value 'never' - at `$.take`"),
        (b'{"take":true}', "Expected `str`, got `bool` - at `$.take`"),
        (b'{"cards":"24"}', "Expected `int`, got `str` - at `$.cards`"),
        (b'{"decks":2}', "Object contains unknown field `decks`"),
        (b'{"cards":30}', "cards is a multiple of 4 from 8 to 52, not 30"),
    ],
)
def test_options_from_a_file_are_checked_too(text, words):
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(text, type=Options)
    assert str(refused.value) == words


@pytest.mark.parametrize(("cards", "plies"), [(8, 480), (24, 1440), (32, 1920), (52, 3120)])
def test_the_cap_is_sixty_plies_for_each_card_unless_it_is_chosen(cards, plies):
    assert Options(cards=cards).max_plies == plies
    assert Options(cards=cards, max_plies=7).max_plies == 7


def test_left_out_options_are_those_of_the_article():
    assert msgspec.to_builtins(Options()) == {
        "cards": 32,
        "take": "forced",
        "after_take": "leader",
        "repetition": 3,
        "max_plies": 1920,
    }


@pytest.mark.parametrize("code", [-1, 16])
def test_a_code_outside_the_pack_is_no_deal(code):
    with pytest.raises(DealError, match=f"^code {code} is not a deal of 8 cards$"):
        GAME.start(msgspec.structs.replace(DEAL, code=code), 2, Options(cards=8))


def test_a_deal_of_another_pack_is_refused():
    with pytest.raises(DealError, match=r"^the hands are not those of code 1$"):
        GAME.start(DEAL, 2, Options(cards=12))


def test_a_view_at_a_lead_has_no_card_to_be_beaten():
    assert GAME.view(begin(), 0) == View(
        phase="lead",
        leader=0,
        trumps=("S", "D"),
        hands=(("AD", "KH", "AH", "KS"), ("KC", "AC", "KD", "AS")),
        pile=(),
        plies=0,
        max_plies=480,
        position_count=1,
    )
    assert "led" not in msgspec.to_builtins(GAME.view(begin(), 0))


def test_a_view_in_a_reply_names_the_card_to_be_beaten():
    assert GAME.view(after(["play KS", "play KD", "play AC"]), 0) == View(
        phase="reply",
        leader=1,
        trumps=("S", "D"),
        hands=(("AD", "KH", "AH"), ("KC", "AS")),
        pile=("KS", "KD", "AC"),
        led="AC",
        plies=3,
        max_plies=480,
        position_count=1,
    )


def test_the_view_counts_how_often_the_position_of_the_last_lead_has_occurred():
    twice = after(CIRCLE)
    counts = [GAME.view(twice, 0), GAME.view(GAME.play(twice, "play KS"), 1)]
    assert [view.position_count for view in counts] == [2, 2]


def test_who_can_beat_may_not_take_unless_taking_is_free():
    assert GAME.legal_actions(after(["play KS"])) == ("play KD", "play AS")
    assert GAME.legal_actions(after(["play KS"], take="free")) == ("take", "play KD", "play AS")


def test_who_cannot_beat_can_only_take():
    for take in ("forced", "free"):
        assert GAME.legal_actions(after(["play AD"], take=take)) == ("take",)


@pytest.mark.parametrize(("after_take", "seat"), [("leader", 0), ("taker", 1)])
def test_after_a_taking_the_option_says_who_leads(after_take, seat):
    state = after(["play AD", "take"], after_take=after_take)
    assert (GAME.turn(state), state.leader, state.pile) == (seat, seat, ())
    assert names_in(state.hands[1]) == ("KC", "AC", "KD", "AD", "AS")


@pytest.mark.parametrize(
    ("actions", "said", "words"),
    [
        ([], "take", "nothing_to_take: it is your turn to lead"),
        ([], "play KC", "not_in_hand: seat 0 does not hold KC"),
        ([], "play KD", "not_in_hand: seat 0 does not hold KD"),  # but AD
        ([], "play QC", "bad_card: QC is not in the pack of 8"),
        ([], "play 10C", "bad_card: '10C' is no card; say `play` and a card, or `take`"),
        ([], "KS", "bad_card: 'KS' is no card; say `play` and a card, or `take`"),
        ([], "", "bad_card: '' is no card; say `play` and a card, or `take`"),
        (["play KS"], "take", "can_beat: one may take only when no card beats (take = forced)"),
        (["play KS"], "play KC", "does_not_beat: KC does not beat KS"),
        (["play KS"], "play AH", "not_in_hand: seat 1 does not hold AH"),
        (
            ["play KS", "play KD", "play AC", "take", "play AS", "take", "play KC"],
            "play AD",
            "not_in_hand: seat 0 does not hold AD",
        ),
    ],
)
def test_a_refusal_is_a_word_and_a_sentence(actions, said, words):
    state = after(actions)
    if GAME.turn(state) is None:
        words = "game_over: the game has ended"
    with pytest.raises(IllegalActionError) as refused:
        GAME.play(state, said)
    assert (str(refused.value), GAME.refusal(state, said)) == (words, words)


def test_a_taking_tells_which_cards_were_taken():
    before = after(["play KS", "play KD", "play AC"])
    happenings = GAME.happenings(before, "take", GAME.play(before, "take"))
    assert [(happening.event, happening.seen_by) for happening in happenings] == [
        (Moved(0, "take"), None),
        (Took(0, ("KS", "KD", "AC")), None),
    ]


def test_a_replay_stops_at_a_taking_and_at_the_card_that_goes_out():
    actions = ["play KS", "play KD", "play AC", "take", "play AS", "take", "play KC"]
    states = [after(actions[:number]) for number in range(len(actions))]
    stops = [GAME.interesting(state, action) for state, action in zip(states, actions, strict=True)]
    assert stops == [False, False, False, True, False, True, True]


@pytest.mark.parametrize(
    ("actions", "options", "outcome"),
    [
        (
            ["play KS", "play KD", "play AC", "take", "play AS", "take", "play KC"],
            {},
            Outcome((0, 1), (2, 1), "out"),
        ),
        (
            ["play AD", "take", "play KH", "play KD", "play KC", "play KS", "play AH"],
            {},
            Outcome((1, 0), (1, 2), "out"),
        ),
        (CIRCLE * 2, {}, Outcome((0, 0), (1, 1), "repetition")),
        (CIRCLE, {"repetition": 2}, Outcome((0, 0), (1, 1), "repetition")),
        (CIRCLE, {"max_plies": 8}, Outcome((0, 0), (1, 1), "ply_limit")),
        # On the same ply `repetition` is named.
        (CIRCLE, {"max_plies": 8, "repetition": 2}, Outcome((0, 0), (1, 1), "repetition")),
        # A lead may be the last ply, too.
        (["play KS"], {"max_plies": 1}, Outcome((0, 0), (1, 1), "ply_limit")),
    ],
)
def test_the_outcome_says_who_won_and_why_it_ended(actions, options, outcome):
    state = after(actions, **options)
    assert (GAME.turn(state), GAME.legal_actions(state)) == (None, ())
    assert GAME.outcome(state) == outcome
    made = GAME.determinize(GAME.view(state, 0), 0, 2, state.options, Random(1))
    assert GAME.outcome(made) == outcome


def test_going_out_on_the_last_allowed_ply_is_a_win():
    actions = ["play KS", "play KD", "play AC", "take", "play AS", "take", "play KC"]
    assert GAME.outcome(after(actions, max_plies=7)) == Outcome((0, 1), (2, 1), "out")


@pytest.mark.parametrize(("out", "scores"), [((0,), (0, 1)), ((1,), (1, 0)), ((0, 1), (0, 0))])
def test_who_forfeits_scores_nothing(out, scores):
    assert GAME.forfeit_scores(begin(), out) == scores


def test_with_repetition_off_a_circle_goes_on():
    assert GAME.turn(after(CIRCLE * 4, repetition=0)) == 0


def test_a_position_seen_too_often_ends_the_game_at_the_lead():
    state = begin()
    assert at_lead(at_lead(state)).over == "repetition"


def test_only_leads_count_as_positions():
    """A position that comes again is led from differently: the answer sees how often it occurred."""
    again = 0
    for seed in range(60):
        played = play_at_random(GAME, 2, Options(cards=8, take="free"), Random(seed))
        for before, _, after in played.steps:
            if before.led is None and after.led is not None:
                assert after.occurrences == before.occurrences
                assert GAME.view(after, 0).position_count == before.occurrences
                again += before.occurrences > 1
    assert again


@pytest.mark.parametrize(("last_lead", "now"), [(0, 0), (0, 1), (2, 2), (2, 3)])
def test_in_a_state_made_from_a_view_the_position_of_the_last_lead_can_come_back(last_lead, now):
    """It has occurred twice, and does so once more; of other positions a view does not tell."""
    actions, circle = CIRCLE * 3, len(CIRCLE)
    view = GAME.view(after(actions[: circle + now]), 0)
    state = GAME.determinize(view, 0, 2, Options(cards=8), Random(1))
    for action in actions[circle + now : 2 * circle + last_lead]:
        assert state.over is None
        state = GAME.play(state, action)
    assert (state.over, state.occurrences) == ("repetition", 3)
