"""How a tournament that is being played stands: counts for the eye, nothing that decides. Pure."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from protocol.faults import FaultCode
from tournaments.event import Task
from tournaments.shapes import Played

_RECENT: Final = 200  # games over which the rate is taken: the pace of now, not that of the start


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A bot so far: `score` is 0 to 1 with two seats, the mean of game points with more."""

    name: str
    games: int
    score: float
    faults: int


class Tally:
    """Counts of the games so far, those of earlier runs included."""

    def __init__(self, names: Sequence[str], seats: int, planned: int) -> None:
        self.planned = planned
        self.games = 0
        self.fault = ""
        self.playing: dict[int, tuple[Task, int]] = {}
        self._names, self._seats = names, seats
        self._count: Counter[int] = Counter()
        self._sum: Counter[int] = Counter()
        self._faults: Counter[int] = Counter()
        self._ends: deque[float] = deque(maxlen=_RECENT)

    def begun(self, task: Task) -> None:
        """A block is being played."""
        self.playing[task.number] = task, 0

    def over(self, task: Task) -> None:
        """One more game of a running block is over."""
        _, games = self.playing[task.number]
        self.playing[task.number] = task, games + 1

    def failed(self, task: Task) -> None:
        """A running block came to nothing."""
        del self.playing[task.number]

    def stored(self, task: Task, games: Iterable[Played], now: float) -> None:
        """A running block counts; `now` in seconds."""
        del self.playing[task.number]
        for played in games:
            self.add(played)
            self._ends.append(now)
            if fault := self._fault_of(played):
                self.fault = fault

    def add(self, played: Played) -> None:
        """A game counts."""
        self.games += 1
        for seat, bot in enumerate(played.bots):
            self._count[bot] += 1
            self._sum[bot] += self._twice(played, seat)
            self._faults[bot] += sum(played.faults[seat].values())

    def rate(self, began: float, now: float) -> float:
        """Games a second, lately; 0 before the first."""
        if not self._ends:
            return 0.0
        since = self._ends[0] if len(self._ends) == _RECENT else began
        return len(self._ends) / max(now - since, 1e-3)

    def lines(self) -> list[Line]:
        """The best bot first."""
        lines = [
            Line(
                name=name,
                games=self._count[bot],
                score=self._sum[bot] / self._count[bot] / 2 if self._count[bot] else 0.0,
                faults=self._faults[bot],
            )
            for bot, name in enumerate(self._names)
        ]
        return sorted(lines, key=lambda line: (not line.games, -line.score))

    def _twice(self, played: Played, seat: int) -> int:
        """Twice the game's score of a seat: a whole number, for a draw is one half."""
        if self._seats > 2:
            return 2 * played.scores[seat]
        return 0 if played.places[seat] > 1 else 2 // played.places.count(1)

    def _fault_of(self, played: Played) -> str:
        for forfeit in played.forfeits:
            return f"{self._names[played.bots[forfeit.seat]]}: {forfeit.code}, {forfeit.why}"
        for bot, faults in zip(played.bots, played.faults, strict=True):
            for code in faults:
                if code != FaultCode.NO_START:
                    return f"{self._names[bot]}: {code}"
        return ""
