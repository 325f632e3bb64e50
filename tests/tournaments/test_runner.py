"""The coordinator with a backend that does as it is told: what is stored, played again, given up."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from tests.tournaments.leagues import league_of
from tournaments.event import Event, Schedule, Task
from tournaments.opening import open_event
from tournaments.runner import UNFINISHED, Ended, Run, log_folder
from tournaments.shapes import Played
from tournaments.store import Store, writing
from tournaments.work import BlockDone, BlockFailed, GameOver, Order, Report, Said

Answer = Callable[[Order, int], Sequence[Report]]


class Scripted:
    """A backend that answers at once; `answer` gets the order and how often it came before."""

    def __init__(self, answer: Answer, slots: int = 1) -> None:
        self.slots = slots
        self.orders: list[Order] = []
        self._answer = answer
        self._tell, self.reports = trio.open_memory_channel[Report](1000)

    async def submit(self, order: Order) -> None:
        before = sum(other.block == order.block for other in self.orders)
        self.orders.append(order)
        for report in self._answer(order, before):
            self._tell.send_nowait(report)


class Notes:
    """A watcher that writes down what it hears."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.heard: list[tuple[str, int]] = []

    def say(self, words: str) -> None:
        self.said.append(words)

    def begun(self, task: Task) -> None:
        self.heard.append(("begun", task.number))

    def over(self, task: Task) -> None:
        self.heard.append(("over", task.number))

    def stored(self, task: Task, games: Sequence[Played]) -> None:
        self.heard.append(("stored", task.number))

    def failed(self, task: Task) -> None:
        self.heard.append(("failed", task.number))

    def left_out(self, task: Task) -> None:
        self.heard.append(("left out", task.number))


def done(order: Order, **more: object) -> BlockDone:
    """Played as it should be, with a log."""
    Path(order.log).write_text("a log")
    a, b = order.bots
    game = Played(
        block=order.block,
        turn=0,
        bots=(a, b),
        scores=(1, 0),
        places=(1, 2),
        reason="out",
        verdicts=("ok", "ok"),
        faults=({}, {}),
    )
    games = (replace(game, **more), replace(game, turn=1, bots=(b, a), **more))
    return BlockDone(block=order.block, games=games, voids=0, seal="ab", sha256="cd", seconds=0.1)


def failed(order: Order) -> BlockFailed:
    Path(order.log).write_text("half a l")
    return BlockFailed(block=order.block, why="no room")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with writing(tmp_path) as store:
        yield store


async def ran(
    store: Store, backend: Scripted, *, stop_after: int = 10**6, keep_logs: str = "all"
) -> tuple[Ended, Notes, Event]:
    """One run of a league of three bots, two deals: six blocks."""
    event, _ = open_event(store, league_of(deals=2, keep_logs=keep_logs), "posix")
    notes = Notes()
    run = Run(
        event,
        Schedule(event),
        store,
        backend,
        notes,
        lambda: len(backend.orders) >= stop_after,
    )
    with trio.fail_after(10):
        return await run.play(), notes, event


async def test_all_blocks_are_handed_out_in_order_and_stored(store):
    backend = Scripted(lambda order, _: [done(order)])
    ended, notes, event = await ran(store, backend)
    assert ended == Ended(stored=6, unplayable=0)
    assert [order.block for order in backend.orders] == [0, 1, 2, 3, 4, 5]
    assert [order.deal_no for order in backend.orders] == [0, 0, 0, 1, 1, 1]
    assert notes.heard[:2] == [("begun", 0), ("stored", 0)]
    assert len(store.keys(1)) == 6
    logs = sorted(path.name for path in log_folder(store.folder, 1).iterdir())
    assert [name[:10] for name in logs] == ["deal-00001"] * 3 + ["deal-00002"] * 3
    assert {block.log for block in store.blocks(1)} == {f"logs/event-1/{name}" for name in logs}
    assert event.number == 1


async def test_a_run_goes_on_where_another_stopped(store):
    first, *_ = await ran(store, Scripted(lambda order, _: [done(order)]), stop_after=2)
    assert first == Ended(stored=2, unplayable=0)
    backend = Scripted(lambda order, _: [done(order)])
    second, *_ = await ran(store, backend)
    assert second == Ended(stored=4, unplayable=0)
    assert [order.block for order in backend.orders] == [2, 3, 4, 5]


