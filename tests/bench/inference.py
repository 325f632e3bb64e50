"""Do intervals hold the truth as often as they say, and do comparisons err as rarely as they promise?

    python tests/bench/inference.py [--quick] [--seed N]

Simulated tournaments of bots whose strengths are known. Two seats: the log-odds of a game are the difference
of strengths, and what the deal gives to the first seat. Four seats: game points are strength, cards that go
from bot to bot with the seats, how much the bot likes the deal, and luck. The truth is what such bots get on average over
all deals, not over those that were drawn. What the rows mean: docs/statistics.md.
"""

import argparse
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from heapq import heappop, heappush
from itertools import combinations
from random import Random
from statistics import fmean, stdev
from typing import Final, TypeAlias

import msgspec

from tournaments.intervals import (
    Interval,
    mean_interval,
    normal_cdf,
    normal_quantile,
    score_interval,
)
from tournaments.rankings import Placed, points_interval, within_games
from tournaments.ratings import SCALE, Game, bradley_terry, difference_interval, score_of_elo
from tournaments.schedule import all_tables, blocks
from tournaments.sequential import Comparison, InOrder, Plan, Verdict
from tournaments.shapes import Block

DEALS: Final = 20
ELO: Final = (0, 30, 60, 110, 170, 250)
"""Strengths on a deal that favours nobody; over all deals the differences are smaller."""
DEAL_SD: Final = 1.5  # log-odds
TASTE: Final = 1.0  # of a bot for a deal, where all play the same deals; log-odds

SKILLS: Final = (0.0, 4.0, 8.0, 15.0, 25.0, 40.0)  # game points
SPITE: Final = 0.2  # what an opponent's skill takes away
CARDS_SD, TASTE_SD, LUCK_SD = 40.0, 12.0, 45.0

SLOTS: Final = 16
MANY_SLOTS: Final = 64
CAP: Final = 400  # blocks
SLOWER: Final = 3  # how much longer a lost game takes
BOUND: Final = 200.0
LEAD_SD: Final = 55.0

GAME_BY_GAME: Final = "the same, game by game"
UNGROUPED: Final = "the same, opponents not grouped"
AS_THEY_FINISH: Final = "the same, taken as they finish"
MANY_AS_THEY_FINISH: Final = "the same, 64 at a time"
LOOKED_AT: Final = "a 95 % interval looked at after each block"
TRAPS: Final = {GAME_BY_GAME, UNGROUPED, AS_THEY_FINISH, MANY_AS_THEY_FINISH, LOOKED_AT}
"""What is measured only to show what is wrong with it."""

Z: Final = normal_quantile(0.975)

_BOTS: Final = range(len(ELO))
_PAIRS: Final = list(combinations(_BOTS, 2))

Shares: TypeAlias = dict[str, float]


class Row(msgspec.Struct, frozen=True):
    """One line of the table: shares from 0 to 1, the error is one standard error of the simulation."""

    what: str
    share: float
    error: float
    wanted: tuple[float, float] | None

    def __str__(self) -> str:
        wanted = "-" if self.wanted is None else "{:.0%} to {:.0%}".format(*self.wanted)
        is_good = self.wanted is None or self.wanted[0] <= self.share <= self.wanted[1]
        return f"{self.what:<58} {self.share:6.1%} ±{self.error:.1%}  {wanted:>10} {'' if is_good else '!'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the repetitions")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    less = 10 if options.quick else 1
    start = time.process_time()
    bad = 0
    for row in _rows(less, options.seed):
        sys.stdout.write(f"{row}\n")
        sys.stdout.flush()
        bad += "!" in str(row)
    sys.stdout.write(f"\n{time.process_time() - start:.0f} s of computing time\n")
    sys.exit(bad > 0 and not options.quick)


