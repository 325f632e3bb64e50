"""Worker processes: blocks in, games out; what dies is replaced, and nothing of it is left."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path

import msgspec
import trio

from referee import chance
from referee.bots import parse_bots
from referee.channels.watch import Budget
from referee.clock import Clock
from referee.conduct import Conduct
from referee.games import GAMES
from tests.processes.acting import bury_orphans, marked
from tests.processes.playing import children, naughty
from tournaments.backend import Backend, local
from tournaments.work import BlockDone, BlockFailed, Order, Report, Setting

GAME = GAMES["svoyi-koziri"]
OPTIONS = GAME.options_type(cards=12)
PATIENCE_S = 30


def setting_of(*bots: str, restart: str = "never") -> Setting:
    return msgspec.convert(
        {
            "game": GAME.name,
            "options": msgspec.Raw(msgspec.json.encode(OPTIONS)),
            "bots": tuple(parse_bots(bots)),
            "start_ms": 5000,
            "clock": Clock(move_ms=1000),
            "conduct": Conduct(),
            "budget": Budget(),
            "ponder": False,
            "restart": restart,
            "layer": "posix",
        },
        Setting,
    )


def orders(count: int, **more: object) -> list[Order]:
    deals = chance.deals(GAME, 2, OPTIONS, "00" * 32)
    order = Order(
        block=0, bots=(0, 1), deal_no=0, deal=msgspec.Raw(b"{}"), secret="11" * 32, missed=(0, 0)
    )
    return [
        msgspec.structs.replace(
            order, block=n, deal_no=n, deal=msgspec.Raw(msgspec.json.encode(deal)), **more
        )
        for n, deal in enumerate(islice(deals, count))
    ]


async def ends_of(backend: Backend, given: list[Order]) -> list[BlockDone | BlockFailed]:
    """How each of the blocks ended, in their order."""
    ends: list[BlockDone | BlockFailed] = []

    async def hand_in() -> None:
        for order in given:
            await backend.submit(order)

    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hand_in)
            while len(ends) < len(given):
                if isinstance(report := await backend.reports.receive(), BlockDone | BlockFailed):
                    ends.append(report)
    return sorted(ends, key=lambda end: end.block)


@asynccontextmanager
async def clean(*settings: Setting) -> AsyncIterator[Backend]:
    """A backend of which nothing is left afterwards."""
    before = children()
    async with local(settings) as backend:
        yield backend
    with trio.move_on_after(2):
        while children() != before:
            bury_orphans()  # this process may have adopted those of a dead worker
            await trio.sleep(0.01)
    assert children() == before


async def worker_with_bots(before: set[int], bots: int) -> int:
    """The pid of the worker that has come, once it has started so many bots."""
    with trio.fail_after(PATIENCE_S):
        while True:
            for worker in children() - before:
                if len(marked(f"{worker}.")) >= bots:
                    return worker
            await trio.sleep(0.01)


async def bots_gone(worker: int) -> None:
    """Within the second that a guard needs at most, and one for the machine."""
    with trio.fail_after(2):
        while marked(f"{worker}."):  # noqa: ASYNC110 (nobody tells us)
            await trio.sleep(0.01)


def essence(end: Report) -> list[tuple[object, ...]]:
    assert isinstance(end, BlockDone)
    return [(game.bots, game.scores, game.places, game.verdicts) for game in end.games]


async def test_two_workers_play_what_one_plays():
    bots = ("builtin:greedy", "builtin:random")
    given = orders(8)
    async with clean(setting_of(*bots)) as backend:
        alone = await ends_of(backend, given)
    async with clean(setting_of(*bots), setting_of(*bots)) as backend:
        together = await ends_of(backend, given)
    assert [essence(end) for end in together] == [essence(end) for end in alone]
    assert [len(essence(end)) for end in alone] == [2] * 8
    assert essence(alone[0])[0][0] == (0, 1)
    assert essence(alone[0])[1][0] == (1, 0)


async def test_a_bot_that_was_missed_three_times_is_not_started_again(tmp_path: Path):
    pids = tmp_path / "pids"
    bot = naughty(f"--pids {pids}")
    async with clean(setting_of(bot, "builtin:random")) as backend:
        (end,) = await ends_of(backend, orders(1, missed=(3, 0)))
    assert isinstance(end, BlockDone)
    assert [game.verdicts for game in end.games] == [("no_start", "ok"), ("ok", "no_start")]
    assert end.games[0].forfeits[0].why == "benched after 3 failed starts"
    assert not pids.exists()


async def test_a_worker_that_dies_fails_its_block_and_the_next_one_is_played():
    async with clean(setting_of("builtin:greedy", naughty("--sleep 200"))) as backend:
        before = children()
        await backend.submit(orders(1)[0])
        worker = await worker_with_bots(before, 1)
        os.kill(worker, signal.SIGKILL)
        end = await backend.reports.receive()
        assert end == BlockFailed(block=0, why="its worker process died: status -9")
        await bots_gone(worker)
        (end,) = await ends_of(backend, orders(1))
        assert [verdicts for *_, verdicts in essence(end)] == [("ok", "ok"), ("ok", "ok")]


async def test_a_running_worker_is_gone_soon_when_nobody_wants_it_any_more():
    async with clean(
        setting_of(naughty("--sleep 500"), naughty("--sleep 500 --ignore-bye"))
    ) as backend:
        before = children()
        await backend.submit(orders(1)[0])
        worker = await worker_with_bots(before, 2)
        began = trio.current_time()
    assert trio.current_time() - began < 2
    await bots_gone(worker)


async def test_a_log_that_cannot_be_written_fails_the_block_in_words(tmp_path: Path):
    async with clean(setting_of("builtin:random", "builtin:random")) as backend:
        (end,) = await ends_of(backend, orders(1, log=str(tmp_path / "nowhere" / "log")))
    assert isinstance(end, BlockFailed)
    assert "No such file or directory" in end.why
