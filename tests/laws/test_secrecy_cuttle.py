"""Cuttle hides hands and the pile: a seat learns nothing else, by no list, view or event."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from referee.cards import bits_of
from referee.games.cuttle import Cuttle, State
from referee.games.cuttle.cards import bits_from, names_in
from referee.games.cuttle.state import sees
from tests.laws.strategies import Played, games, lots
from tests.rules.cuttle import places

GAME = Cuttle()
SEATS = (0, 1)
played_games = games("cuttle")


def moments(played: Played, lot: Random) -> Iterator[tuple[State, int, State]]:
    """Each state with a seat, and another truth that this seat cannot tell from it."""
    for state in played.states:
        seat = lot.choice(SEATS)
        yield state, seat, GAME.redeal(state, seat, lot)


def told(before: State, action: str, after: State, seat: int) -> list[bytes]:
    """The events that a seat gets to see."""
    return [
        msgspec.json.encode(happening.event)
        for happening in GAME.happenings(before, action, after)
        if happening.seen_by is None or seat in happening.seen_by
    ]


def asked(state: State, seat: int) -> Any:
    """The legal list, when it is this seat that is asked."""
    return GAME.legal_actions(state) if GAME.turn(state) == seat else GAME.turn(state)


@given(played=played_games, lot=lots)
def test_two_truths_that_differ_in_the_unknown_look_the_same_to_the_seat(played, lot):
    for state, seat, other in moments(played, Random(lot)):
        assert GAME.view(state, seat) == GAME.view(other, seat)
        assert GAME.view(state, None) == GAME.view(other, None)
        assert asked(state, seat) == asked(other, seat)
        assert sorted(places(other)) == list(range(52))


@given(played=played_games, lot=lots)
def test_the_refusal_of_an_action_says_nothing_about_hidden_cards(played, lot):
    said = ("draw", "points 7C", "scuttle 9C 7H", "oneoff 2C KD", "counter 2D", "discard 4C")
    for state, seat, other in moments(played, Random(lot)):
        if GAME.turn(state) == seat:
            legal = GAME.legal_actions(state)
            for action in said:
                if action not in legal:
                    assert GAME.refusal(state, action) == GAME.refusal(other, action)


@given(played=played_games, lot=lots)
def test_what_a_seat_is_told_follows_from_what_it_saw_before_and_sees_after(played, lot):
    for (before, action, after), (_, seat, other) in zip(
        played.steps, moments(played, Random(lot)), strict=False
    ):
        if action in GAME.legal_actions(other):
            elsewhere = GAME.play(other, action)
            if GAME.view(after, seat) == GAME.view(elsewhere, seat):
                assert told(before, action, after, seat) == told(other, action, elsewhere, seat)


@given(played=played_games)
def test_a_hidden_card_is_named_to_nobody_who_may_not_see_it(played):
    for before, action, after in played.steps:
        if action != "draw":
            continue
        drawer = before.turn_player
        card = names_in(after.hands[drawer] & ~before.hands[drawer])[0]
        shown = f'"{card}"'.encode()
        events = [b"".join(told(before, action, after, seat)) for seat in SEATS]
        known = sees(before, 1 - drawer) or bits_from([card]) & after.known[drawer]
        assert shown in events[drawer]
        assert (shown in events[1 - drawer]) == bool(known)


@given(played=played_games, lot=lots)
def test_a_state_made_from_a_view_gives_that_view_and_the_same_list(played, lot):
    chance = Random(lot)
    for state in played.states:
        for seat in SEATS:
            view = GAME.view(state, seat)
            made = GAME.determinize(view, seat, 2, played.options, chance)
            assert GAME.view(made, seat) == view
            assert asked(made, seat) == asked(state, seat)
            assert GAME.turn(made) == GAME.turn(state)
            assert sorted(places(made)) == list(range(52))
            if made.over:
                assert GAME.outcome(made) == GAME.outcome(state)


@given(played=played_games, lot=lots)
def test_a_view_that_went_over_the_wire_is_enough_for_determinize(played, lot):
    state = Random(lot).choice(played.states)
    view = GAME.view(state, 0)
    again = msgspec.json.decode(msgspec.json.encode(view), type=GAME.view_type)
    assert GAME.determinize(again, 0, 2, played.options, Random(1)) == GAME.determinize(
        view, 0, 2, played.options, Random(1)
    )


@given(played=played_games, lot=lots)
def test_a_game_goes_on_from_another_truth_to_its_end(played, lot):
    chance = Random(lot)
    state = GAME.redeal(chance.choice(played.states), chance.choice(SEATS), chance)
    while GAME.turn(state) is not None:
        state = GAME.play(state, chance.choice(GAME.legal_actions(state)))
    assert state.over


@given(played=played_games)
def test_a_spectator_sees_no_hand(played):
    for state in played.states:
        view = msgspec.to_builtins(GAME.view(state, None))
        assert not {"hand", "opponent_hand"} & view.keys()
        for seat in SEATS:
            assert bits_from(view["known"][seat]) & ~state.known[seat] == 0
        shown = bits_from(view["deck_top"])
        assert shown == bits_of(state.deck[: state.known_top])


@given(played=played_games, index=st.integers(0, 10**6))
def test_no_view_shows_the_lot_of_the_random_fours(played, index):
    state = played.states[index % len(played.states)]
    for seat in (*SEATS, None):
        fields = msgspec.to_builtins(GAME.view(state, seat))
        assert "lot" not in fields
