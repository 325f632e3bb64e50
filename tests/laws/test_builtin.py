"""Built-in bots: legal in every position, and the thoughtful one wins."""

from random import Random
from typing import Any, Final

import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from referee import chance
from referee.bots import parse_bots
from referee.builtin import choose_greedy
from referee.builtin.question import Question
from referee.clock import Clock
from referee.conduct import Conduct
from referee.games import GAMES
from referee.logbook import Logbook
from referee.results import GameResult
from referee.series import Plan, play_series
from tests.laws.strategies import Played, every_game, games
from tournaments.played import played_of_match
from tournaments.shapes import Standing
from tournaments.standings import standings

DEALS: Final = 200


def question_of(played: Played, state: Any) -> Question:
    """As it comes over the wire."""
    game, seat = played.game, played.game.turn(state)
    assert seat is not None
    view = msgspec.json.decode(msgspec.json.encode(game.view(state, seat)))
    options = msgspec.json.decode(msgspec.json.encode(played.options))
    return Question(game.name, options, seat, game.legal_actions(state), view)


@every_game
@given(data=st.data())
def test_greedy_always_knows_a_legal_action(name, data):
    played = data.draw(games(name))
    for state in played.states:
        if played.game.turn(state) is not None:
            question = question_of(played, state)
            assert choose_greedy(question, Random(0)) in question.legal


def table_of(name: str, opponents: int, deals: int, **options: Any) -> list[Standing]:
    """Greedy against random bots: each deal in all rotations."""
    bots = parse_bots(["builtin:greedy", *["builtin:random"] * opponents])
    game = GAMES[name]
    plan = Plan(
        game=game,
        options=game.options_type(**options),
        bots=bots,
        games=deals * len(bots),
        secret=chance.secret_from_seed(3),
        seed=3,
        start_ms=1000,
        clock=Clock(),
        conduct=Conduct(),
        restart="never",
    )
    results: list[GameResult] = []
    trio.run(play_series, plan, Logbook(None), results.append)
    names = [bot.name for bot in bots]
    table = standings(played_of_match(results), names, seats=len(bots), every_game=True)
    return sorted(table.rows, key=lambda row: row.bot)


DUELS = [
    ("svoyi-koziri", {}),
    ("cuttle", {}),
    ("cuttle", {"ruleset": "cuttle.cards"}),
]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("name", "options"), DUELS)
def test_greedy_beats_random_in_a_duel(name, options):
    greedy, _ = table_of(name, 1, DEALS, **options)
    assert greedy.interval
    assert greedy.interval.low > 0.85


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("opponents", "rule"),
    [(2, "free"), (2, "hook"), (2, "canadian"), (3, "free"), (4, "free"), (5, "free")],
)
def test_greedy_beats_random_in_wizard(opponents, rule):
    greedy, *others = table_of("wizard", opponents, DEALS, bid_rule=rule)
    assert greedy.interval
    assert all(other.interval for other in others)
    assert greedy.interval.low > max(o.interval.high for o in others if o.interval)
    made, of = greedy.tally
    assert made / of > 0.45


@pytest.mark.parametrize(("name", "opponents"), [("svoyi-koziri", 1), ("cuttle", 1), ("wizard", 2)])
def test_greedy_is_ahead_of_random_on_a_few_deals(name, opponents):
    greedy, *others = table_of(name, opponents, 8)
    assert greedy.score > max(other.score for other in others)
