"""Statistics, case by case, and what no case says.

`pytest tests/unit/test_ratings.py --rating-cases FILE` runs another file of cases. A case is `{"id", "input",
"expected", "tolerance"}`: every fact in `expected` must follow from `input`, within the tolerance. Cases
marked as oracle are of methods that Croupier does not use; `tests.unit.online_ratings` has them.
"""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.unit.rating_cases import comparable, facts
from tournaments.rankings import Placed, davidson, plackett_luce, points_interval, within_games
from tournaments.ratings import (
    Game,
    RatingError,
    bradley_terry,
    difference_interval,
    difference_p_value,
    field_interval,
    score_of_elo,
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        cases = _cases(metafunc.config.getoption("--rating-cases"))
        metafunc.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases])


def _cases(file: Path) -> list[dict[str, Any]]:
    if not file.is_file():
        raise pytest.UsageError(f"--rating-cases {file}: there is no such file")
    found: list[dict[str, Any]] = msgspec.json.decode(file.read_bytes())["cases"]
    return found


def test_what_is_expected_follows(case: dict[str, Any]) -> None:
    found = facts(case)
    for name, expected in case["expected"].items():
        close = _close(comparable(name, expected), case["tolerance"])
        assert comparable(name, found[name]) == close, name


def _close(expected: Any, tolerance: float) -> Any:
    """The same, with every number allowed to differ by the tolerance."""
    if isinstance(expected, list):
        return _Each([_close(each, tolerance) for each in expected])
    if isinstance(expected, dict):
        return {name: _close(each, tolerance) for name, each in expected.items()}
    if isinstance(expected, int | float) and not isinstance(expected, bool):
        return pytest.approx(expected, abs=tolerance, rel=0)
    return expected


