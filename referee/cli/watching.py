"""What an operator sees of a running tournament, on stderr: a picture on a terminal, else lines."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias

import trio
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee import screen
from referee.cli.errors import say
from referee.match import shown
from tournaments.event import Event, Task
from tournaments.shapes import Played
from tournaments.tally import Tally

_REFRESH_SECONDS: Final = 0.25
_LINE_SECONDS: Final = 30.0
_MAX_LINES: Final = 12  # of the table so far
_MAX_PLAYING: Final = 8
_NAME_WIDTH: Final = 24


Heard: TypeAlias = Callable[[Task, Sequence[Played]], None]


class Watching:
    """Nothing but what must be said; `heard` is told of each block that counts."""

    def __init__(self, tally: Tally, heard: Heard) -> None:
        self.tally = tally
        self._heard = heard
        self._began = time.monotonic()

    def say(self, words: str) -> None:
        """A line for the operator."""
        say(words)

    def begun(self, task: Task) -> None:
        """A block was handed out."""
        self.tally.begun(task)

    def over(self, task: Task) -> None:
        """A game of a running block is over; it is not stored yet."""
        self.tally.over(task)

    def stored(self, task: Task, games: Sequence[Played]) -> None:
        """A block counts now."""
        self.tally.stored(task, games, time.monotonic())
        self._heard(task, games)

    def failed(self, task: Task) -> None:
        """A block came to nothing."""
        self.tally.failed(task)

    def left_out(self, task: Task) -> None:
        """A block will not be played again in this run."""

    async def refresh(self) -> None:
        """Repaints until cancelled."""

    def pace(self) -> str:
        """`553/840 games · 18.2/s · 0:30 gone, 0:16 left`."""
        now = time.monotonic()
        rate = self.tally.rate(self._began, now)
        left = f", {_clock((self.tally.planned - self.tally.games) / rate)} left" if rate else ""
        words = f"{self.tally.games}/{self.tally.planned} games"
        return f"{words} · {rate:.1f}/s · {_clock(now - self._began)} gone{left}"


class Lines(Watching):
    """A line for every tenth of the games, and at least every half minute in which games ended."""

    def __init__(self, tally: Tally, heard: Heard) -> None:
        super().__init__(tally, heard)
        self._tenths = self._tenth()
        self._said = time.monotonic()

    def stored(self, task: Task, games: Sequence[Played]) -> None:
        super().stored(task, games)
        if self._tenth() != self._tenths or time.monotonic() - self._said > _LINE_SECONDS:
            self._tenths, self._said = self._tenth(), time.monotonic()
            say(self.pace())

    def _tenth(self) -> int:
        return 10 * self.tally.games // max(1, self.tally.planned)


class Picture(Watching):
    """Repainted in place."""

    def __init__(self, tally: Tally, heard: Heard, event: Event, live: Live) -> None:
        super().__init__(tally, heard)
        self._event, self._live = event, live

    def say(self, words: str) -> None:
        self._live.console.print(shown(words, 1000), soft_wrap=True)

    async def refresh(self) -> None:
        while True:
            self._live.update(self._picture(), refresh=True)
            await trio.sleep(_REFRESH_SECONDS)

    def _picture(self) -> RenderableType:
        parts: list[RenderableType] = [self._bar(), *self._playing(), self._table()]
        if self.tally.fault:
            parts.append(Text(f"! {shown(self.tally.fault, 200)}", no_wrap=True))
        parts.append(
            Text("Ctrl-C stops after the deals now playing and keeps the results.", style="dim")
        )
        return Group(*parts)

    def _bar(self) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=self.tally.planned, completed=self.tally.games, width=40)
        grid.add_row(bar, Text(self.pace(), no_wrap=True))
        return grid

    def _playing(self) -> Iterator[RenderableType]:
        running = list(self.tally.playing.values())
        for task, games in running[:_MAX_PLAYING]:
            names = "  ".join(_name(self._event.names[bot]) for bot in task.block.seatings[0])
            last = len(task.block.seatings)
            where = f"deal {task.block.deal + 1}, game {min(games + 1, last)} of {last}"
            yield Text(f"  playing  {where}   {names}", no_wrap=True)
        if len(running) > _MAX_PLAYING:
            yield Text(f"  and {len(running) - _MAX_PLAYING} more")

    def _table(self) -> RenderableType:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        score = "score" if self._event.league.seats == 2 else "points"
        for heading in ("#", "bot", score, "games", "faults"):
            table.add_column(heading, justify="left" if heading == "bot" else "right", no_wrap=True)
        lines = self.tally.lines()
        for place, line in enumerate(lines[:_MAX_LINES], 1):
            mean = (
                f"{100 * line.score:.1f} %"
                if self._event.league.seats == 2
                else f"{line.score:.1f}"
            )
            table.add_row(
                *(str(place), Text(_name(line.name)), mean if line.games else "-"),
                *(str(line.games), str(line.faults)),
            )
        if len(lines) > _MAX_LINES:
            table.add_row("", f"and {len(lines) - _MAX_LINES} more", "", "", "")
        return table


@contextmanager
def watching(event: Event, tally: Tally, heard: Heard, *, quiet: bool) -> Iterator[Watching]:
    """The watcher that fits: a picture on a terminal, lines in a file, next to nothing when quiet."""
    if quiet or not sys.stderr.isatty():
        yield Watching(tally, heard) if quiet else Lines(tally, heard)
        return
    console = screen.console(sys.stderr)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield Picture(tally, heard, event, live)


def _name(name: str) -> str:
    return shown(name, _NAME_WIDTH)


def _clock(seconds: float) -> str:
    """`0:30`, `1:02:07`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