def _rows(less: int, seed: int) -> Iterator[Row]:
    held, rare = (0.93, 0.97), (0.0, 0.05)
    for gap in (0, 50, 100, 200):
        yield from _repeated(
            f"match, {gap} Elo apart: ", partial(_match, gap), 4000 // less, seed, held
        )
    yield from _repeated("2 seats, ", _duels, 1500 // less, seed, held)
    yield from _repeated("2 seats, shared deals, ", _shared, 1500 // less, seed, held)
    yield from _repeated("4 seats, ", _tables, 600 // less, seed, held)
    for what, source in (("2 seats", _equal_pair), ("4 seats", _equal_lead)):
        yield from _repeated(f"{what}, ", partial(_peeking, source), 3000 // less, seed, rare)


def _repeated(
    what: str, play: Callable[[Random], Shares], times: int, seed: int, wanted: tuple[float, float]
) -> Iterator[Row]:
    """The mean of each share over so many repetitions; what is a trap need not be good."""
    rng = Random(f"{seed} {what}")
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(times):
        for name, share in play(rng).items():
            found[name].append(share)
    for name, shares in found.items():
        error = stdev(shares) / math.sqrt(times)
        yield Row(what + name, fmean(shares), error, None if name in TRAPS else wanted)


def _held(intervals: Iterable[tuple[Interval | None, float]]) -> float:
    """The share of intervals that hold their truth."""
    return fmean(
        found is not None and found.low <= truth <= found.high for found, truth in intervals
    )


@cache
def _expected(strength: float, sd: float = DEAL_SD) -> float:
    """The score over all deals of a bot that is stronger by so much log-odds: the mean over a fine grid of deals."""
    steps = 2000
    deals = (sd * normal_quantile((step + 0.5) / steps) for step in range(steps))
    return fmean(score_of_elo(SCALE * (strength + deal)) for deal in deals)


def _pair(rng: Random, strength: float, deal: float) -> tuple[float, float]:
    """Both games of a pair, as the first bot has scored them: in one of them the deal is against it."""
    won, lost = (
        float(rng.uniform(0, 1) < score_of_elo(SCALE * (strength + favour)))
        for favour in (deal, -deal)
    )
    return won, lost


def _match(gap: float, rng: Random) -> Shares:
    strength = gap / SCALE
    pairs = [_pair(rng, strength, rng.gauss(0, DEAL_SD)) for _ in range(DEALS)]
    truth = _expected(strength)
    score = fmean(map(fmean, pairs))
    reach = Z * math.sqrt(score * (1 - score) / (2 * DEALS))
    return {
        "score": _held([(score_interval([fmean(pair) for pair in pairs]), truth)]),
        GAME_BY_GAME: _held([(Interval(score - reach, score + reach), truth)]),
    }


@cache
def _true_elo(sd: float) -> tuple[float, ...]:
    """The strengths that fit the expected scores best: what ratings from ever more deals come to."""
    scores = ((one, other, _expected((ELO[one] - ELO[other]) / SCALE, sd)) for one, other in _PAIRS)
    return bradley_terry(len(ELO), [Game(*each, 0) for each in scores], prior=0).elo


def _duels(rng: Random) -> Shares:
    """Everybody against everybody with two seats, each pairing on its own deals."""
    games: list[Game] = []
    pairs: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for number, block in enumerate(blocks(all_tables(len(ELO), 2), DEALS)):
        one, other = block.table
        scores = _pair(rng, (ELO[one] - ELO[other]) / SCALE, rng.gauss(0, DEAL_SD))
        games += [Game(one, other, score, number) for score in scores]
        pairs[one].append((fmean(scores), other))
        pairs[other].append((1 - fmean(scores), one))
    return {
        **_grouped("score", score_interval, pairs, [_true_score(bot, DEAL_SD) for bot in _BOTS]),
        **_differences(games, _true_elo(DEAL_SD)),
    }


def _grouped(
    what: str,
    interval: Callable[[list[float], list[int] | None], Interval | None],
    blocks_of: Mapping[int, Sequence[tuple[float, int]]],
    truth: Sequence[float],
) -> Shares:
    """From each bot's block scores and the number of their opponent or table."""
    columns = [
        ([value for value, _ in blocks_of[bot]], [group for _, group in blocks_of[bot]])
        for bot in _BOTS
    ]
    return {
        what: _held((interval(*columns[bot]), truth[bot]) for bot in _BOTS),
        UNGROUPED: _held((interval(columns[bot][0], None), truth[bot]) for bot in _BOTS),
    }


def _shared(rng: Random) -> Shares:
    """The same with one set of deals for all pairings, and bots that like different deals: a deal is a block."""
    sd = math.hypot(DEAL_SD, TASTE, TASTE)
    games: list[Game] = []
    for deal in range(DEALS):
        favour = rng.gauss(0, DEAL_SD)
        likes = [elo / SCALE + rng.gauss(0, TASTE) for elo in ELO]
        for one, other in _PAIRS:
            scores = _pair(rng, likes[one] - likes[other], favour)
            games += [Game(one, other, score, deal) for score in scores]
    scores_held = _held((_by_deal(games, bot), _true_score(bot, sd)) for bot in _BOTS)
    return {"score": scores_held, **_differences(games, _true_elo(sd))}


def _by_deal(games: Sequence[Game], bot: int) -> Interval | None:
    deals: dict[int, list[float]] = defaultdict(list)
    for game in games:
        if bot in (game.first, game.second):
            deals[game.block].append(game.score if bot == game.first else 1 - game.score)
    return score_interval([fmean(scores) for scores in deals.values()])


def _true_score(bot: int, sd: float) -> float:
    return fmean(_expected((ELO[bot] - ELO[other]) / SCALE, sd) for other in _BOTS if other != bot)


def _differences(games: Sequence[Game], truth: Sequence[float]) -> Shares:
    found = bradley_terry(len(truth), games)

    def as_if_independent(one: int, other: int) -> Interval:
        v = found.fisher
        reach = Z * math.sqrt(v[one][one] + v[other][other] - 2 * v[one][other])
        middle = found.elo[one] - found.elo[other]
        return Interval(middle - reach, middle + reach)

    ways: dict[str, Callable[[int, int], Interval | None]] = {
        "difference of Elo": partial(difference_interval, found),
        GAME_BY_GAME: as_if_independent,
    }
    return {
        name: _held((way(one, other), truth[one] - truth[other]) for one, other in _PAIRS)
        for name, way in ways.items()
    }


@cache
def _true_table_elo() -> tuple[float, ...]:
    """As above, of "who has more game points": the cards, the taste and the luck of two bots differ."""
    spread = math.sqrt(2 * (CARDS_SD**2 + TASTE_SD**2 + LUCK_SD**2))
    return bradley_terry(
        len(SKILLS),
        [
            Game(one, other, normal_cdf((1 + SPITE) * (SKILLS[one] - SKILLS[other]) / spread), 0)
            for one, other in _PAIRS
        ],
        prior=0,
    ).elo


def _tables(rng: Random) -> Shares:
    """All tables of four, each on its own deals, in four rotations."""
    tables = all_tables(len(SKILLS), 4)
    games: list[Placed] = []
    means: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for number, block in enumerate(blocks(tables, DEALS)):
        rounds = list(_rotations(rng, block))
        games += [Placed(block.table, tuple(points.values()), number) for points in rounds]
        for bot in block.table:
            means[bot].append((fmean(points[bot] for points in rounds), number % len(tables)))
    truth = [fmean(_true_points(bot, each) for each in tables if bot in each) for bot in _BOTS]
    found = within_games(len(SKILLS), games)
    return {
        **_grouped("game points", mean_interval, means, truth),
        "difference of game points": _held(
            (points_interval(found, one, other), (1 + SPITE) * (SKILLS[one] - SKILLS[other]))
            for one, other in _PAIRS
        ),
        **_differences(list(_who_has_more(games)), _true_table_elo()),
    }


def _who_has_more(games: Iterable[Placed]) -> Iterator[Game]:
    for game in games:
        for (one, mine), (other, theirs) in combinations(
            zip(game.bots, game.scores, strict=True), 2
        ):
            yield Game(one, other, float(mine > theirs), game.block)


def _true_points(bot: int, table: Sequence[int]) -> float:
    return SKILLS[bot] - SPITE * sum(SKILLS[other] for other in table if other != bot)


def _rotations(rng: Random, block: Block) -> Iterator[dict[int, float]]:
    """Game points in each game of a block, by bot in the order of the table."""
    cards = [rng.gauss(0, CARDS_SD) for _ in block.table]
    worth = {bot: _true_points(bot, block.table) + rng.gauss(0, TASTE_SD) for bot in block.table}
    for seating in block.seatings:
        dealt = dict(zip(seating, cards, strict=True))
        yield {bot: worth[bot] + dealt[bot] + rng.gauss(0, LUCK_SD) for bot in block.table}


def _equal_pair(rng: Random) -> tuple[float, float]:
    """A pair of equal bots: its score, and how long it takes."""
    scores = _pair(rng, 0, rng.gauss(0, DEAL_SD))
    return fmean(scores), sum(1.0 if score else SLOWER for score in scores)


def _equal_lead(rng: Random) -> tuple[float, float]:
    """A block of more seats: the lead of one of two equal bots, and how long it takes."""
    lead = rng.gauss(0, LEAD_SD)
    return lead, 1.0 if lead > 0 else SLOWER


def _peeking(source: Callable[[Random], tuple[float, float]], rng: Random) -> Shares:
    """How often somebody who looks after every block finds a difference that is not there."""
    is_pair = source is _equal_pair
    results, times = zip(*(source(rng) for _ in range(CAP)), strict=True)
    start = Comparison(plan=Plan(bound=None if is_pair else BOUND))
    in_order, line = start, InOrder[float]()
    for number in _finished(rng, times, SLOTS):
        for result in line.take(number, results[number]):
            in_order = in_order.after(result)
    centred = [result - 0.5 for result in results] if is_pair else results

    def as_they_finish(slots: int) -> float:
        found = start
        for number in _finished(rng, times, slots):
            found = found.after(results[number])
        return float(found.verdict is not Verdict.UNDECIDED)

    return {
        "a wrong verdict, in the order of the schedule": float(
            in_order.verdict is not Verdict.UNDECIDED
        ),
        AS_THEY_FINISH: as_they_finish(SLOTS),
        MANY_AS_THEY_FINISH: as_they_finish(MANY_SLOTS),
        LOOKED_AT: float(_is_fooled(centred)),
    }


def _finished(rng: Random, times: Sequence[float], slots: int) -> list[int]:
    """The numbers of the blocks in the order in which they are over, with so many at a time."""
    free = [0.0] * slots
    ends = []
    for number, duration in enumerate(times):
        end = heappop(free) + duration * rng.uniform(0.8, 1.2)
        heappush(free, end)
        ends.append((end, number))
    return [number for _, number in sorted(ends)]


def _is_fooled(values: Sequence[float]) -> bool:
    """Whether a 95 % interval that is looked at after each block from the tenth on ever leaves 0 out."""
    total = squares = 0.0
    for count, value in enumerate(values, 1):
        total += value
        squares += value * value
        variance = (squares - total * total / count) / count
        if count >= 10 and total * total > Z * Z * count * variance:
            return True
    return False


if __name__ == "__main__":
    main()
