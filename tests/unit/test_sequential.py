"""Comparisons: what they take, when they stop, what they say."""

import math
from itertools import permutations

import pytest

from tournaments.evalues import asymptotic_radius, betting_interval
from tournaments.intervals import Interval
from tournaments.pentanomial import normalised_ratio, summary
from tournaments.sequential import Comparison, InOrder, Plan, Verdict


def _after(results, **plan):
    comparison = Comparison(plan=Plan(**plan))
    for result in results:
        comparison = comparison.after(result)
    return comparison


def test_before_the_first_block_nothing_is_known():
    empty = Comparison()
    assert (empty.verdict, empty.blocks, empty.mean, empty.ratio) == (
        Verdict.UNDECIDED,
        0,
        None,
        None,
    )
    assert (empty.log_e_better, empty.log_e_worse) == (0, 0)
    assert empty.interval() == Interval(0, 1)


@pytest.mark.parametrize(
    ("result", "verdict"), [(1.0, Verdict.BETTER), (0.0, Verdict.WORSE), (0.5, Verdict.UNDECIDED)]
)
def test_a_comparison_says_which_bot_is_better(result, verdict):
    assert _after([result] * 30).verdict is verdict


def test_nine_pairs_won_in_a_row_are_enough_and_eight_are_not():
    assert _after([1.0] * 8).verdict is Verdict.UNDECIDED
    assert _after([1.0] * 9).verdict is Verdict.BETTER


def test_what_comes_after_the_verdict_changes_nothing():
    decided = _after([1.0] * 9)
    assert decided.after(0.0) == decided


def test_leads_are_cut_at_the_bound_and_the_mean_is_not():
    found = _after([500.0, -10.0, 30.0], bound=200)
    assert found.mean == pytest.approx(520 / 3)
    assert found.cut == 1
    assert found.log_e_better == _after([200.0, -10.0, 30.0], bound=200).log_e_better


def test_leads_of_the_bound_are_pairs_won():
    leads, pairs = _after([7.0, -7.0, 0.0, 3.5], bound=7), _after([1.0, 0.0, 0.5, 0.75])
    assert leads.log_e_better == pytest.approx(pairs.log_e_better)
    low, high = pairs.interval().low, pairs.interval().high
    assert leads.interval() == Interval((2 * low - 1) * 7, (2 * high - 1) * 7)


def test_the_interval_leaves_equal_out_exactly_when_there_is_a_verdict():
    comparison = Comparison()
    while comparison.verdict is Verdict.UNDECIDED:
        assert comparison.interval().low < 0.5
        comparison = comparison.after(0.75)
    assert comparison.interval().low >= 0.5


def test_the_cap_ends_a_comparison_without_an_answer():
    assert _after([1.0, 0.0], cap=3).verdict is Verdict.UNDECIDED
    assert _after([1.0, 0.0, 0.5], cap=3).verdict is Verdict.CAP


def test_an_answer_at_the_cap_is_an_answer():
    assert _after([1.0] * 9, cap=9).verdict is Verdict.BETTER


def test_two_hypotheses_can_also_end_with_no_gain():
    even = [1.0, 0.0, 0.5, 0.5] * 200
    found = _after(even, sprt=(0, 60))
    assert found.verdict is Verdict.NO_GAIN
    assert found.ratio is not None
    assert found.ratio <= -2.944
    assert 10 < found.blocks < len(even)


def test_two_hypotheses_accept_the_second():
    found = _after([1.0, 1.0, 0.5, 0.0] * 200, sprt=(0, 60))
    assert found.verdict is Verdict.BETTER
    assert found.ratio == pytest.approx(
        normalised_ratio([found.results.count(place / 4) for place in range(5)], 0, 60)
    )


@pytest.mark.parametrize(
    ("lead", "verdict"), [(20.0, Verdict.BETTER), (-20.0, Verdict.NO_GAIN)], ids=str
)
def test_two_hypotheses_about_leads(lead, verdict):
    found = _after([lead + swing for swing in (-60.0, 60.0)] * 300, bound=200, sprt=(0, 30))
    assert found.verdict is verdict
    assert found.blocks > 20


@pytest.mark.parametrize(
    "plan",
    [{"bound": 0}, {"bound": math.inf}, {"alpha": 0.6}, {"sprt": (5, 5)}, {"cap": 0}],
    ids=str,
)
def test_a_plan_without_sense_is_refused(plan):
    with pytest.raises(ValueError, match=r"must|needs"):
        Plan(**plan)


def test_a_score_that_no_pair_can_have_is_refused():
    with pytest.raises(ValueError, match=r"not 0\.6"):
        Comparison().after(0.6)


def test_blocks_leave_in_the_order_of_the_schedule_however_they_come():
    for order in permutations(range(5)):
        line: InOrder[int] = InOrder()
        released = [item for number in order for item in line.take(number, number)]
        assert released == [0, 1, 2, 3, 4]


def test_a_block_that_comes_twice_counts_once_and_the_first_time():
    line: InOrder[str] = InOrder()
    assert line.take(1, "first") == []
    assert line.take(1, "again") == []
    assert dict(line.waiting) == {1: "first"}
    assert line.take(0, "zero") == ["zero", "first"]
    assert line.take(1, "late") == []


def test_after_a_break_the_line_goes_on_where_it_was():
    line: InOrder[str] = InOrder(7)
    assert line.take(3, "long ago") == []
    assert line.take(7, "next") == ["next"]


def test_nothing_played_has_no_summary_and_all_won_has_no_elo():
    assert summary([0, 0, 0, 0, 0]) is None
    won = summary([0, 0, 0, 0, 4])
    assert won
    assert (won.score, won.elo, won.elo_pm, won.nelo, won.los) == (1, None, None, None, 1)
    drawn = summary([0, 0, 4, 0, 0])
    assert drawn
    assert (drawn.elo, drawn.elo_pm, drawn.nelo, drawn.los) == (0, 0, 0, 0.5)


def test_nobody_knows_a_mean_without_outcomes():
    assert betting_interval([]) == Interval(0, 1)


def test_an_asymptotic_sequence_is_narrower_later():
    assert asymptotic_radius(10, 400) < asymptotic_radius(10, 100)
