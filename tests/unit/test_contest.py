"""Comparisons: whole deals, in the order of the schedule, and an answer in words."""

import pytest

from referee.bots import parse_bots
from referee.games import GAMES
from tournaments.contest import Answering, Contest, league_of, sentence, words_so_far
from tournaments.event import Task
from tournaments.league import tables_of
from tournaments.schedule import block
from tournaments.sequential import Comparison, Plan, Verdict
from tournaments.shapes import Played

R = "builtin:random"


def contest_of(game: str, *field: str, seats: int = 2) -> Contest:
    rules = GAMES[game]
    bots = parse_bots([f"new={R}", f"old={R}", *field])
    return Contest(game=rules, options=rules.options_type(), seats=seats, bots=bots, cap=100)


def task_of(table: tuple[int, ...], deal: int) -> Task:
    return Task(number=0, key="", block=block(table, deal))


def played(bots: tuple[int, ...], scores: tuple[int, ...]) -> Played:
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Played(
        block=0,
        turn=0,
        bots=bots,
        scores=scores,
        places=places,
        reason="",
        verdicts=("ok",) * len(bots),
        faults=({},) * len(bots),
    )


def test_two_play_each_other_and_a_pair_of_games_is_one_result():
    contest = contest_of("cuttle")
    assert contest.bound is None
    assert tables_of(league_of(contest)) == [(0, 1)]
    answering = Answering(contest, Comparison(), tables=1)
    answering.take(task_of((0, 1), 0), [played((0, 1), (21, 3)), played((1, 0), (8, 8))])
    assert list(answering.comparison.results) == [0.75]


def test_with_others_both_play_the_same_deals_and_the_lead_is_the_result():
    contest = contest_of("wizard", R, R, seats=3)
    league = league_of(contest)
    assert tables_of(league) == [(0, 2, 3), (1, 2, 3)]
    assert league.shared_deals
    assert contest.bound == pytest.approx(200 / 15 * 20)
    answering = Answering(contest, Comparison(plan=Plan(bound=contest.bound)), tables=2)
    answering.take(
        task_of((0, 2, 3), 0), [played((0, 2, 3), (90, 0, 0)), played((2, 3, 0), (0, 0, 30))]
    )
    assert not answering.comparison.results
    answering.take(
        task_of((1, 2, 3), 0), [played((1, 2, 3), (10, 0, 0)), played((2, 3, 1), (0, 0, -20))]
    )
    assert list(answering.comparison.results) == [60 - -5]


def test_a_deal_that_is_finished_early_waits_for_those_before_it():
    answering = Answering(contest_of("cuttle"), Comparison(), tables=1)
    won, lost = [played((0, 1), (21, 0))], [played((0, 1), (0, 21))]
    answering.take(task_of((0, 1), 1), won)
    assert not answering.comparison.results
    answering.take(task_of((0, 1), 0), lost)
    assert list(answering.comparison.results) == [0.0, 1.0]


def test_a_deal_that_cannot_be_played_holds_up_nothing():
    answering = Answering(contest_of("cuttle"), Comparison(), tables=1)
    answering.take(task_of((0, 1), 1), [played((0, 1), (21, 0))])
    answering.leave_out(task_of((0, 1), 0))
    assert list(answering.comparison.results) == [1.0]


@pytest.mark.parametrize(
    ("plan", "results", "verdict", "said"),
    [
        (Plan(), (1.0,) * 9, Verdict.BETTER, "new is better than old after 9 deals: "),
        (Plan(), (0.0,) * 9, Verdict.WORSE, "new is worse than old after 9 deals: "),
        (Plan(), (), Verdict.UNDECIDED, "No deal was finished: nothing is known."),
        (Plan(), (0.5,), Verdict.UNDECIDED, "Not decided after 1 deal: "),
        (
            Plan(cap=2),
            (0.5, 0.5),
            Verdict.CAP,
            "After 2 deals the games cannot tell new from old: ",
        ),
        (
            Plan(sprt=(0, 60)),
            (0.25, 0.75, 0.5, 0.25) * 30,
            Verdict.NO_GAIN,
            "new does not gain 60 Elo on old after ",
        ),
    ],
)
def test_the_answer_is_a_sentence(plan, results, verdict, said):
    comparison = Comparison(plan=plan)
    for result in results:
        comparison = comparison.after(result)
    assert comparison.verdict is verdict
    assert sentence(contest_of("cuttle"), comparison).startswith(said)


@pytest.mark.parametrize(
    ("contest", "plan", "result", "words"),
    [
        (
            contest_of("cuttle"),
            Plan(),
            1.0,
            "1 deal · new scores 100.0 % (0.8 to 100.0) · evidence 1.3 of 40",
        ),
        (
            contest_of("cuttle", R),
            Plan(bound=1.0),
            0.5,
            "1 deal · new scores 50.0 points of 100 more (-98.7 to +99.6) · evidence 1.2 of 40",
        ),
        (
            contest_of("wizard", R, R, seats=3),
            Plan(bound=200.0),
            65.0,
            "1 deal · new wins 65.0 points a game more (-197.8 to +198.9) · evidence 1.1 of 40",
        ),
        (
            contest_of("wizard", R, R, seats=3),
            Plan(bound=200.0),
            -650.0,
            "1 deal · new wins 650.0 points a game less (-200.0 to +196.6, leads cut at 200) · ",
        ),
    ],
)
def test_how_it_stands_is_said_at_any_time(contest, plan, result, words):
    assert words_so_far(contest, Comparison(plan=plan).after(result)).startswith(words)
