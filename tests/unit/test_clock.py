import pytest

from referee.clock import Clock


@pytest.mark.parametrize(
    ("clock", "allowance", "deadline"),
    [
        (Clock(), 1000, 1020),
        (Clock(move_ms=500, margin_ms=0), 500, 500),
        (Clock(move_ms=1000, bank_ms=400), 400, 420),
        (Clock(move_ms=1000, bank_ms=60_000), 1000, 1020),
        (Clock(move_ms=None, bank_ms=300), 300, 320),
        (Clock(move_ms=None, bank_ms=0), 0, 20),
        (Clock(move_ms=None), None, None),
    ],
)
def test_the_allowance_is_the_smaller_of_move_and_bank_and_the_margin_is_added(
    clock, allowance, deadline
):
    assert (clock.allowance_ms, clock.deadline_ms) == (allowance, deadline)


@pytest.mark.parametrize(
    ("clock", "took", "late"),
    [
        (Clock(), 1020, False),
        (Clock(), 1021, True),
        (Clock(bank_ms=100), 120, False),
        (Clock(bank_ms=100), 121, True),
        (Clock(move_ms=10, margin_ms=0), 10, False),
        (Clock(move_ms=10, margin_ms=0), 11, True),
        (Clock(move_ms=None), 10**9, False),
    ],
)
def test_an_answer_at_the_deadline_is_in_time_and_one_millisecond_later_is_not(clock, took, late):
    assert clock.is_overstepped_by(took) is late


@pytest.mark.parametrize(
    ("bank", "increment", "took", "left"),
    [
        (1000, 0, 300, 700),
        (1000, 100, 300, 800),
        (1000, 100, 0, 1100),
        (300, 0, 300, 0),
        (300, 0, 320, 0),  # the margin is charged, as far as the bank goes
        (300, 50, 320, 50),
        (None, 50, 320, None),
    ],
)
def test_time_is_charged_in_full_and_then_the_increment_is_added(bank, increment, took, left):
    clock = Clock(bank_ms=bank, increment_ms=increment)
    assert clock.spend(took) == Clock(bank_ms=left, increment_ms=increment)
