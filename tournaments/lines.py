"""One bot's line of the table, from its games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum
from typing import TypeVar

import msgspec

from tournaments.counting import Seats, Units, mean, place, points, win_share, worth
from tournaments.intervals import Interval, mean_interval, score_interval
from tournaments.shapes import Rating, Standing, TimeUse
from tournaments.times import merged, time_use

T = TypeVar("T")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What a line has that is not from the bot's own games."""

    bot: int
    name: str
    version: str | None
    is_benched: bool
    ranks: tuple[int, int]
    rating: Rating | None


def line(entry: Entry, mine: Seats, units: Units, seats: int) -> Standing:
    """`mine` are the bot's games and seats, `units` those of chance."""
    ends = [points(*each) for each in mine]
    cpu = list(_known(mine, [game.cpu_ms for game, _ in mine]))
    return Standing(
        bot=entry.bot,
        name=entry.name,
        version=entry.version,
        ranks=entry.ranks,
        games=len(mine),
        wins=ends.count(1.0),
        draws=ends.count(0.5),
        losses=ends.count(0.0),
        score=mean([worth(*each) for each in mine]) or 0.0,
        interval=_interval(mine, units, seats),
        place=mean([place(*each) for each in mine]),
        win_share=win_share(mine),
        rating=entry.rating,
        tally=_tally(mine),
        faults=_faults(mine),
        is_benched=entry.is_benched,
        time=_time(mine),
        peak_kib=max(_known(mine, [game.peak_kib for game, _ in mine]), default=None),
        cpu_ms=fsum(cpu) / len(cpu) if cpu else None,
    )


def _interval(mine: Seats, units: Units, seats: int) -> Interval | None:
    blocks, groups = units.means((game, worth(game, seat)) for game, seat in mine)
    return score_interval(blocks, groups) if seats == 2 else mean_interval(blocks, groups)


def _known(mine: Seats, values: Sequence[Sequence[T | None]]) -> Iterator[T]:
    """The bot's own of the values that are by seat, where there are any."""
    for (_, seat), of_game in zip(mine, values, strict=True):
        if of_game and (value := of_game[seat]) is not None:
            yield value


def _tally(mine: Seats) -> tuple[int, int]:
    pairs = list(_known(mine, [game.tallies for game, _ in mine]))
    return sum(counted for counted, _ in pairs), sum(of for _, of in pairs)


def _faults(mine: Seats) -> dict[str, int]:
    total: Counter[str] = Counter()
    for game, seat in mine:
        total.update(game.faults[seat])
    return dict(sorted(total.items()))


def _time(mine: Seats) -> TimeUse | None:
    slowest = max(_known(mine, [game.slowest for game, _ in mine]), default=0.0)
    return time_use(merged(_known(mine, [game.times for game, _ in mine])), slowest)
