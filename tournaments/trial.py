"""Games on trial, to tell how long a tournament will take. Nothing of them is kept."""

import secrets
from typing import Final

import msgspec

from tournaments.backend import local
from tournaments.errors import TrialError
from tournaments.event import Event, Schedule, setting
from tournaments.work import BlockDone, BlockFailed, GameOver, Said

GAMES: Final = 2


class Trial(msgspec.Struct, frozen=True):
    """How long a game took, its bots' start included; and the faults, in words."""

    seconds: float
    faults: tuple[str, ...]


async def tried(event: Event, schedule: Schedule, cpu: int | None) -> Trial:
    """Two games of the first table; raises `TrialError`.

    On a deal that no event has: nobody gets to see beforehand what will be played.
    """
    task, deal = next(schedule.drawn())
    order = msgspec.structs.replace(
        schedule.order(task, deal, {}), games=GAMES, secret=secrets.token_hex(32)
    )
    async with local([setting(event, (), cpu)]) as backend:
        await backend.submit(order)
        while True:
            match await backend.reports.receive():
                case BlockDone(games=games, seconds=seconds):
                    faults = (
                        f"{event.names[played.bots[each.seat]]}: {each.code}, {each.why}"
                        for played in games
                        for each in played.forfeits
                    )
                    return Trial(seconds / GAMES, tuple(dict.fromkeys(faults)))
                case BlockFailed(why=why):
                    raise TrialError(f"the games on trial could not be played: {why}")
                case GameOver() | Said():
                    pass
