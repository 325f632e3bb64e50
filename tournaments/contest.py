"""Is the new version better? The league that asks it, and its games turned into results of whole deals. Pure.

With two seats and nobody else, the two play each other, and a deal's result is the mean score of the new
version over both seatings. Else both play the same deals, in the same seats, against the same others, and the result
is by how much the new version did better.
"""

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from referee import defaults
from referee.bots import BotSpec
from referee.channels.probing import IsolationMode
from referee.channels.watch import Budget
from referee.clock import Clock
from referee.conduct import Conduct
from referee.game import Game
from tournaments.event import Task
from tournaments.league import League
from tournaments.pentanomial import wald_bounds
from tournaments.sequential import Comparison, InOrder, Verdict
from tournaments.shapes import Played

NEW, OLD = 0, 1


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: `bots` are the new version, the old one, and whom both play; `cap` is a number of deals."""

    game: Game[Any]
    options: Any
    seats: int
    bots: Sequence[BotSpec]
    cap: int
    move_ms: int = 1000
    seed: int | None = None
    isolation: IsolationMode = "auto"

    @property
    def is_duel(self) -> bool:
        """Whether the two play each other, and nobody else."""
        return len(self.bots) == 2

    @property
    def bound(self) -> float | None:
        """Of a deal's result, as `tournaments.sequential.Plan` wants it."""
        return None if self.is_duel else self.game.swing(self.seats, self.options)


def league_of(contest: Contest) -> League:
    """The league whose deals answer the question."""
    game = contest.game
    return League(
        name=f"{contest.bots[NEW].name} or {contest.bots[OLD].name}",
        game=game.name,
        options=contest.options,
        seats=contest.seats,
        format="round-robin" if contest.is_duel else "gauntlet",
        bots=tuple(contest.bots),
        seeds=() if contest.is_duel else (NEW, OLD),
        deals=contest.cap,
        tables=None,
        shared_deals=not contest.is_duel,
        restart="game" if game.hidden else "never",
        start_ms=defaults.START_MS,
        clock=Clock(move_ms=contest.move_ms),
        conduct=Conduct(),
        budget=Budget(),
        ponder=False,
        isolation=contest.isolation,
        keep_logs="all",
        seed=contest.seed,
        anchor=None,
    )


class Answering:
    """Takes blocks as they finish, and counts whole deals in the order of the schedule."""

    def __init__(self, contest: Contest, comparison: Comparison, tables: int) -> None:
        self._contest = contest
        self._tables = tables  # that play each deal
        self._open: dict[int, list[Played]] = {}
        self._blocks: dict[int, int] = {}
        self._results = InOrder[float | None]()
        self.comparison = comparison

    @property
    def is_decided(self) -> bool:
        """Whether the question is answered, or the cap is reached."""
        return self.comparison.verdict is not Verdict.UNDECIDED

    def take(self, task: Task, games: Sequence[Played]) -> None:
        """A block that was played."""
        deal = task.block.deal
        self._open.setdefault(deal, []).extend(games)
        self._blocks[deal] = self._blocks.get(deal, 0) + 1
        if self._blocks[deal] == self._tables:
            self._release(deal, self._result(self._open.pop(deal)))

    def leave_out(self, task: Task) -> None:
        """A block that cannot be played, by no bot's fault: those after its deal do not wait for it."""
        self._open.pop(task.block.deal, None)
        self._release(task.block.deal, None)

    def _release(self, deal: int, result: float | None) -> None:
        for released in self._results.take(deal, result):
            if released is not None:
                self.comparison = self.comparison.after(released)

    def _result(self, games: Sequence[Played]) -> float:
        ours = self._mean(games, NEW)
        return ours if self._contest.is_duel else ours - self._mean(games, OLD)

    def _mean(self, games: Sequence[Played], bot: int) -> float:
        scores = [self._score(game, game.bots.index(bot)) for game in games if bot in game.bots]
        return sum(scores) / len(scores)

    def _score(self, game: Played, seat: int) -> float:
        if self._contest.seats > 2:
            return game.scores[seat]
        return 0.0 if game.places[seat] > 1 else 1 / game.places.count(1)


def words_so_far(contest: Contest, comparison: Comparison) -> str:
    """How it stands, at any time: `120 deals · new scores 53.1 % (48.2 to 58.1) · evidence 3.1 of 40`."""
    if comparison.mean is None:
        return _deals(comparison)
    return f"{_deals(comparison)} · {_estimate(contest, comparison)} · {_evidence(comparison)}"


def sentence(contest: Contest, comparison: Comparison) -> str:
    """The answer, for a person."""
    if comparison.mean is None:
        return "No deal was finished: nothing is known."
    new, old = (contest.bots[bot].name for bot in (NEW, OLD))
    deals = _deals(comparison)
    gain = f"{comparison.plan.sprt[1]:g} Elo" if comparison.plan.sprt else ""
    answer = {
        Verdict.BETTER: f"{new} is better than {old} after {deals}",
        Verdict.WORSE: f"{new} is worse than {old} after {deals}",
        Verdict.NO_GAIN: f"{new} does not gain {gain} on {old} after {deals}",
        Verdict.CAP: f"After {deals} the games cannot tell {new} from {old}",
        Verdict.UNDECIDED: f"Not decided after {deals}",
    }[comparison.verdict]
    return f"{answer}: {_estimate(contest, comparison)}."


def _deals(comparison: Comparison) -> str:
    return f"{comparison.blocks} deal{'' if comparison.blocks == 1 else 's'}"


def _estimate(contest: Contest, comparison: Comparison) -> str:
    """Mean and interval; the interval holds at all times at once."""
    mean, interval = comparison.mean, comparison.interval()
    assert mean is not None
    new = contest.bots[NEW].name
    if contest.is_duel:
        return f"{new} scores {100 * mean:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
    verb, unit, scale = (
        ("scores", "points of 100", 100) if contest.seats == 2 else ("wins", "points a game", 1)
    )
    lead = f"{abs(scale * mean):.1f} {unit} {'less' if mean < 0 else 'more'}"
    cut = f", leads cut at {comparison.plan.bound:g}" if comparison.cut else ""
    return f"{new} {verb} {lead} ({scale * interval.low:+.1f} to {scale * interval.high:+.1f}{cut})"


def _evidence(comparison: Comparison) -> str:
    """How far it is from an answer."""
    if comparison.ratio is not None:
        lower, upper = wald_bounds(comparison.plan.alpha, comparison.plan.alpha)
        return f"LLR {comparison.ratio:.2f} ({lower:.2f} to {upper:.2f})"
    strongest = max(comparison.log_e_better, comparison.log_e_worse)
    return f"evidence {math.exp(min(strongest, 50)):.1f} of {2 / comparison.plan.alpha:.0f}"
