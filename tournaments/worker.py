"""A program that plays deal blocks: tasks on its standard input, reports on its standard output.

`python -m tournaments.worker`. It is one process for a whole tournament, with a session of its own, so
that Ctrl-C reaches only the tournament; pinned to one processor with all its bots, if told so. It ends with its
input, within a second, whatever it does: its guard ends its bots.
"""

import os
import signal
import time
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import trio

from referee.channels.isolation import LAYERS
from referee.channels.runaways import guarded
from referee.channels.sweep import adopt_orphans
from referee.games import GAMES
from referee.logbook import Logbook, LogFileError
from referee.results import GameResult
from referee.series import Plan, SeriesError, play_series
from tournaments.played import played_of
from tournaments.shapes import Played
from tournaments.work import (
    BlockDone,
    BlockFailed,
    GameOver,
    Order,
    Report,
    Said,
    Setting,
    line_of,
    read_task,
)

_END_SECONDS: Final = 0.7  # after the end of the input; then the guard does the rest
_READ_BYTES: Final = 65536


def main() -> None:
    """Works until the input ends."""
    adopt_orphans()
    with guarded():
        trio.run(_work)


async def _work() -> None:
    send, tasks = trio.open_memory_channel[Setting | Order](1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_listen, send, nursery.cancel_scope)
        setting = await tasks.receive()
        assert isinstance(setting, Setting)
        if setting.cpu is not None:
            os.sched_setaffinity(0, {setting.cpu})
        async for order in tasks:
            assert isinstance(order, Order)
            _tell(await _played(setting, order))


async def _listen(
    tasks: trio.MemorySendChannel[Setting | Order], working: trio.CancelScope
) -> None:
    """Hands on what comes in; the end of the input ends everything."""
    rest = b""
    async with trio.lowlevel.FdStream(os.dup(0)) as stream:
        while data := await stream.receive_some(_READ_BYTES):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                await tasks.send(read_task(line))
    signal.setitimer(signal.ITIMER_REAL, _END_SECONDS)  # SIGALRM kills
    working.cancel()


def _tell(report: Report) -> None:
    rest = memoryview(line_of(report))
    while rest:
        rest = rest[os.write(1, rest) :]


async def _played(setting: Setting, order: Order) -> BlockDone | BlockFailed:
    """Plays a block; whatever no bot is to blame for is a failure of the block."""
    began = time.monotonic()
    path = Path(order.log) if order.log else None
    counted: list[Played] = []
    voids = 0
    why = ""

    def heard(result: GameResult) -> None:
        nonlocal voids
        if not result.outcome:
            voids += 1
            return
        counted.append(played_of(result, order.block, len(counted), order.bots))
        _tell(GameOver(block=order.block))

    try:
        logbook = Logbook(path)
    except LogFileError as exc:
        return BlockFailed(block=order.block, why=str(exc))
    try:
        await play_series(_plan(setting, order), logbook, heard, on_trouble=_say)
    except* (SeriesError, LogFileError) as group:
        why = str(_first(group))
    if why:
        return BlockFailed(block=order.block, why=why)
    return BlockDone(
        block=order.block,
        games=tuple(counted),
        voids=voids,
        seal=logbook.seal,
        sha256=sha256(path.read_bytes()).hexdigest() if path else "",
        seconds=time.monotonic() - began,
    )


def _say(words: str) -> None:
    _tell(Said(words=words))


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


def _plan(setting: Setting, order: Order) -> Plan:
    game = GAMES[setting.game]
    layer = LAYERS[setting.layer].hiding([Path(path) for path in setting.hidden])
    return Plan(
        game=game,
        options=msgspec.json.decode(setting.options, type=game.options_type),
        bots=[setting.bots[bot] for bot in order.bots],
        games=len(order.bots) if order.games is None else order.games,
        secret=order.secret,
        seed=setting.seed,
        start_ms=setting.start_ms,
        clock=setting.clock,
        conduct=setting.conduct,
        restart=setting.restart,
        layer=layer,
        budget=setting.budget,
        ponder=setting.ponder,
        deals=[msgspec.json.decode(order.deal, type=game.deal_type)],
        first_deal=order.deal_no,
        missed=order.missed,
        keeps_secret=True,
    )


if __name__ == "__main__":
    main()
