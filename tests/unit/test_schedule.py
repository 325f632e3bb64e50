"""Schedules: everybody meets everybody, in every seat, beside every neighbour."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.balancing import Balance, balance, balanced_tables
from tournaments.schedule import (
    ScheduleError,
    all_tables,
    block,
    blocks,
    circle_rounds,
    game_key,
    gauntlet_tables,
    neighbour_orders,
)
from tournaments.shapes import Block


@given(st.integers(2, 30))
def test_in_a_circle_everybody_meets_everybody_once_and_nobody_plays_twice_in_a_round(count):
    rounds = circle_rounds(count)
    pairs = [frozenset(pair) for circle in rounds for pair in circle]
    assert sorted(map(sorted, pairs)) == [list(pair) for pair in combinations(range(count), 2)]
    assert all(
        len({bot for pair in circle for bot in pair}) == 2 * len(circle) for circle in rounds
    )


@pytest.mark.parametrize(("seats", "times"), [(2, 1), (3, 1), (4, 2), (5, 1), (6, 2), (7, 1)])
def test_every_bot_has_every_other_on_its_left_equally_often(seats, times):
    orders = neighbour_orders(seats)
    beside = Counter((order[seat - 1], order[seat]) for order in orders for seat in range(seats))
    assert beside == dict.fromkeys(
        ((a, b) for a in range(seats) for b in range(seats) if a != b), times
    )


def test_nine_seats_have_no_such_orders_here():
    with pytest.raises(ScheduleError):
        neighbour_orders(9)


def test_a_block_of_two_has_both_seatings():
    assert block((4, 1), 3) == Block(table=(1, 4), deal=3, seatings=((4, 1), (1, 4)))


def test_the_seatings_of_a_block_are_rotations_and_the_next_deal_has_another_order():
    assert [each.seatings for each in blocks([(0, 5, 7)], 3)] == [
        ((0, 5, 7), (5, 7, 0), (7, 0, 5)),
        ((0, 7, 5), (7, 5, 0), (5, 0, 7)),
        ((0, 5, 7), (5, 7, 0), (7, 0, 5)),
    ]


def test_blocks_come_deal_by_deal():
    assert [(each.deal, each.table) for each in blocks(all_tables(3, 2), 2)] == [
        (0, (1, 2)),
        (0, (0, 2)),
        (0, (0, 1)),
        (1, (1, 2)),
        (1, (0, 2)),
        (1, (0, 1)),
    ]


@given(st.integers(3, 6), st.integers(0, 30), st.data())
def test_in_a_block_every_bot_has_every_seat_once(seats, deal, data):
    table = data.draw(st.permutations(range(9)).map(lambda bots: tuple(bots[:seats])))
    seatings = block(table, deal).seatings
    assert all(sorted(column) == sorted(table) for column in zip(*seatings, strict=True))
    assert all(sorted(row) == sorted(table) for row in seatings)


def test_a_gauntlet_lets_the_seeds_meet_the_field_and_nobody_else():
    assert gauntlet_tables([0, 1], [2, 3], 2) == [(0, 2), (1, 2), (0, 3), (1, 3)]
    assert gauntlet_tables([3], [0, 1, 2], 3) == [(0, 1, 3), (0, 2, 3), (1, 2, 3)]


@pytest.mark.parametrize(
    ("count", "seats", "tables", "each", "pair"),
    [(6, 3, 10, 5, 2), (7, 3, 7, 3, 1), (9, 3, 12, 4, 1), (8, 4, 14, 7, 3), (7, 4, 7, 4, 2)],
)
def test_where_an_exact_balance_exists_it_is_found(count, seats, tables, each, pair):
    chosen = balanced_tables(count, seats, tables, "autumn")
    assert balance(chosen, count) == Balance((each, each), (pair, pair))
    assert len(set(chosen)) == tables


@pytest.mark.parametrize("wanted", [1, 5, 17, 54, 56])
def test_any_number_of_tables_is_nearly_even_and_repeatable(wanted):
    chosen = balanced_tables(8, 3, wanted, "autumn")
    seated = balance(chosen, 8).appearances
    assert len(set(chosen)) == wanted
    assert seated[1] - seated[0] <= 1
    assert chosen == balanced_tables(8, 3, wanted, "autumn")


def test_more_tables_than_there_are_is_refused():
    with pytest.raises(ScheduleError, match="4 bots form 4 tables of 3, not 5"):
        balanced_tables(4, 3, 5, "autumn")


def test_a_key_does_not_depend_on_the_order_of_its_parts():
    assert game_key({"deal": 1, "event": "ü"}) == game_key({"event": "ü", "deal": 1})
    assert game_key({"deal": 1, "event": "ü"}) != game_key({"deal": 2, "event": "ü"})
