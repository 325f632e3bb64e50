"""Laws of what a seat may know: nothing that it is shown depends on what is hidden from it."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game import Game
from referee.games import GAMES
from tests.laws.strategies import Played, every_game, games, lots

STATES = 12  # of each game: every state, and its end, has its turn in some example


@every_game
@given(data=st.data(), lot=lots)
def test_a_seat_sees_the_same_in_every_truth_that_it_cannot_tell_apart(name, data, lot):
    played, rng = data.draw(games(name)), Random(lot)
    for state in _some_states(played, rng):
        for seat in range(played.seats):
            other = played.game.redeal(state, seat, rng)
            assert _seen_by(played.game, other, seat) == _seen_by(played.game, state, seat)


@every_game
@given(data=st.data(), lot=lots)
def test_a_seat_can_be_in_the_state_that_is_made_up_from_its_view(name, data, lot):
    played, rng = data.draw(games(name)), Random(lot)
    for state in _some_states(played, rng):
        for seat in range(played.seats):
            view = played.game.view(state, seat)
            made_up = played.game.determinize(view, seat, played.seats, played.options, rng)
            own, public, *rest = _seen_by(played.game, state, seat)
            own_made_up, public_made_up, *rest_made_up = _seen_by(played.game, made_up, seat)
            assert (own_made_up, rest_made_up) == (own, rest)
            # A seat that knows more than a spectator cannot tell which of it is public.
            if getattr(own, "known", None) == getattr(public, "known", None):
                assert public_made_up == public


@every_game
@given(data=st.data(), lot=lots)
def test_events_tell_a_seat_no_more_than_its_view_does(name, data, lot):
    """In two truths that a seat cannot tell apart, not even afterwards, it is told the same."""
    played, rng = data.draw(games(name)), Random(lot)
    game = played.game
    for state in _some_states(played, rng):
        for seat in range(played.seats):
            other = game.redeal(state, seat, rng)
            for action in set(game.legal_actions(state)) & set(game.legal_actions(other)):
                after, after_other = game.play(state, action), game.play(other, action)
                if game.view(after, seat) == game.view(after_other, seat):
                    told = _told(game, state, action, after, seat)
                    assert told == _told(game, other, action, after_other, seat)


@every_game
@given(data=st.data(), lot=lots)
def test_every_truth_can_be_played_to_its_end(name, data, lot):
    played, rng = data.draw(games(name)), Random(lot)
    game, state = played.game, rng.choice(played.states)
    state = game.redeal(state, rng.randrange(played.seats), rng)
    while game.turn(state) is not None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    assert len(game.outcome(state).scores) == played.seats


@every_game
@given(data=st.data(), lot=lots)
def test_the_same_lot_makes_up_the_same_truth(name, data, lot):
    played = data.draw(games(name))
    state = Random(lot).choice(played.states)
    first, again = (played.game.redeal(state, 0, Random(lot)) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.hidden])
@given(data=st.data(), lot=lots)
def test_where_something_is_hidden_there_is_another_truth_at_the_start(name, data, lot):
    played, rng = data.draw(games(name)), Random(lot)
    start = played.states[0]
    for seat in range(played.seats):
        assert any(played.game.redeal(start, seat, rng) != start for _ in range(20))


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if not game.hidden])
@given(data=st.data(), lot=lots)
def test_where_nothing_is_hidden_there_is_only_one_truth(name, data, lot):
    played = data.draw(games(name))
    for state in played.states:
        assert played.game.redeal(state, 0, Random(lot)) == state


def _some_states(played: Played, rng: Random) -> list[Any]:
    return [*rng.choices(played.states, k=STATES), played.last]


def _seen_by(game: Game[Any], state: Any, seat: int) -> Any:
    """Everything about a state that reaches a seat: also its list, and why an action is not in it."""
    turn = game.turn(state)
    mine = turn == seat
    return (
        game.view(state, seat),
        game.view(state, None),
        turn,
        game.legal_actions(state) if mine else None,
        game.refusal(state, "no such action") if mine else None,
    )


def _told(game: Game[Any], before: Any, action: str, after: Any, seat: int) -> list[Any]:
    return [
        happening.event
        for happening in game.happenings(before, action, after)
        if happening.seen_by is None or seat in happening.seen_by
    ]
