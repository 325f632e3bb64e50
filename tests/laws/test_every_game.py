"""Laws that hold for every registered game."""

import re
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.messages import Event, Moved
from referee.game import DealError, IllegalActionError, OptionsError
from referee.games import GAMES
from referee.games.cuttle.options import PRESETS
from tests.laws.strategies import (
    MATERIAL,
    every_game,
    games,
    lots,
    near_misses,
    play_at_random,
)

WORD = re.compile(r"[a-z]+(_[a-z]+)*")
WIRE_SAFE = frozenset(map(chr, range(0x20, 0x7F))) - {'"', "\\"}


def test_every_registered_game_has_material_and_is_named_as_registered():
    assert list(MATERIAL) == list(GAMES) == [game.name for game in GAMES.values()]


@every_game
@given(data=st.data())
def test_there_is_a_legal_action_until_the_game_is_over_and_none_after_it(name, data):
    game, _, states = data.draw(_with_states(name))
    over = [game.turn(state) is None for state in states]
    assert [not game.legal_actions(state) for state in states] == over
    assert over == [False] * (len(states) - 1) + [True]


@every_game
@given(data=st.data())
def test_no_action_is_offered_twice_and_all_are_safe_on_the_wire(name, data):
    game, _, states = data.draw(_with_states(name))
    for state in states:
        legal = game.legal_actions(state)
        assert len(set(legal)) == len(legal)
        assert all(action and set(action) <= WIRE_SAFE for action in legal)
        assert all(" ".join(action.split()) == action for action in legal)


@every_game
@given(data=st.data())
def test_every_legal_action_can_be_played_and_leaves_the_state_before_it_alone(name, data):
    game, _, states = data.draw(_with_states(name))
    for state in states[:40]:
        before = deepcopy(state)
        for action in game.legal_actions(state):
            assert game.play(state, action) != before
        assert state == before


@every_game
@given(data=st.data(), lot=lots)
def test_an_action_outside_the_list_is_refused_in_words_and_changes_nothing(name, data, lot):
    played = data.draw(games(name))
    for state, said in near_misses(played, Random(lot)):
        _is_refused(played.game, state, said)


@every_game
@given(data=st.data(), said=st.text())
def test_any_text_is_either_legal_or_refused(name, data, said):
    played = data.draw(games(name))
    for state in (played.states[0], played.last):
        if said not in played.game.legal_actions(state):
            _is_refused(played.game, state, said)


@every_game
@given(data=st.data())
def test_the_same_deal_and_the_same_actions_give_the_same_game(name, data):
    played = data.draw(games(name))
    state = played.game.start(played.deal, played.seats, played.options)
    for _, action, after in played.steps:
        state = played.game.play(state, action)
        assert state == after
    assert state == played.last


@every_game
@given(data=st.data(), lot=lots)
def test_the_same_lot_gives_the_same_deal(name, data, lot):
    game, options = GAMES[name], data.draw(MATERIAL[name].options)
    seats = data.draw(st.sampled_from(game.seats))
    assert game.deal(Random(lot), seats, options) == game.deal(Random(lot), seats, options)


@every_game
@given(data=st.data())
def test_a_deal_survives_json_and_the_game_starts_from_it(name, data):
    played = data.draw(games(name))
    line = msgspec.json.encode(played.deal)
    deal = msgspec.json.decode(line, type=played.game.deal_type)
    assert deal == played.deal
    assert msgspec.json.encode(deal) == line
    assert played.game.start(deal, played.seats, played.options) == played.states[0]


@every_game
@given(data=st.data(), lot=lots)
def test_a_deal_that_the_rules_cannot_make_is_refused(name, data, lot):
    game, options = GAMES[name], data.draw(MATERIAL[name].options)
    seats = data.draw(st.sampled_from(game.seats))
    deal = game.deal(Random(lot), seats, options)
    spoiled = MATERIAL[name].spoil(Random(lot), deal, options)
    assert spoiled != deal
    with pytest.raises(DealError, match=r"\w+ \w+"):
        game.start(spoiled, seats, options)


@every_game
@given(data=st.data())
def test_options_survive_json_complete_with_their_defaults(name, data):
    options = data.draw(MATERIAL[name].options)
    line = msgspec.json.encode(options)
    assert msgspec.json.decode(line, type=GAMES[name].options_type) == options
    assert set(msgspec.json.decode(line)) == set(type(options).__struct_fields__)


@every_game
def test_an_unknown_option_is_refused(name):
    with pytest.raises((msgspec.ValidationError, OptionsError), match="no_such_option"):
        msgspec.convert({"no_such_option": 1}, GAMES[name].options_type)


