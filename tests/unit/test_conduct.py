import pytest

from protocol.faults import MEANING, FaultCode
from referee.conduct import SURVIVABLE, Conduct, OnFault, after_forfeits
from referee.game import Outcome

SUBSTITUTE = Conduct(OnFault.SUBSTITUTE, max_faults=2)


def test_a_bot_can_go_on_after_a_time_out_an_illegal_action_and_a_malformed_line_alone():
    assert {"timeout", "illegal", "malformed"} == SURVIVABLE


@pytest.mark.parametrize("code", FaultCode)
def test_under_forfeit_nothing_is_forgiven(code):
    assert not Conduct().forgives(code, 0, None)


@pytest.mark.parametrize("code", FaultCode)
def test_under_substitute_what_a_bot_survives_is_forgiven(code):
    assert SUBSTITUTE.forgives(code, 0, None) is (code in SURVIVABLE)


@pytest.mark.parametrize(("faults", "forgiven"), [(0, True), (1, True), (2, False), (3, False)])
def test_as_many_as_max_faults_are_forgiven(faults, forgiven):
    assert SUBSTITUTE.forgives(FaultCode.ILLEGAL, faults, None) is forgiven


@pytest.mark.parametrize(("bank", "forgiven"), [(None, True), (1, True), (0, False)])
def test_an_empty_bank_is_not_forgiven(bank, forgiven):
    assert SUBSTITUTE.forgives(FaultCode.TIMEOUT, 0, bank) is forgiven


def test_every_fault_has_a_meaning_in_words():
    assert list(MEANING) == list(FaultCode)
    assert all(MEANING.values())


@pytest.mark.parametrize(
    ("scores", "forfeits", "recorded", "places"),
    [
        ([1, 0], [{1}], (1, 0), (1, 2)),  # two seats keep the table's scores
        ([0, 0], [{0, 1}], (0, 0), (1, 1)),
        ([50, 70, 20], [{1}], (50, 10, 20), (1, 3, 2)),
        ([50, -40, 20], [{1}], (50, -50, 20), (1, 3, 2)),  # its own total was the lowest
        ([50, 70, 20, 20], [{0}, {1}], (0, 10, 20, 20), (4, 3, 1, 1)),
        ([50, 70, 20, 20], [{0, 1}], (10, 10, 20, 20), (3, 3, 1, 1)),
    ],
)
def test_who_forfeits_is_last_and_an_earlier_one_below_a_later_one(
    scores, forfeits, recorded, places
):
    assert after_forfeits(scores, forfeits, "x") == Outcome(recorded, places, "x")
