"""Intervals against tables of Student's t, and against what common sense wants of them."""

import pytest

from tournaments.intervals import (
    Interval,
    chance_of_superiority,
    holm,
    mean_interval,
    normal_cdf,
    normal_quantile,
    score_interval,
    t_cdf,
    t_quantile,
)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(1, 12.7062), (2, 4.3027), (4, 2.7764), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_the_quantiles_of_student_are_those_of_the_tables(degrees, expected):
    assert t_quantile(0.975, degrees) == pytest.approx(expected, abs=1e-4)


def test_the_distribution_is_symmetric_about_one_half():
    assert t_cdf(0.0, 7) == pytest.approx(0.5)
    assert t_cdf(-1.3, 7) == pytest.approx(1 - t_cdf(1.3, 7))


def test_a_single_block_says_nothing():
    assert score_interval([1.0]) == Interval(0.0, 1.0)
    assert score_interval([]) is None


def test_blocks_that_were_all_won_still_leave_a_doubt():
    interval = score_interval([1.0] * 50)
    assert interval is not None
    assert interval.high == 1.0
    # The rule of three says 0.94 when both games of a pair go together, 0.97 when they have nothing in common.
    assert interval.low == pytest.approx(0.961, abs=0.001)


def test_independent_games_have_nearly_the_interval_of_wilson():
    pairs = [1.0] * 36 + [0.5] * 48 + [0.0] * 16  # 120 games won of 200
    interval = score_interval(pairs)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.531, 0.665), abs=0.005)


def test_what_differs_between_opponents_by_the_schedule_is_no_chance():
    blocks, opponents = [1.0, 0.5, 0.0, 0.5] * 5, [0, 0, 1, 1] * 5
    alone, grouped = score_interval(blocks), score_interval(blocks, opponents)
    assert alone is not None
    assert grouped is not None
    assert grouped.high - grouped.low < 0.8 * (alone.high - alone.low)
    plain = mean_interval([10.0, 12.0, 30.0, 32.0], [0, 0, 1, 1])
    assert plain is not None
    assert (plain.low, plain.high) == pytest.approx((21 - 3.042, 21 + 3.042), abs=0.001)
    assert mean_interval([10.0, 30.0], [0, 1]) is None


def test_the_chance_is_975_thousandths_where_the_interval_begins_at_one_half():
    for won in range(10, 21):
        blocks = [1.0] * won + [0.0] * (20 - won)
        interval = score_interval(blocks)
        assert interval is not None
        assert (chance_of_superiority(blocks) > 0.975) == (interval.low > 0.5)


def test_the_interval_of_a_mean_is_that_of_the_textbook():
    interval = mean_interval([10.0, 20.0, 30.0])
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((-4.841, 44.841), abs=0.001)
    assert mean_interval([10.0]) is None


def test_equal_bots_are_as_likely_better_as_worse():
    assert chance_of_superiority([0.5, 1.0, 0.0]) == pytest.approx(0.5)
    assert chance_of_superiority([1.0] * 10) > 0.99


def test_holm_allows_for_all_comparisons_and_keeps_the_order_they_came_in():
    assert holm([0.04, 0.01, 0.03, 0.005]) == pytest.approx([0.06, 0.03, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@pytest.mark.parametrize(("z", "below"), [(0.0, 0.5), (1.959964, 0.975), (-2.326348, 0.01)])
def test_the_normal_distribution_is_that_of_the_tables(z, below):
    assert normal_cdf(z) == pytest.approx(below, abs=1e-7)
    assert normal_quantile(below) == pytest.approx(z, abs=1e-6)
