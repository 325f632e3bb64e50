"""Tables from games written by hand."""

import math

import msgspec
import pytest

from protocol.faults import FaultCode
from referee.game import Outcome
from referee.match import Verdict
from referee.results import FaultRecord, GameResult
from tournaments.comparisons import MOST_DEALS
from tournaments.intervals import mean_interval, score_interval
from tournaments.played import played_of_match
from tournaments.shapes import Gap, Meeting, Played, Rating
from tournaments.standings import sentence, standings

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


def of_match(results, names):
    """As `croupier match` makes it: every game counts, lines in the bots' order."""
    played = played_of_match(results)
    table = standings(played, names, seats=len(names), every_game=True)
    rows = sorted(table.rows, key=lambda row: row.bot)
    return rows, sentence(played, rows)


def duel(block, turn, first, second, score):
    """A game of two: `score` is that of the first, 1, 0.5 or 0."""
    places = {1: (1, 2), 0: (2, 1), 0.5: (1, 1)}[score]
    return Played(
        block=block,
        turn=turn,
        bots=(first, second),
        scores=tuple(int(place == 1) for place in places),
        places=places,
        reason="out",
        verdicts=("ok", "ok"),
        faults=({}, {}),
    )


def pair(block, first, second, there, back):
    """A deal in both seats, with the scores of the first bot."""
    return [duel(block, 0, first, second, there), duel(block, 1, second, first, 1 - back)]


def table_game(block, turn, bots, scores):
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    return msgspec.structs.replace(
        duel(block, turn, 0, 1, 1),
        bots=bots,
        scores=scores,
        places=places,
        verdicts=("ok",) * len(bots),
        faults=({},) * len(bots),
    )


def rotations(block, bots, *scores):
    """A deal in all rotations; each line of scores is by bot, in the order of `bots`."""
    of_bots = [dict(zip(bots, line, strict=True)) for line in scores]
    seatings = [bots[turn:] + bots[:turn] for turn in range(len(bots))]
    return [
        table_game(block, turn, seating, tuple(of_bots[turn][bot] for bot in seating))
        for turn, seating in enumerate(seatings)
    ]


def order(table):
    return [row.name for row in table.rows]


def test_two_bots_win_draw_and_lose_and_the_score_is_a_share():
    (first, second), _ = of_match(DUEL, ["ada", "bob"])
    assert (first.games, first.wins, first.draws, first.losses, first.score) == (3, 1, 1, 1, 0.5)
    assert (second.wins, second.draws, second.losses, second.score) == (1, 1, 1, 0.5)


def test_a_match_counts_every_game_but_only_whole_deals_are_blocks():
    (first, _), _ = of_match(DUEL, ["ada", "bob"])
    assert first.interval == score_interval([0.75])


def test_a_void_game_takes_its_deal_out_of_the_blocks():
    void = [DUEL[0], msgspec.structs.replace(DUEL[1], outcome=None)]
    (first, _), _ = of_match(void, ["ada", "bob"])
    assert (first.games, first.interval) == (1, None)


def test_with_more_bots_points_are_averaged():
    rows, _ = of_match(TABLE, ["ada", "bob", "cy"])
    assert [row.score for row in rows] == [50.0, 20.0, 0.0]
    assert [row.wins for row in rows] == [3, 0, 0]
    assert [row.interval for row in rows] == [None] * 3
    assert [row.place for row in rows] == [1.0, pytest.approx(6.5 / 3), pytest.approx(8.5 / 3)]


def test_faults_are_counted_by_kind():
    seen = [
        FaultRecord(seat=1, code=FaultCode.TIMEOUT, why="late"),
        FaultRecord(seat=1, code=FaultCode.ILLEGAL, why=""),
    ]
    results = [msgspec.structs.replace(DUEL[0], faults_seen=seen), DUEL[1]]
    rows, _ = of_match(results, ["ada", "bob"])
    assert [row.faults for row in rows] == [{}, {"illegal": 1, "timeout": 1}]


def test_the_times_of_all_games_are_merged_and_the_slowest_is_exact():
    slow = msgspec.structs.replace(DUEL[1], seconds=((0.01, 0.01, 0.01), ()))
    (first, second), _ = of_match([DUEL[0], slow], ["ada", "bob"])
    assert first.time
    assert first.time == msgspec.structs.replace(first.time, low=2.0, median=2.0, slowest=2.0)
    assert second.time
    assert second.time.median == pytest.approx(10, rel=0.12)
    assert second.time.slowest == 10.0


def test_a_single_game_names_its_winner_and_a_draw_is_called_one():
    assert of_match(DUEL[:1], ["ada", "bob"])[1] == "ada wins (out)."
    assert of_match(DUEL[1:2], ["ada", "bob"])[1] == "Draw (repetition)."


