"""A bot that keeps within its time is never timed out, whatever others do beside it."""

from itertools import count

import pytest
import trio

from referee.clock import Clock
from referee.logbook import Logbook
from referee.results import GameResult
from referee.series import play_series
from tests.processes.playing import naughty, plan_of

TURNS = 10_000
MOVE_MS = 50
SECONDS = 1200
AT_ONCE = 4  # matches of honest bots, which sleep most of the time
GAMES = 10  # of a match
STEADY = f"--sleep {0.6 * MOVE_MS} --pick random"
FLOODERS = (naughty("--stderr 2000000", "noise"), naughty("--flood-on 2", "flood"))


async def play_steadily(turns: int, first_seed: int) -> list[GameResult]:
    """Matches between two bots that use 60 % of their time, until there were so many turns."""
    results: list[GameResult] = []
    bots = naughty(STEADY, "ada"), naughty(STEADY, "bob")
    for seed in count(first_seed):
        plan = plan_of(*bots, games=GAMES, seed=seed, clock=Clock(move_ms=MOVE_MS))
        results += await play_series(plan, Logbook(None), lambda _: None)
        if sum(len(result.actions) for result in results) >= turns:
            break
    return results


async def flood() -> None:
    """Two flooding bots play each other until they are stopped."""
    for seed in count():
        plan = plan_of(*FLOODERS, games=GAMES, seed=seed)
        await play_series(plan, Logbook(None), lambda _: None)


async def play_beside_flooders(turns: int) -> list[GameResult]:
    found: list[GameResult] = []

    async def play(first_seed: int) -> None:
        found.extend(await play_steadily(turns // AT_ONCE, first_seed))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(flood)
        async with trio.open_nursery() as honest:
            for number in range(AT_ONCE):
                honest.start_soon(play, number * turns)
        nursery.cancel_scope.cancel()
    return found


@pytest.mark.slow
@pytest.mark.timeout(SECONDS)
async def test_who_uses_most_of_its_time_is_never_timed_out_beside_flooding_bots():
    results = await play_beside_flooders(TURNS)
    assert sum(len(result.actions) for result in results) >= TURNS
    # A void game was played while the machine was too slow: nobody has lost it.
    played = [result for result in results if not result.void]
    assert [result.verdicts for result in played] == [("ok", "ok")] * len(played)
    assert len(played) > 0.9 * len(results)