async def test_a_deal_does_not_depend_on_where_a_run_began(store, tmp_path):
    whole = Scripted(lambda order, _: [done(order)])
    await ran(store, whole)
    with writing(tmp_path / "other") as other:
        await ran(other, Scripted(lambda order, _: [done(order)]), stop_after=4)
        rest = Scripted(lambda order, _: [done(order)])
        await ran(other, rest)
    last = [replace(order, log="") for order in whole.orders[4:]]
    assert [replace(order, log="") for order in rest.orders] == last


async def test_what_failed_is_played_again_before_anything_later(store):
    backend = Scripted(lambda order, before: [failed(order) if not before else done(order)])
    ended, notes, _ = await ran(store, backend)
    assert ended == Ended(stored=6, unplayable=0)
    assert [order.block for order in backend.orders[:4]] == [0, 0, 1, 1]
    assert notes.said[0] == "deal 1 of b vs c is played again: no room"


async def test_what_always_fails_is_left_out_and_the_rest_is_played(store):
    backend = Scripted(lambda order, _: [failed(order) if order.block == 1 else done(order)])
    ended, notes, _ = await ran(store, backend)
    assert ended == Ended(stored=5, unplayable=1)
    assert notes.said[-1] == "deal 1 of a vs c could not be played: no room"
    assert len(store.unplayable(1)) == 1
    assert ("left out", 1) in notes.heard
    assert not list(log_folder(store.folder, 1).glob(f"{UNFINISHED}*"))


async def test_when_nothing_can_be_played_the_tournament_stops(store):
    ended, _, _ = await ran(store, Scripted(lambda order, _: [failed(order)]))
    assert ended == Ended(stored=0, unplayable=3, broken="no room")


async def test_what_is_said_and_played_reaches_the_watcher(store):
    def answer(order: Order, _: int) -> list[Report]:
        end = done(order)
        return [Said(words="a bot left a process behind"), GameOver(block=order.block), end]

    _, notes, _ = await ran(store, Scripted(answer), stop_after=1)
    assert notes.said == ["a bot left a process behind"]
    assert notes.heard == [("begun", 0), ("over", 0), ("stored", 0)]


async def test_a_bot_that_cannot_be_started_is_not_tried_for_ever(store):
    def answer(order: Order, _: int) -> list[Report]:
        verdicts = ("no_start", "ok") if 0 in order.bots else ("ok", "ok")
        if order.bots[0] != 0:
            verdicts = verdicts[::-1]
        end = done(order)
        by_turn = (
            replace(end.games[0], verdicts=verdicts),
            replace(end.games[1], verdicts=verdicts[::-1]),
        )
        return [replace(end, games=by_turn)]

    backend = Scripted(answer)
    await ran(store, backend)
    missed = [dict(zip(order.bots, order.missed, strict=True)) for order in backend.orders]
    assert [each[0] for each in missed if 0 in each] == [0, 2, 4, 6]
    assert all(times == 0 for each in missed for bot, times in each.items() if bot)


async def test_logs_without_faults_need_not_be_kept(store):
    faulty: tuple[dict[str, int], ...] = ({}, {"illegal": 1})
    backend = Scripted(
        lambda order, _: [done(order, faults=faulty) if order.block == 3 else done(order)]
    )
    await ran(store, backend, keep_logs="faults")
    assert sum(block.log is not None for block in store.blocks(1)) == 1
    assert len(list(log_folder(store.folder, 1).iterdir())) == 1


async def test_what_a_killed_run_left_unfinished_is_removed(store):
    logs = log_folder(store.folder, 1)
    logs.mkdir(parents=True)
    (logs / f"{UNFINISHED}0123").write_text("half a l")
    await ran(store, Scripted(lambda order, _: [done(order)]))
    assert not list(logs.glob(f"{UNFINISHED}*"))


async def test_several_blocks_are_out_at_once(store):
    waiting: list[Order] = []

    def answer(order: Order, _: int) -> list[Report]:
        waiting.append(order)
        if len(waiting) < 3:
            return []
        return [done(waiting.pop()) for _ in range(3)]  # the last one first

    ended, notes, _ = await ran(store, Scripted(answer, slots=3))
    assert ended == Ended(stored=6, unplayable=0)
    assert [number for what, number in notes.heard if what == "stored"] == [2, 1, 0, 5, 4, 3]