class _Each(list[Any]):
    """A list that is equal to any sequence with equal members."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list | tuple) and list(other) == list(self)


def test_a_case_of_an_unknown_kind_fails():
    with pytest.raises(KeyError):
        facts({"id": "swiss_3", "input": {}})


def test_placings_and_shares_of_a_table_come_from_each_game():
    case = {
        "id": "kplayer_standings",
        "input": {"games": [[[0, 1, 2], [9, 9, 1]], [[2, 0, 1], [5, 7, 5]]]},
    }
    found = facts(case)
    assert found["mean_score"] == [8, 7, 3]
    assert found["mean_rank"] == [1.25, 2, 2.75]
    assert found["win_share"] == [0.75, 0.25, 0]


def test_wins_over_the_strong_break_a_tie():
    table = [[None, 1, 0, 1], [0, None, 1, 1], [1, 0, None, 0], [0, 0, 1, None]]
    found = facts({"id": "sonneborn_berger", "input": {"results": table}})
    assert found == {"points": [2, 2, 1, 1], "sb": [3, 2, 2, 1], "sonneborn_berger": [3, 2, 2, 1]}


def test_a_bot_that_has_won_everything_has_a_strength_and_a_wide_interval():
    found = bradley_terry(2, [Game(0, 1, 1.0, block) for block in range(10)])
    interval = difference_interval(found, 0, 1)
    assert found.elo == pytest.approx((239.4, -239.4), abs=0.1)
    assert interval
    assert interval.low > 0
    assert interval.high - interval.low > 400


def test_without_a_prior_such_a_bot_has_none():
    with pytest.raises(RatingError, match="without a prior"):
        bradley_terry(2, [Game(0, 1, 1.0, block) for block in range(10)], prior=0)


def test_what_no_game_links_is_not_compared():
    found = bradley_terry(4, [Game(a, a + 1, 1.0, block) for a in (0, 2) for block in (a, a + 1)])
    assert found.islands == (0, 0, 2, 2)
    assert difference_interval(found, 0, 1)
    assert difference_interval(found, 0, 2) is None
    assert difference_p_value(found, 1, 3) is None
    assert field_interval(found, 0) is None


def test_one_block_says_nothing_of_chance():
    found = bradley_terry(2, [Game(0, 1, 1.0, 0), Game(1, 0, 0.5, 0)])
    assert found.blocks == 1
    assert difference_interval(found, 0, 1) is None
    assert difference_p_value(found, 0, 1) is None


def test_a_newcomer_is_known_by_its_own_few_blocks_and_not_by_those_of_the_field():
    field = [Game(0, 1, float(block % 2), block) for block in range(100)]
    newcomer = [Game(2, 0, float(block % 2), block) for block in (100, 101, 102)]
    found = bradley_terry(3, [*field, *newcomer])
    assert (found.blocks, found.met) == (103, (103, 100, 3))
    interval = difference_interval(found, 2, 0)
    assert interval
    v = found.covariance
    error = (v[2][2] + v[0][0] - 2 * v[2][0]) ** 0.5
    assert (interval.high - interval.low) / 2 == pytest.approx(4.3027 * error, rel=1e-4)


def test_a_p_value_is_below_5_percent_exactly_when_the_interval_leaves_0_out():
    for won in range(11):
        games = [Game(0, 1, float(block < won), block) for block in range(10)]
        found = bradley_terry(2, games)
        interval, p = difference_interval(found, 0, 1), difference_p_value(found, 0, 1)
        assert interval
        assert p is not None
        assert (p < 0.05) == (interval.low > 0 or interval.high < 0)


def test_games_of_one_block_that_go_together_widen_the_interval():
    alone = [Game(0, 1, float(no % 2), no) for no in range(40)]
    together = [Game(0, 1, float(no % 2), no % 2 + no // 4 * 2) for no in range(40)]
    widths = [
        interval.high - interval.low
        for games in (alone, together)
        if (interval := difference_interval(bradley_terry(2, games), 0, 1))
    ]
    assert widths[1] > 1.3 * widths[0]


def test_draws_without_a_draw_have_no_parameter():
    elo, nu = davidson(2, [Game(0, 1, 1.0, 0), Game(0, 1, 1.0, 1), Game(0, 1, 0.0, 2)], prior=0)
    assert nu == 0
    assert score_of_elo(elo[0] - elo[1]) == pytest.approx(2 / 3)


def test_nothing_but_draws_needs_a_prior():
    draws = [Game(0, 1, 0.5, block) for block in range(5)]
    elo, nu = davidson(2, draws)
    assert elo == pytest.approx((0, 0))
    assert nu == pytest.approx(6)  # with the ghosts: 6 draws, 2 decided
    with pytest.raises(RatingError):
        davidson(2, draws, prior=0)


def test_placings_of_two_are_games_of_two():
    games = [Game(0, 1, 1.0, 0), Game(1, 2, 1.0, 1), Game(2, 0, 1.0, 2), Game(0, 2, 1.0, 3)]
    placings = [(0, 1), (1, 2), (2, 0), (0, 2)]
    assert plackett_luce(3, placings) == pytest.approx(bradley_terry(3, games).elo)


def test_points_of_full_tables_are_plain_means_with_the_interval_of_differences():
    games = [
        Placed((0, 1), (10.0, 4.0), 0),
        Placed((1, 0), (5.0, 9.0), 1),
        Placed((0, 1), (8.0, 0.0), 2),
    ]
    found = within_games(2, games)
    assert found.points == pytest.approx((3.0, -3.0))
    interval = points_interval(found, 0, 1)
    assert interval
    assert (interval.low, interval.high) == pytest.approx((6 - 4.968, 6 + 4.968), abs=0.001)


def test_points_of_tables_that_never_met_are_not_compared():
    found = within_games(4, [Placed((a, a + 1), (1.0, 0.0), b) for a in (0, 2) for b in (a, a + 1)])
    assert found.points == pytest.approx((0.5, -0.5, 0.5, -0.5))
    assert points_interval(found, 0, 2) is None


def test_fifty_bots_get_the_ratings_that_they_played_with():
    rng = Random(1)
    games = [
        Game(one, other, float(rng.uniform(0, 1) < score_of_elo(10 * (one - other))), block)
        for block in range(5)
        for one in range(50)
        for other in range(50)
        if one != other
    ]
    found = bradley_terry(50, games)
    assert found.elo[49] - found.elo[0] == pytest.approx(490, abs=60)
