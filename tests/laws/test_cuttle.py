"""Invariants of Cuttle, after every action of random games under random options."""

from hypothesis import given

from referee.games.cuttle import Cuttle
from referee.games.cuttle.cards import JACKS, NUMBER_CARDS
from referee.games.cuttle.state import goal, scores
from tests.laws.strategies import games
from tests.rules.cuttle import places

GAME = Cuttle()
played_games = games("cuttle")


@given(played=played_games)
def test_52_distinct_cards_lie_in_one_place_each(played):
    for state in played.states:
        assert sorted(places(state)) == list(range(52))


@given(played=played_games)
def test_stacks_are_a_number_card_and_jacks(played):
    for state in played.states:
        for stack in state.stacks:
            assert NUMBER_CARDS >> stack.card & 1
            assert all(JACKS >> jack & 1 for jack in stack.jacks)


@given(played=played_games)
def test_each_jack_goes_on_a_stack_that_the_other_player_controlled(played):
    for before, action, after in played.steps:
        if action.startswith("jack ") and after.stacks != before.stacks:
            (was,) = (s for s in before.stacks if s not in after.stacks)
            (now,) = (s for s in after.stacks if s not in before.stacks)
            assert (was.controller, now.controller) == (1 - before.turn_player, before.turn_player)


@given(played=played_games)
def test_cards_are_turned_up_only_in_a_seven_and_pending_only_while_something_is(played):
    for state in played.states:
        assert bool(state.revealed) == (state.phase == "seven")
        assert (state.pending is None) == (state.phase in ("main", "limit", "over"))


@given(played=played_games)
def test_nobody_meets_his_goal_unless_the_game_is_over_by_points(played):
    for state in played.states:
        met = [points >= goal(state, seat) for seat, points in enumerate(scores(state))]
        assert any(met) == (state.over == "points")
        assert (state.winner is not None) == any(met)


@given(played=played_games)
def test_passes_stay_below_the_limit_until_the_turn_of_the_last_one_ends(played):
    for state in played.states:
        if state.phase not in ("over", "limit"):
            assert state.passes < played.options.stalemate_passes


@given(played=played_games)
def test_turns_are_counted_and_alternate(played):
    for state in played.states:
        assert state.turn <= played.options.max_turns
        assert state.turn_player == (state.turn - 1) % 2


@given(played=played_games)
def test_what_is_known_or_frozen_of_a_hand_is_in_it(played):
    for state in played.states:
        for seat in (0, 1):
            of_hand = state.known[seat] | state.seen[seat] | state.frozen[seat]
            assert not of_hand & ~state.hands[seat]
        assert state.known_top <= len(state.deck)


@given(played=played_games)
def test_a_turn_passes_only_after_its_own_action_is_complete(played):
    for before, _, after in played.steps:
        if after.phase == "main":
            assert after.turn == before.turn + 1
            assert after.to_move == after.turn_player != before.turn_player