def test_the_best_of_many_is_compared_with_the_second_deal_by_deal():
    twice = [*TABLE, *(msgspec.structs.replace(game, deal_no=1) for game in TABLE)]
    assert of_match(twice, ["ada", "bob", "cy"])[1] == (
        "ada is ahead of bob by 30.0 to 30.0 points a game (95 %)."
    )


def test_only_whole_blocks_before_the_first_broken_one_count():
    whole = [*pair(0, 0, 1, 1, 1), *pair(1, 0, 1, 0.5, 0)]
    waiting = [duel(2, 1, 1, 0, 1), *pair(3, 0, 1, 0, 0), duel(5, 0, 0, 1, 0)]
    table = standings([*waiting, *whole], ["ada", "bob"], seats=2, planned=20)
    assert (table.counted, table.played, table.planned, table.blocks) == (4, 8, 20, 2)
    assert [(row.name, row.wins, row.draws, row.losses) for row in table.rows] == [
        ("ada", 2, 1, 1),
        ("bob", 1, 1, 2),
    ]
    alone = standings(whole, ["ada", "bob"], seats=2, planned=20)
    assert msgspec.structs.replace(table, played=4) == alone


def test_without_the_first_block_nothing_counts():
    table = standings(pair(1, 0, 1, 1, 1), ["ada", "bob"], seats=2)
    assert (table.counted, table.played, table.blocks) == (0, 2, 0)


def test_an_empty_tournament_has_a_table_in_which_nothing_is_known():
    table = standings([], ["ada", "bob", "cy"], seats=2, anchor=0, planned=6)
    assert [(row.ranks, row.score, row.interval, row.rating) for row in table.rows] == [
        ((1, 3), 0.0, None, None)
    ] * 3
    assert table.gaps == [Gap(lead=0.0, interval=None, is_clear=False)] * 2
    assert table.meetings == [[None] * 3] * 3


def test_a_circle_of_equal_scores_is_a_shared_place_in_the_bots_order():
    games = [*pair(0, 0, 1, 1, 0.5), *pair(1, 1, 2, 1, 0.5), *pair(2, 2, 0, 1, 0.5)]
    table = standings(games, ["cy", "ada", "bob"], seats=2)
    assert [row.score for row in table.rows] == [0.5] * 3
    assert order(table) == ["cy", "ada", "bob"]
    assert [gap.lead for gap in table.gaps] == [0.0, 0.0]


def test_the_winner_of_the_direct_meeting_is_first_among_two_with_equal_scores():
    games = [*pair(0, 0, 1, 0, 0.5), *pair(1, 0, 2, 1, 1), *pair(2, 1, 2, 1, 0)]
    table = standings(games, ["ada", "bob", "cy"], seats=2)
    assert [(row.name, row.score) for row in table.rows] == [
        ("bob", 0.625),
        ("ada", 0.625),
        ("cy", 0.25),
    ]


def test_then_wins_over_strong_bots_count_more():
    # bob and ada drew with each other; bob has his points from the weak dan, ada more of hers from cy.
    games = [
        *pair(0, 0, 1, 0.5, 0.5),
        *pair(1, 0, 2, 0.5, 0),
        *pair(2, 0, 3, 1, 0.5),
        *pair(3, 1, 2, 1, 0),
        *pair(4, 1, 3, 0.5, 0.5),
        *pair(5, 2, 3, 1, 1),
    ]
    table = standings(games, ["bob", "ada", "cy", "dan"], seats=2)
    assert [(row.name, row.score) for row in table.rows] == [
        ("cy", 0.75),
        ("ada", 0.5),
        ("bob", 0.5),
        ("dan", 0.25),
    ]


def test_then_the_share_of_games_won():
    games = [*pair(0, 0, 1, 0.5, 0.5), *pair(1, 0, 2, 0.5, 0.5), *pair(2, 1, 2, 1, 0)]
    table = standings(games, ["bob", "ada", "cy"], seats=2)
    assert [(row.score, row.wins) for row in table.rows] == [(0.5, 1), (0.5, 1), (0.5, 0)]
    assert order(table) == ["ada", "cy", "bob"]


