"""From the results of an event to its page: what is said of how it was played, and games worth a look. Pure."""

from collections.abc import Callable
from typing import Final

from referee.games import GAMES
from tournaments.league import League
from tournaments.page import EventFacts, Notable
from tournaments.results import Results
from tournaments.shapes import Played

_OF_EACH_KIND: Final = 5
_FORFEITS: Final = 12
_ISOLATION: Final = {
    "posix": "posix: for trusted bots, one could tamper with the others",
    "bwrap": "bwrap: no network, no view of the others",
}


def facts_of(results: Results, options: str, log_at: Callable[[str], str]) -> EventFacts:
    """What the page says beside the table; `log_at` turns a log of the run folder into a link."""
    event, league = results.event, results.event.league
    game = GAMES[league.game]
    notable = _Notables(results, log_at)
    return EventFacts(
        name=league.name,
        game=game.title,
        options=options,
        format=league.format,
        tables=results.tables,
        deals=league.deals,
        shares_deals=league.shared_deals,
        restart=league.restart,
        isolation=_ISOLATION[event.layer],
        seed=(
            f"secret; committed to as {results.commitment}"
            if league.seed is None
            else f"{league.seed}, known to everybody"
        ),
        versions={bot.name: bot.version or f"of {event.program}" for bot in league.bots},
        limits=limits_of(league),
        move_ms=league.clock.move_ms,
        program=event.program,
        tally=game.tally,
        closest=notable.closest(),
        upsets=notable.upsets(),
        longest=notable.longest(),
        forfeits=notable.forfeits(),
    )


def limits_of(league: League) -> list[str]:
    """The limits in words."""
    clock, budget = league.clock, league.budget
    words = [] if clock.move_ms is None else [f"{clock.move_ms} ms a move"]
    if clock.bank_ms is not None:
        more = f" and {clock.increment_ms} ms more a move" if clock.increment_ms else ""
        words.append(f"{clock.bank_ms} ms a game{more}")
    words.append(f"{league.start_ms} ms to start")
    if budget.memory_mb is not None:
        words.append(f"{budget.memory_mb} MiB of memory")
    if budget.processes is not None:
        words.append(f"{budget.processes} processes")
    return words


class _Notables:
    """Games that people may want to open, of those whose log was kept."""

    def __init__(self, results: Results, log_at: Callable[[str], str]) -> None:
        self._results = results
        self._log_at = log_at
        self._names = results.event.names
        self._games = [played for played in results.played if played.block in results.logs]
        self._clean = [played for played in self._games if not played.forfeits]
        self._elo = {
            row.bot: row.rating.elo for row in results.standings.rows if row.rating is not None
        }

    def longest(self) -> list[Notable]:
        """By decisions."""
        found = sorted(self._clean, key=lambda played: -played.steps)[:_OF_EACH_KIND]
        return [self._notable(played, f"{played.steps} decisions") for played in found]

    def closest(self) -> list[Notable]:
        """By the lead of the winner, where scores say more than who won."""
        leads = ((_lead(played), played) for played in self._clean)
        told = [(lead, played) for lead, played in leads if lead is not None]
        told.sort(key=lambda each: each[0])
        return [
            self._notable(played, f"won by {lead} point{'' if lead == 1 else 's'}")
            for lead, played in told[:_OF_EACH_KIND]
        ]

    def upsets(self) -> list[Notable]:
        """A bot that won against one far above it."""
        found = [(gap, played) for played in self._clean if (gap := self._gap(played)) and gap > 0]
        found.sort(key=lambda each: -each[0])
        return [
            self._notable(played, f"rated {gap:.0f} lower, and won")
            for gap, played in found[:_OF_EACH_KIND]
        ]

    def forfeits(self) -> list[Notable]:
        """Games that were lost by a fault."""
        lost = [played for played in self._games if played.forfeits][:_FORFEITS]
        return [self._notable(played, self._why(played)) for played in lost]

    def _gap(self, played: Played) -> float | None:
        winners = [bot for bot, place in zip(played.bots, played.places, strict=True) if place == 1]
        others = [bot for bot in played.bots if bot not in winners]
        if len(winners) != 1 or not others or not {*winners, *others} <= self._elo.keys():
            return None
        return max(self._elo[bot] for bot in others) - self._elo[winners[0]]

    def _why(self, played: Played) -> str:
        first = played.forfeits[0]
        return f"{self._names[played.bots[first.seat]]} forfeited ({first.code}): {first.why}"

    def _notable(self, played: Played, what: str) -> Notable:
        order = sorted(range(len(played.bots)), key=lambda seat: played.places[seat])
        names = " – ".join(self._names[played.bots[seat]] for seat in order)
        log = self._log_at(self._results.logs[played.block])
        return Notable(text=f"{names}: {what}", log=log, game=played.game)


def _lead(played: Played) -> int | None:
    """Of the first over the second; None for a draw, and where a win is all there is to win."""
    best, second, *_ = sorted(played.scores, reverse=True)
    return best - second if best > second and best > 1 else None
