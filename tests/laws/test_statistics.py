"""Laws of statistics: what holds for any results at all."""

import math
from itertools import product

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.laws.strategies import fewer
from tournaments.evalues import (
    asymptotic_radius,
    bet,
    betting_interval,
    log_e_of_pairs,
    log_e_value,
    no_bets,
)
from tournaments.intervals import (
    chance_of_superiority,
    holm,
    mean_interval,
    score_interval,
)
from tournaments.pentanomial import (
    approximate_ratio,
    effect_ratio,
    effect_size,
    logistic_ratio,
    normalised_ratio,
    summary,
)
from tournaments.rankings import Placed, davidson, plackett_luce, points_interval, within_games
from tournaments.ratings import (
    Game,
    bradley_terry,
    difference_interval,
    difference_p_value,
    field_interval,
    score_of_elo,
)
from tournaments.sequential import Comparison, InOrder, Plan, Verdict

BOTS = 5
SCORES = st.sampled_from((0.0, 0.5, 1.0))
PAIR_SCORES = st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0))
POINTS = st.floats(-1e4, 1e4)
COUNTS = st.lists(st.integers(0, 100), min_size=5, max_size=5)
SMALL_ELO = st.floats(-100, 100)


@st.composite
def games(draw, bots=BOTS, max_size=40):
    """Any games of these bots, some pairs of them never met, some bots not at all."""
    pairs = st.tuples(st.integers(0, bots - 1), st.integers(0, bots - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    one_game = st.builds(
        lambda pair, score, block: Game(pair[0], pair[1], score, block),
        pairs,
        SCORES,
        st.integers(0, 6),
    )
    return draw(st.lists(one_game, max_size=max_size))


@st.composite
def tables(draw):
    seats = draw(st.integers(2, 4))
    one_table = st.permutations(range(BOTS)).map(lambda bots: tuple(bots[:seats]))
    points = st.tuples(*[POINTS] * seats)
    return draw(st.lists(st.builds(Placed, one_table, points, st.integers(0, 6)), max_size=20))


def is_finite(value):
    """Every number in it is one: neither infinite nor "not a number"; None says that there is none."""
    match value:
        case float():
            return math.isfinite(value)
        case list() | tuple():
            return all(map(is_finite, value))
        case dict():
            return all(map(is_finite, value.values()))
        case msgspec.Struct():
            return is_finite(msgspec.structs.asdict(value))
        case _:
            return True


@fewer
@given(games())
def test_ratings_are_finite_or_none_whatever_was_played(played):
    found = bradley_terry(BOTS, played)
    assert is_finite(found)
    assert sum(found.elo) == pytest.approx(0, abs=1e-6)
    assert is_finite([field_interval(found, bot) for bot in range(BOTS)])
    for one, other in product(range(BOTS), repeat=2):
        interval = difference_interval(found, one, other)
        p = difference_p_value(found, one, other)
        assert is_finite(interval)
        assert (interval is None) == (p is None)
        assert p is None or 0 <= p <= 1


@fewer
@given(games(), st.permutations(range(BOTS)))
def test_other_numbers_for_the_bots_change_nothing_else(played, numbers):
    renamed = [
        Game(numbers[game.first], numbers[game.second], game.score, game.block) for game in played
    ]
    before, after = bradley_terry(BOTS, played), bradley_terry(BOTS, renamed)
    assert [after.elo[numbers[bot]] for bot in range(BOTS)] == pytest.approx(
        list(before.elo), abs=1e-6
    )
    for one, other in product(range(BOTS), repeat=2):
        assert after.covariance[numbers[one]][numbers[other]] == pytest.approx(
            before.covariance[one][other], abs=1e-3
        )


@fewer
@given(games(), st.randoms(use_true_random=False))
def test_the_order_of_games_and_who_is_named_first_do_not_matter(played, rng):
    mixed = [
        Game(game.second, game.first, 1 - game.score, game.block) if rng.getrandbits(1) else game
        for game in played
    ]
    rng.shuffle(mixed)
    before, after = bradley_terry(BOTS, played), bradley_terry(BOTS, mixed)
    assert after.elo == pytest.approx(before.elo, abs=1e-6)
    assert after.blocks == before.blocks
    assert after.met == before.met
    assert [list(row) for row in after.covariance] == [
        pytest.approx(list(row), abs=1e-3) for row in before.covariance
    ]


@fewer
@given(games())
def test_other_results_for_all_turn_the_table_around(played):
    turned = [Game(game.first, game.second, 1 - game.score, game.block) for game in played]
    assert bradley_terry(BOTS, turned).elo == pytest.approx(
        [-elo for elo in bradley_terry(BOTS, played).elo], abs=1e-6
    )


@fewer
@given(games(bots=3, max_size=8))
def test_no_other_strengths_are_likelier(played):
    found = bradley_terry(3, played)
    # Centred strengths tell nothing of the ghost: where the mean must lie beside it, the search goes along it.
    best = max(_likelihood(played, _shifted(found.elo, mean)) for mean in _steps(60, 1))
    for by in product((-20.0, 0.0, 20.0), repeat=3):
        other = [elo + each for elo, each in zip(found.elo, by, strict=True)]
        assert max(_likelihood(played, _shifted(other, m)) for m in _steps(60, 4)) <= best + 1e-4


def _steps(reach, step):
    return range(-reach, reach + 1, step)


def _shifted(elo, by):
    return [each + by for each in elo]


def _likelihood(played, elo):
    """The logarithm of how likely the games are, with one game won and one lost against the ghost."""
    ghosts = [math.log(score_of_elo(each) * score_of_elo(-each)) for each in elo]
    return math.fsum(ghosts) + math.fsum(
        game.score * math.log(score_of_elo(elo[game.first] - elo[game.second]))
        + (1 - game.score) * math.log(score_of_elo(elo[game.second] - elo[game.first]))
        for game in played
    )


@fewer
@given(st.integers(1, 2000), st.integers(2, 6))
def test_a_bot_that_wins_everything_is_on_top_and_finite(wins, bots):
    played = [Game(0, other, 1.0, block) for other in range(1, bots) for block in range(wins)]
    found = bradley_terry(bots, played)
    assert is_finite(found)
    assert all(found.elo[0] > elo for elo in found.elo[1:])


@fewer
@given(games())
def test_draws_as_a_result_of_their_own_are_finite_too(played):
    elo, nu = davidson(BOTS, played)
    assert is_finite(elo)
    assert math.isfinite(nu)
    assert nu > 0


@fewer
@given(st.lists(st.permutations(range(BOTS)), max_size=12), st.permutations(range(BOTS)))
def test_placings_have_strengths_that_other_numbers_permute(placings, numbers):
    renamed = [[numbers[bot] for bot in placing] for placing in placings]
    before, after = plackett_luce(BOTS, placings), plackett_luce(BOTS, renamed)
    assert is_finite(before)
    assert [after[numbers[bot]] for bot in range(BOTS)] == pytest.approx(before, abs=1e-6)


@fewer
@given(tables())
def test_game_points_within_games_are_finite_and_ignore_what_all_of_a_game_get(played):
    found = within_games(BOTS, played)
    assert is_finite(found)
    assert is_finite([points_interval(found, 0, other) for other in range(1, BOTS)])
    raised = [
        Placed(game.bots, tuple(score + 100 * no for score in game.scores), game.block)
        for no, game in enumerate(played)
    ]
    assert within_games(BOTS, raised).points == pytest.approx(found.points, abs=1e-5)


@fewer
@given(st.lists(PAIR_SCORES, max_size=30), st.data())
def test_intervals_of_scores_hold_the_mean_and_stay_between_0_and_1(scores, data):
    groups = data.draw(
        st.none() | st.lists(st.integers(0, 3), min_size=len(scores), max_size=len(scores))
    )
    interval = score_interval(scores, groups)
    if not scores:
        assert interval is None
        return
    assert interval is not None
    mean = math.fsum(scores) / len(scores)
    assert 0 <= interval.low <= mean + 1e-12
    assert mean - 1e-12 <= interval.high <= 1
    assert interval.low < interval.high
    assert 0 <= chance_of_superiority(scores) <= 1


@fewer
@given(st.lists(PAIR_SCORES, min_size=1, max_size=30))
def test_the_other_bot_has_the_other_interval(scores):
    mine, theirs = score_interval(scores), score_interval([1 - score for score in scores])
    assert mine is not None
    assert theirs is not None
    assert (theirs.low, theirs.high) == pytest.approx((1 - mine.high, 1 - mine.low))
    assert chance_of_superiority([1 - score for score in scores]) == pytest.approx(
        1 - chance_of_superiority(scores)
    )


@fewer
@given(st.lists(POINTS, max_size=20))
def test_intervals_of_points_are_finite_or_none(points):
    interval = mean_interval(points)
    assert is_finite(interval)
    assert (interval is None) == (len(points) < 2)


@fewer
@given(st.lists(st.floats(0, 1), max_size=12), st.data())
def test_holm_keeps_the_order_and_never_lowers(p_values, data):
    adjusted = holm(p_values)
    assert all(p <= after <= 1 for p, after in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[place] for place in order] == sorted(adjusted)
    if p_values:
        place = data.draw(st.integers(0, len(p_values) - 1))
        higher = [*p_values]
        higher[place] = data.draw(st.floats(p_values[place], 1))
        assert all(
            after >= before - 1e-12 for before, after in zip(adjusted, holm(higher), strict=True)
        )


@fewer
@given(COUNTS, SMALL_ELO, SMALL_ELO)
def test_summaries_and_ratios_of_pairs_are_finite_or_none(counts, one, other):
    found = summary(counts)
    assert is_finite(found)
    assert (found is None) == (sum(counts) == 0)
    low, high = sorted((one, other))
    for ratio in (normalised_ratio, logistic_ratio, approximate_ratio):
        value = ratio(counts, low, high)
        assert math.isfinite(value)
        assert ratio(counts[::-1], -high, -low) == pytest.approx(-value, abs=1e-6)


@fewer
@given(st.lists(POINTS, max_size=20), st.floats(-0.5, 0.5))
def test_the_ratio_of_effects_is_finite(leads, effect):
    assert math.isfinite(effect_ratio(len(leads), effect_size(leads), 0, effect))


@fewer
@given(st.lists(st.floats(0, 1), min_size=5, max_size=5), st.lists(PAIR_SCORES, max_size=8))
def test_where_one_half_is_true_the_e_value_is_expected_to_stay_what_it_is(weights, before):
    """A martingale: over all outcomes of the next pair, weighted with their chances, the mean is the value now."""
    assume(sum(weights) > 0.01)
    chances = [a + b for a, b in zip(weights, weights[::-1], strict=True)]
    chances = [chance / sum(chances) for chance in chances]  # symmetric: the mean score is one half
    wealth = no_bets()
    for score in before:
        wealth = bet(wealth, 2 * score - 1)
    after = [math.exp(log_e_value(bet(wealth, place / 2 - 1))) for place in range(5)]
    expected = math.fsum(chance * value for chance, value in zip(chances, after, strict=True))
    assert expected == pytest.approx(math.exp(log_e_value(wealth)), rel=1e-9)


@fewer
@given(st.floats(0.05, 0.95), st.integers(1, 6))
def test_the_mean_of_the_e_value_over_all_matches_is_one(split, pairs):
    """The same from the start, exactly, over every sequence of pairs won, split and lost."""
    chances = {0: (1 - split) / 2, 2: split, 4: (1 - split) / 2}
    total = 0.0
    for match in product(chances, repeat=pairs):
        chance = math.prod(chances[place] for place in match)
        total += chance * math.exp(log_e_of_pairs([match.count(place) for place in range(5)]))
    assert total == pytest.approx(1, rel=1e-9)


@fewer
@given(COUNTS)
def test_a_confidence_sequence_holds_the_mean_of_what_was_seen(counts):
    outcomes = [(place / 4, count) for place, count in enumerate(counts)]
    interval = betting_interval(outcomes)
    assert 0 <= interval.low <= interval.high <= 1
    if sum(counts):
        mean = math.fsum(value * count for value, count in outcomes) / sum(counts)
        assert interval.low <= mean + 1e-9
        assert mean - 1e-9 <= interval.high


@fewer
@given(st.floats(0, 1e4), st.integers(1, 10**6))
def test_an_asymptotic_sequence_is_finite(deviation, blocks):
    assert math.isfinite(asymptotic_radius(deviation, blocks))


@fewer
@given(st.lists(PAIR_SCORES, max_size=60))
def test_the_other_bot_gets_the_other_verdict(scores):
    mine, theirs = _compared(scores), _compared([1 - score for score in scores])
    turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    assert theirs.verdict is turned.get(mine.verdict, mine.verdict)
    assert theirs.blocks == mine.blocks
    assert theirs.log_e_better == pytest.approx(mine.log_e_worse)


@fewer
@given(st.lists(PAIR_SCORES, max_size=60))
def test_step_by_step_is_the_same_as_from_counts(scores):
    found = _compared(scores)
    seen = [found.results.count(place / 4) for place in range(5)]
    assert found.log_e_better == pytest.approx(log_e_of_pairs(seen), abs=1e-9)


@fewer
@given(st.lists(POINTS, max_size=40), st.floats(0.1, 1e3), st.none() | st.just((0.0, 40.0)))
def test_a_comparison_of_leads_is_finite_and_says_the_same_after_its_verdict(leads, bound, sprt):
    found = _compared(leads, Plan(bound=bound, sprt=sprt, cap=30))
    assert is_finite([found.mean, found.log_e_better, found.log_e_worse, found.ratio])
    assert is_finite(found.interval())
    assert (found.verdict is Verdict.UNDECIDED) == (found.blocks == len(leads) < 30)


@fewer
@given(st.lists(PAIR_SCORES, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_in_which_blocks_finish_never_changes_a_verdict(scores, rng):
    numbers = list(range(len(scores)))
    rng.shuffle(numbers)
    line, found = InOrder[float](), Comparison()
    for number in numbers:
        for score in line.take(number, scores[number]):
            found = found.after(score)
    assert found == _compared(scores)


@fewer
@given(st.permutations(range(8)), st.integers(0, 8))
def test_what_has_left_is_always_the_beginning_of_the_schedule(numbers, finished):
    line: InOrder[int] = InOrder()
    left = [item for number in numbers[:finished] for item in line.take(number, number)]
    missing = set(range(8)) - set(numbers[:finished])
    assert left == list(range(min(missing, default=8)))
    assert sorted([*left, *line.waiting]) == sorted(numbers[:finished])


def _compared(results, plan=None):
    found = Comparison(plan=plan or Plan())
    for result in results:
        found = found.after(result)
    return found
