"""Times as counts of classes."""

import pytest

from tournaments.shapes import TimeUse
from tournaments.times import PER_DECADE, class_of, classes_of, merged, time_use


@pytest.mark.parametrize("ms", [0.001, 0.01, 0.1, 1, 10, 1000, 60_000, 3_600_000])
def test_a_time_and_ten_times_it_are_a_decade_apart(ms):
    assert class_of(10 * ms) - class_of(ms) == PER_DECADE


def test_times_too_short_to_be_told_apart_are_one_class():
    assert classes_of([0.0, 0.0001, 0.001]) == {0: 3}


def test_counts_are_added_class_by_class():
    assert merged([{60: 1, 80: 2}, {}, {80: 1, 20: 4}]) == {20: 4, 60: 1, 80: 3}


def test_without_a_decision_there_are_no_times():
    assert time_use({}, 0.0) is None


def test_a_single_time_is_all_quartiles():
    use = time_use(classes_of([7.0]), 7.0)
    assert use
    assert (use.low, use.median, use.high) == pytest.approx((7.0, 7.0, 7.0), rel=0.13)
    assert max(use.low, use.median, use.high) <= use.slowest == 7.0


def test_quartiles_of_many_times_are_known_within_three_per_cent():
    times = [0.05 * 1.004**step for step in range(2000)]
    use = time_use(classes_of(times), max(times))
    assert use == TimeUse(
        low=pytest.approx(times[500], rel=0.03),  # type: ignore[arg-type]
        median=pytest.approx(times[1000], rel=0.03),  # type: ignore[arg-type]
        high=pytest.approx(times[1500], rel=0.03),  # type: ignore[arg-type]
        slowest=times[-1],
    )