def test_at_tables_the_games_in_common_part_equal_means():
    games = [
        *rotations(0, (0, 1, 2), (9, 5, 1), (9, 5, 1), (9, 5, 1)),
        *rotations(1, (0, 1, 3), (3, 7, 0), (3, 7, 0), (3, 7, 0)),
        *rotations(2, (0, 2, 3), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
        *rotations(3, (1, 2, 3), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    ]
    games[0] = table_game(0, 0, (0, 1, 2), (12, 5, 1))  # ada is three points ahead of bob there
    games[6] = table_game(2, 0, (0, 2, 3), (-3, 0, 0))  # and has lost them elsewhere
    table = standings(games, ["ada", "bob", "cy", "dan"], seats=3)
    assert table.rows[0].score == table.rows[1].score == 4.0
    assert order(table)[:2] == ["ada", "bob"]
    turned = [
        msgspec.structs.replace(game, bots=tuple({0: 1, 1: 0}.get(bot, bot) for bot in game.bots))
        for game in games
    ]
    assert order(standings(turned, ["ada", "bob", "cy", "dan"], seats=3))[:2] == ["bob", "ada"]


def test_then_the_mean_place_parts_them():
    # The same points, so as many against each other: ada is never last.
    games = rotations(0, (0, 1, 2), (9, 5, 1), (3, 5, 9), (3, 5, 4))
    table = standings(games, ["bob", "ada", "cy"], seats=3)
    assert [(row.name, row.score) for row in table.rows[:2]] == [("ada", 5.0), ("bob", 5.0)]
    assert [row.place for row in table.rows[:2]] == [pytest.approx(5 / 3), pytest.approx(7 / 3)]


def test_a_clear_winner_has_a_rank_of_his_own_and_the_others_share_theirs():
    games = []
    for deal in range(20):
        games += pair(3 * deal, 0, 1, 1, 1)
        games += pair(3 * deal + 1, 0, 2, 1, 1)
        score = ((1, 1), (0, 0), (1, 0), (1, 0.5), (0.5, 0.5))[deal % 5]
        games += pair(3 * deal + 2, 1, 2, *score)
    table = standings(games, ["ada", "bob", "cy"], seats=2)
    assert [(row.name, row.ranks) for row in table.rows] == [
        ("ada", (1, 1)),
        ("bob", (2, 3)),
        ("cy", (2, 3)),
    ]
    first, second = table.gaps
    assert (first.is_clear, first.deals_more) == (True, None)
    assert not second.is_clear
    assert second.lead == pytest.approx(0.05)
    assert second.interval
    assert second.interval.low < second.lead < second.interval.high
    assert second.deals_more


def test_as_many_more_deals_as_foretold_make_the_gap_clear_when_the_lead_stays():
    def leading(deals):
        """Of five deals three are drawn, one and a half are won."""
        games = []
        for deal in range(deals):
            games += pair(
                deal, 0, 1, (0.5, 1, 0.5, 1, 0)[deal % 5], (0.5, 1, 0.5, 0.5, 0.5)[deal % 5]
            )
        return standings(games, ["ada", "bob"], seats=2).gaps[0]

    now = leading(10)
    assert now.deals_more
    assert not leading(10 + now.deals_more // 2).is_clear
    assert leading(10 + 2 * now.deals_more).is_clear


def test_a_lead_of_next_to_nothing_does_not_promise_a_number_beyond_the_cap():
    games = [*pair(0, 0, 1, 1, 1), *pair(1, 0, 1, 0, 0)] * 100
    games = [msgspec.structs.replace(game, block=number // 2) for number, game in enumerate(games)]
    assert standings(games, ["ada", "bob"], seats=2).gaps[0].deals_more is None
    games = [*games, *pair(200, 0, 1, 1, 0.5)]
    assert standings(games, ["ada", "bob"], seats=2).gaps[0].deals_more == MOST_DEALS


def test_ten_to_nothing_is_clear_and_has_a_finite_rating():
    games = [game for block in range(5) for game in pair(block, 0, 1, 1, 1)]
    table = standings(games, ["ada", "bob"], seats=2, anchor=1)
    ada, bob = table.rows
    assert (ada.ranks, bob.ranks) == ((1, 1), (2, 2))
    assert bob.rating == Rating(1500, None, is_anchor=True)
    assert ada.rating
    assert ada.rating.interval
    assert 1500 < ada.rating.interval.low < ada.rating.elo < ada.rating.interval.high < math.inf


def test_without_an_anchor_the_mean_of_those_that_have_played_is_1500():
    games = [game for block in range(5) for game in pair(block, 0, 1, 1, 0.5)]
    table = standings(games, ["ada", "bob", "cy"], seats=2)
    ada, bob, cy = (row.rating for row in table.rows)
    assert ada
    assert bob
    assert ada.elo + bob.elo == pytest.approx(3000)
    assert ada.interval
    assert cy is None
    assert table.rows[2].ranks == (1, 3)


def test_all_drawn_is_equal_and_nothing_more_would_tell():
    games = [game for block in range(6) for game in pair(block, 0, 1, 0.5, 0.5)]
    table = standings(games, ["ada", "bob"], seats=2)
    assert [row.ranks for row in table.rows] == [(1, 2)] * 2
    (gap,) = table.gaps
    assert (gap.lead, gap.is_clear, gap.deals_more) == (0.0, False, None)
    assert [row.rating.elo for row in table.rows if row.rating] == [1500, 1500]


def test_bots_that_no_game_links_are_not_compared():
    games = [
        game
        for deal in range(6)
        for game in (*pair(2 * deal, 0, 1, 1, 1), *pair(2 * deal + 1, 2, 3, 1, 1))
    ]
    names = ["ada", "bob", "cy", "dan"]
    table = standings(games, names, seats=2)
    assert {row.name: row.ranks for row in table.rows} == {
        "ada": (1, 3),
        "cy": (1, 3),
        "bob": (2, 4),
        "dan": (2, 4),
    }
    assert [row.rating for row in table.rows] == [None] * 4
    fixed = {row.name: row.rating for row in standings(games, names, seats=2, anchor=1).rows}
    assert [name for name, rating in fixed.items() if rating] == ["ada", "bob"]


def test_an_anchor_that_has_not_played_leaves_ratings_unknown():
    table = standings(pair(0, 0, 1, 1, 1), ["ada", "bob", "cy"], seats=2, anchor=2)
    assert [row.rating for row in table.rows] == [None] * 3


def test_at_one_table_the_gap_is_the_t_test_of_the_textbook():
    leads = (30, 45, 12, 60)
    games = [
        game
        for block, lead in enumerate(leads)
        for game in rotations(block, (0, 1, 2), *[(100 + lead, 100, 10 * block)] * 3)
    ]
    table = standings(games, ["ada", "bob", "cy"], seats=3)
    expected = mean_interval(leads)
    assert expected
    gap = table.gaps[0]
    assert gap.interval
    assert gap.lead == pytest.approx(36.75)
    assert (gap.interval.low, gap.interval.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(("deals", "ranks"), [(2, (1, 3)), (7, (1, 1))])
def test_blocks_that_are_all_alike_are_believed_as_tosses_of_a_coin_would_be(deals, ranks):
    games = [
        game for block in range(deals) for game in rotations(block, (0, 1, 2), *[(20, 10, -99)] * 3)
    ]
    table = standings(games, ["ada", "bob", "cy"], seats=3)
    assert table.rows[0].ranks == ranks


def test_tables_that_share_deals_have_as_many_units_of_chance_as_deals():
    games: list[Played] = []
    deals: list[int] = []
    for deal in range(4):
        for first, second in ((0, 1), (0, 2), (1, 2)):
            games += pair(len(deals), first, second, 1, deal % 2 / 2)
            deals.append(deal)
    own = standings(games, ["ada", "bob", "cy"], seats=2)
    shared = standings(games, ["ada", "bob", "cy"], seats=2, deals=deals)
    groups = [0, 1] * 4  # what differs between opponents is no chance
    assert own.rows[0].interval == score_interval([0.5, 0.5, 0.75, 0.75] * 2, groups)
    assert shared.rows[0].interval == score_interval([0.5, 0.75, 0.5, 0.75])
    assert own.rows[0].score == shared.rows[0].score


def test_a_meeting_counts_both_ways_round():
    games = [*pair(0, 0, 1, 1, 0.5), *pair(1, 0, 2, 1, 1)]
    table = standings(games, ["ada", "bob", "cy"], seats=2)
    assert order(table) == ["ada", "bob", "cy"]
    interval = score_interval([0.75])
    assert table.meetings[0][1] == Meeting(
        games=2, wins=1, draws=1, losses=0, score=0.75, interval=interval
    )
    assert table.meetings[1][0] == Meeting(
        games=2, wins=0, draws=1, losses=1, score=0.25, interval=interval
    )
    assert table.meetings[1][2] is None


def test_at_tables_a_meeting_has_the_mean_difference_of_points():
    table = standings(
        rotations(0, (0, 1, 2), (9, 5, 1), (0, 5, 5), (6, 3, 1)), list("abc"), seats=3
    )
    assert order(table) == ["a", "b", "c"]
    assert table.meetings[0][1] == Meeting(
        games=3,
        wins=2,
        draws=0,
        losses=1,
        score=2 / 3,
        interval=score_interval([2 / 3]),
        difference=2 / 3,
    )
    met = table.meetings[1][2]
    assert met
    assert (met.wins, met.draws, met.losses, met.score) == (2, 1, 0, 2.5 / 3)


def test_versions_and_the_bench_are_those_of_the_bot_wherever_its_line_is():
    games = pair(0, 0, 1, 0, 0)
    table = standings(games, ["ada", "bob"], seats=2, versions=["1.0", None], benched=[0])
    assert [(row.name, row.version, row.is_benched) for row in table.rows] == [
        ("bob", None, False),
        ("ada", "1.0", True),
    ]