@every_game
@given(data=st.data())
def test_a_view_is_of_the_declared_type_and_survives_json(name, data):
    game, seats, states = data.draw(_with_states(name))
    for state in states:
        for seat in (*range(seats), None):
            view = game.view(state, seat)
            assert type(view) is game.view_type
            line = msgspec.json.encode(view)
            again = msgspec.json.decode(line, type=game.view_type)
            assert msgspec.json.encode(again) == line


@every_game
@given(data=st.data())
def test_where_nothing_is_hidden_all_seats_and_spectators_see_the_same(name, data):
    game, seats, states = data.draw(_with_states(name))
    if game.hidden:
        return
    for state in states:
        spectator = game.view(state, None)
        assert [game.view(state, seat) for seat in range(seats)] == [spectator] * seats


@every_game
@given(data=st.data())
def test_every_card_of_the_pack_is_in_exactly_one_place(name, data):
    played = data.draw(games(name))
    pack, places = MATERIAL[name].pack(played.options), MATERIAL[name].places
    assert set(pack.values()) == {1}
    assert all(places(state) == pack for state in played.states)


@every_game
@given(data=st.data())
def test_places_rank_the_seats_and_the_reason_is_a_word(name, data):
    played = data.draw(games(name))
    outcome = played.game.outcome(played.last)
    ranks = MATERIAL[name].ranks(outcome)
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    assert (len(outcome.scores), outcome.places) == (played.seats, places)
    assert WORD.fullmatch(outcome.reason)
    assert outcome.reason != "forfeit"


@every_game
@given(data=st.data())
def test_a_forfeit_can_be_scored_at_any_moment(name, data):
    game, seats, states = data.draw(_with_states(name))
    for out in (*((seat,) for seat in range(seats)), range(seats)):
        assert all(len(game.forfeit_scores(state, out)) == seats for state in states)


@every_game
@given(data=st.data())
def test_what_happens_begins_with_the_decision_which_everybody_sees(name, data):
    played = data.draw(games(name))
    for before, action, after in played.steps:
        seat = played.game.turn(before)
        first, *facts = played.game.happenings(before, action, after)
        assert (first.event, first.seen_by) == (Moved(seat, action), None)
        assert not any(isinstance(fact.event, Moved) for fact in facts)
        lines = [msgspec.json.encode(happening.event) for happening in (first, *facts)]
        assert [msgspec.json.decode(line, type=dict[str, Any]) for line in lines]


@every_game
@given(data=st.data())
def test_every_event_is_described_and_a_decision_never_by_nothing(name, data):
    played = data.draw(games(name))
    for before, action, after in played.steps:
        events: list[Event] = [
            happening.event for happening in played.game.happenings(before, action, after)
        ]
        decision, *facts = [played.game.describe(before, event) for event in events]
        assert decision.isprintable()
        assert decision
        assert all(fact.isprintable() for fact in facts)
        assert played.game.interesting(before, action) in (True, False)


@every_game
@given(lot=lots)
@settings(max_examples=200)
def test_every_random_game_ends(name, lot):
    _plays_to_its_end(name, Random(lot), GAMES[name].options_type())


RULESETS = [
    ("svoyi-koziri", {}),
    ("svoyi-koziri", {"cards": 24, "take": "free", "after_take": "taker"}),
    ("wizard", {}),
    ("wizard", {"bid_rule": "hook", "rounds": "quick"}),
    ("wizard", {"bid_rule": "canadian", "rounds": "quick"}),
    *(("cuttle", {"ruleset": ruleset}) for ruleset in PRESETS),
]


@pytest.mark.parametrize(("name", "options"), RULESETS)
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_ten_thousand_random_games_end(name, options):
    reasons = Counter(
        _plays_to_its_end(name, Random(number), GAMES[name].options_type(**options))
        for number in range(10_000)
    )
    assert reasons.total() == 10_000


def _is_refused(game, state, said):
    before = repr(state)
    words = game.refusal(state, said)
    word, colon, sentence = words.partition(": ")
    assert colon
    assert sentence
    assert WORD.fullmatch(word)
    with pytest.raises(IllegalActionError) as refused:
        game.play(state, said)
    assert (str(refused.value), repr(state)) == (words, before)


def _with_states(name):
    return games(name).map(lambda played: (played.game, played.seats, played.states))


def _plays_to_its_end(name, lot, options):
    game = GAMES[name]
    played = play_at_random(game, lot.choice(game.seats), options, lot)
    return game.outcome(played.last).reason
