"""An event: a league that is being played. Its blocks with their keys, deals and secrets. Pure.

All that is drawn by lot comes from the event's one secret, by labels that name bots and not their
numbers: a bot that is added later changes nothing of what the others play.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from referee import chance
from referee.channels.isolation import LayerName
from referee.games import GAMES
from tournaments.league import League, tables_of
from tournaments.schedule import Table, block, canonical, game_key
from tournaments.shapes import Block, Played
from tournaments.work import Order, Setting


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A league, and what was settled when it began.

    `id` is in every key and never changes, `number` counts the events of a run folder from 1.
    `program` is the version of Croupier that plays it. The order of the league's bots is that in which
    they came: who is added is the last.
    """

    number: int
    id: str
    league: League
    secret: str
    layer: LayerName
    program: str

    @property
    def names(self) -> list[str]:
        """Of the bots, by number."""
        return [bot.name for bot in self.league.bots]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A block in its place in the schedule; `key` names it in the store."""

    number: int
    key: str
    block: Block


class Schedule:
    """The blocks of an event, deal by deal."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self.tables = tables_of(event.league)

    def __len__(self) -> int:
        return len(self.tables) * self._event.league.deals

    def tasks(self) -> Iterator[Task]:
        """All blocks in the order of the schedule."""
        number = 0
        for deal in range(self._event.league.deals):
            for table in self.tables:
                yield self._task(number, table, deal)
                number += 1

    def drawn(self) -> Iterator[tuple[Task, Any]]:
        """All blocks with their deals. A table's deals are drawn one after the other, none twice."""
        if self._event.league.shared_deals:
            # The tasks of a deal follow each other, so that it need not be kept.
            common = enumerate(self._deals("deals of all tables"))
            number, deal = -1, None
            for task in self.tasks():
                while number < task.block.deal:
                    number, deal = next(common)
                yield task, deal
            return
        streams = {
            table: self._deals(f"deals of {_label(self._event, table)}") for table in self.tables
        }
        for task in self.tasks():
            yield task, next(streams[task.block.table])

    def order(self, task: Task, deal: Any, missed: Mapping[int, int]) -> Order:
        """What a worker is told; `missed`: how often in a row which bot could not be started."""
        bots = task.block.seatings[0]
        return Order(
            block=task.number,
            bots=bots,
            deal_no=task.block.deal,
            deal=msgspec.Raw(msgspec.json.encode(deal)),
            secret=block_secret(self._event, task.block),
            missed=tuple(missed.get(bot, 0) for bot in bots),
        )

    def game_keys(self, task: Task) -> list[str]:
        """The keys of a block's games, by turn."""
        return [
            game_key(
                self._spec(task.block.table, task.block.deal) | {"seats": self._names(seating)}
            )
            for seating in task.block.seatings
        ]

    def _task(self, number: int, table: Table, deal: int) -> Task:
        key = game_key(self._spec(table, deal))
        return Task(number=number, key=key, block=block(table, deal))

    def _spec(self, table: Table, deal: int) -> dict[str, Any]:
        league = self._event.league
        return {
            "v": 1,
            "event": self._event.id,
            "game": league.game,
            "options": msgspec.to_builtins(league.options),
            "table": sorted(self._names(table)),
            "deal": deal,
        }

    def _names(self, bots: Sequence[int]) -> list[str]:
        every = self._event.league.bots
        return [f"{every[bot].name}@{every[bot].version or 'builtin'}" for bot in bots]

    def _deals(self, label: str) -> Iterator[Any]:
        league = self._event.league
        secret = chance.part(self._event.secret, f"{self._event.id}: {label}")
        return chance.deals(GAMES[league.game], league.seats, league.options, secret)


def block_secret(event: Event, of: Block) -> str:
    """What the salts and the bots' seeds of a block come from."""
    return chance.part(event.secret, f"{event.id}: deal {of.deal} of {_label(event, of.table)}")


def _label(event: Event, table: Table) -> str:
    return canonical({"table": sorted(event.league.bots[bot].name for bot in table)})


def setting(event: Event, hidden: Sequence[str] = (), cpu: int | None = None) -> Setting:
    """What a worker is told first."""
    league = event.league
    return Setting(
        game=league.game,
        options=msgspec.Raw(msgspec.json.encode(league.options)),
        bots=league.bots,
        start_ms=league.start_ms,
        clock=league.clock,
        conduct=league.conduct,
        budget=league.budget,
        ponder=league.ponder,
        restart=league.restart,
        layer=event.layer,
        hidden=tuple(hidden),
        cpu=cpu,
    )


def in_schedule(
    schedule: Schedule, games: Mapping[str, Sequence[Played]], unplayable: frozenset[str]
) -> list[Played]:
    """Stored games, by the keys of their blocks, with the numbers that this schedule gives their blocks.

    Blocks that could not be played, by no bot's fault, are left out and leave no gap.
    """
    placed: list[Played] = []
    number = 0
    for task in schedule.tasks():
        if task.key in unplayable:
            continue
        placed += (
            msgspec.structs.replace(played, block=number) for played in games.get(task.key, ())
        )
        number += 1
    return placed
