"""Tables from results written by hand."""

import msgspec

from referee.game import Outcome
from referee.match import Verdict
from referee.results import GameResult
from tournaments.standings import block_scores, sentence, standings

OK: Verdict = "ok"


def result(game, deal_no, bots, scores, places, reason="out"):
    return GameResult(
        game=game,
        deal_no=deal_no,
        bots=bots,
        outcome=Outcome(scores, places, reason),
        verdicts=(OK,) * len(bots),
        actions=(),
        seconds=((0.002,),) * len(bots),
        faults=(0,) * len(bots),
    )


DUEL = [
    result(1, 0, (0, 1), (1, 0), (1, 2)),
    result(2, 0, (1, 0), (0, 0), (1, 1), "repetition"),
    result(3, 1, (0, 1), (0, 1), (2, 1)),
]
TABLE = [
    result(1, 0, (0, 1, 2), (50, 20, -10), (1, 2, 3)),
    result(2, 0, (1, 2, 0), (30, 0, 40), (2, 3, 1)),
    result(3, 0, (2, 0, 1), (10, 60, 10), (2, 1, 2)),
]


def test_two_bots_win_draw_and_lose_and_the_score_is_a_share():
    first, second = standings(DUEL, ["ada", "bob"])
    assert (first.games, first.wins, first.draws, first.losses, first.score) == (3, 1, 1, 1, 0.5)
    assert (second.wins, second.draws, second.losses, second.score) == (1, 1, 1, 0.5)
    assert (first.ms_median, first.ms_max) == (2.0, 2.0)


def test_only_whole_deals_count_as_blocks():
    assert block_scores(DUEL, 0) == [0.75]


def test_a_void_game_takes_its_deal_out_of_the_blocks():
    void = [DUEL[0], msgspec.structs.replace(DUEL[1], outcome=None)]
    assert block_scores(void, 0) == []
    assert standings(void, ["ada", "bob"])[0].games == 1


def test_with_more_bots_points_are_averaged():
    rows = standings(TABLE, ["ada", "bob", "cy"])
    assert [row.score for row in rows] == [50.0, 20.0, 0.0]
    assert [row.wins for row in rows] == [3, 0, 0]
    assert [row.interval for row in rows] == [None] * 3
    assert block_scores(TABLE, 0) == [50.0]


def test_a_single_game_names_its_winner_and_a_draw_is_called_one():
    names = ["ada", "bob"]
    assert sentence(DUEL[:1], standings(DUEL[:1], names)) == "ada wins (out)."
    assert sentence(DUEL[1:2], standings(DUEL[1:2], names)) == "Draw (repetition)."


def test_the_best_of_many_is_compared_with_the_second_deal_by_deal():
    twice = [*TABLE, *(msgspec.structs.replace(game, deal_no=1) for game in TABLE)]
    assert sentence(twice, standings(twice, ["ada", "bob", "cy"])) == (
        "ada is ahead of bob by 30.0 to 30.0 points a game (95 %)."
    )
