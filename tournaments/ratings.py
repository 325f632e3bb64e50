"""Strengths of bots from all their games at once, on the scale of Elo: the model of Bradley and Terry.

No online ratings: bots do not change, so the order of their games must not matter. A deal block, not a
game, is the unit of chance; `covariance` holds whatever the games of a block have to do with each other.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from tournaments.intervals import Interval, t_cdf, t_interval
from tournaments.linear import (
    Matrix,
    Vector,
    centred,
    centred_covariance,
    inverse,
    product,
    pseudo_inverse,
    times,
)

SCALE: Final = 400 / math.log(10)
"""Elo points for one unit of log-odds."""

BlockScores: TypeAlias = dict[int, dict[int, float]]
"""By block and bot: what was won there beyond what was expected."""

_STEP: Final = 2.0  # log-odds; a Newton step from far away may overshoot
_CLOSE: Final = 1e-10
_STEPS: Final = 200


class RatingError(ValueError):
    """The games do not tell the strengths; the message says why."""


class Game(msgspec.Struct, frozen=True):
    """Two bots met: `score` is that of the first, 0 to 1; `block` is the deal block it was in.

    A game of more seats is one of these for each pair of bots. When all tables play the same deals, then the
    deal is the block.
    """

    first: int
    second: int
    score: float
    block: int


class Strengths(msgspec.Struct, frozen=True):
    """What the games say about every bot. Elo is centred: the mean of all bots is 0.

    `covariance` (Elo², for differences of bots only) is that of whole blocks, `fisher` that of
    games as if each were independent. `blocks` is the number of blocks, `met` that of each bot's blocks.
    Bots with the same number in `islands` are linked by games, however far around.
    """

    elo: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    fisher: tuple[tuple[float, ...], ...]
    blocks: int
    met: tuple[int, ...]
    islands: tuple[int, ...]


def elo_of_score(score: float) -> float:
    """The difference of Elo at which this score is expected; infinite for 0 and 1.

    >>> round(elo_of_score(0.64))
    100
    """
    if score in {0.0, 1.0}:
        return math.copysign(math.inf, score - 0.5)
    return SCALE * math.log(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The score that is expected of a bot so much stronger.

    >>> round(score_of_elo(200), 2)
    0.76
    """
    return _logistic(elo / SCALE)


def bradley_terry(bots: int, games: Sequence[Game], *, prior: float = 1.0) -> Strengths:
    """The strengths under which these games are most likely; a draw is half a win.

    Each bot has also won and lost `prior` games against a ghost of strength 0. Without them, a bot that won all
    games would be infinitely strong; `prior=0` is the textbook's estimate, and a RatingError where there is none.
    """
    if not prior:
        _check_textbook(bots, games)
    won, played = _totals(bots, games)
    theta = _most_likely(won, played, prior)
    spread = _inverse(_information(theta, played, prior), prior)
    scores = _block_scores(games, theta)
    between = product(product(spread, _between(scores, theta, prior)), spread)
    return Strengths(
        elo=tuple(SCALE * value for value in centred(theta)),
        covariance=_elo_squared(between),
        fisher=_elo_squared(spread),
        blocks=len(scores),
        met=blocks_of_bots(scores, bots),
        islands=islands_of(bots, ((game.first, game.second) for game in games)),
    )


def difference_interval(strengths: Strengths, one: int, other: int) -> Interval | None:
    """The 95 % interval of how many Elo the one is stronger, also when the other is an anchor.

    None when no games link the two, or one has played fewer than two blocks.
    """
    found = _difference(strengths, one, other)
    return found and t_interval(*found)


def field_interval(strengths: Strengths, bot: int) -> Interval | None:
    """The 95 % interval of a bot's Elo when there is no anchor, but the mean of all bots is 0."""
    degrees = strengths.met[bot] - 1
    if degrees < 1 or len(set(strengths.islands)) > 1:
        return None
    error = math.sqrt(max(0.0, strengths.covariance[bot][bot]))
    return t_interval(strengths.elo[bot], error, degrees)


def difference_p_value(strengths: Strengths, one: int, other: int) -> float | None:
    """How likely chance alone makes two equally strong bots differ at least as much; None as above."""
    found = _difference(strengths, one, other)
    if found is None:
        return None
    difference, error, degrees = found
    if not error:
        return 1.0
    return 2 * t_cdf(-abs(difference) / error, degrees)


def _difference(strengths: Strengths, one: int, other: int) -> tuple[float, float, int] | None:
    """Estimate, standard error, degrees of freedom: the blocks of the bot that has played fewer."""
    degrees = min(strengths.met[one], strengths.met[other]) - 1
    if degrees < 1 or strengths.islands[one] != strengths.islands[other]:
        return None
    v = strengths.covariance
    variance = v[one][one] + v[other][other] - 2 * v[one][other]
    difference = strengths.elo[one] - strengths.elo[other]
    return difference, math.sqrt(max(0.0, variance)), degrees


def _totals(bots: int, games: Sequence[Game]) -> tuple[list[float], list[list[int]]]:
    """Points of each bot, and how many games each pair has played."""
    won = [0.0] * bots
    played = [[0] * bots for _ in range(bots)]
    for game in games:
        won[game.first] += game.score
        won[game.second] += 1 - game.score
        played[game.first][game.second] += 1
        played[game.second][game.first] += 1
    return won, played


def _most_likely(won: Vector, played: Sequence[Sequence[int]], prior: float) -> list[float]:
    def step(theta: Vector) -> list[float]:
        slope = [
            points + prior - _expected(theta, bot, row) - 2 * prior * _logistic(theta[bot])
            for bot, (points, row) in enumerate(zip(won, played, strict=True))
        ]
        return times(_inverse(_information(theta, played, prior), prior), slope)

    return climbed(len(won), step)


def climbed(size: int, step: Callable[[Vector], Vector]) -> list[float]:
    """The top of a likelihood by Newton's method from 0, in log-odds; `step` is the full step from a point."""
    theta = [0.0] * size
    for _ in range(_STEPS):
        full = step(theta)
        longest = max(map(abs, full), default=0.0)
        shrink = min(1.0, _STEP / longest) if longest else 1.0
        theta = [value + shrink * by for value, by in zip(theta, full, strict=True)]
        if longest < _CLOSE:
            return theta
    raise RatingError("no estimate was found: the results are too one-sided")


def _expected(theta: Vector, bot: int, played: Sequence[int]) -> float:
    """The points that a bot of this strength wins on average."""
    mine = theta[bot]
    return sum(
        times * _logistic(mine - theirs)
        for theirs, times in zip(theta, played, strict=True)
        if times
    )


def _information(theta: Vector, played: Sequence[Sequence[int]], prior: float) -> list[list[float]]:
    """How sharply the likelihood bends: minus its second derivatives."""
    rows = []
    for bot, (mine, counts) in enumerate(zip(theta, played, strict=True)):
        row = [
            -count * _bend(mine - theirs) if count else 0.0
            for theirs, count in zip(theta, counts, strict=True)
        ]
        row[bot] = 2 * prior * _bend(mine) - sum(row)
        rows.append(row)
    return rows


def _inverse(information: Matrix, prior: float) -> list[list[float]]:
    """With a prior the ghost fixes the mean of the strengths; without one nothing does."""
    return inverse(information) if prior else pseudo_inverse(information)


def _block_scores(games: Sequence[Game], theta: Vector) -> BlockScores:
    """What each bot won in each block beyond what was expected of it."""
    blocks: BlockScores = {}
    for game in games:
        surplus = game.score - _logistic(theta[game.first] - theta[game.second])
        block = blocks.setdefault(game.block, {})
        block[game.first] = block.get(game.first, 0.0) + surplus
        block[game.second] = block.get(game.second, 0.0) - surplus
    return blocks


def _between(blocks: BlockScores, theta: Vector, prior: float) -> list[list[float]]:
    """The games against the ghost are blocks, too: a bot that has won every block, each with the same small
    surplus, would else seem to be known exactly."""
    rows = between_blocks(blocks, len(theta))
    for bot, value in enumerate(theta):
        rows[bot][bot] += prior * (_logistic(value) ** 2 + _logistic(-value) ** 2)
    return rows


def between_blocks(blocks: BlockScores, bots: int) -> list[list[float]]:
    """How much whole blocks vary: the middle of the sandwich whose bread is the inverse information."""
    total = [[0.0] * bots for _ in range(bots)]
    for block in blocks.values():
        for one, mine in block.items():
            row = total[one]
            for other, theirs in block.items():
                row[other] += mine * theirs
    by = len(blocks) / (len(blocks) - 1) if len(blocks) > 1 else 1.0
    return [[value * by for value in row] for row in total]


def blocks_of_bots(blocks: BlockScores, bots: int) -> tuple[int, ...]:
    """In how many blocks each bot was."""
    met = Counter(bot for block in blocks.values() for bot in block)
    return tuple(met[bot] for bot in range(bots))


def _elo_squared(covariance: Matrix) -> tuple[tuple[float, ...], ...]:
    rows = centred_covariance(covariance)
    return tuple(tuple(SCALE * SCALE * value for value in row) for row in rows)


def islands_of(bots: int, tables: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """For each bot the smallest number of a bot that it is linked to by tables at which both sat."""
    links: list[set[int]] = [set() for _ in range(bots)]
    for table in tables:
        for bot in table:
            links[bot].update(table)
    island = [-1] * bots
    for bot in range(bots):
        if island[bot] < 0:
            for each in _reached(bot, links):
                island[each] = bot
    return tuple(island)


def _check_textbook(bots: int, games: Sequence[Game]) -> None:
    """Ford's condition: however the bots are parted in two, either part has won something of the other."""
    beat: list[set[int]] = [set() for _ in range(bots)]
    lost: list[set[int]] = [set() for _ in range(bots)]
    for game in games:
        if game.score > 0:
            beat[game.first].add(game.second)
            lost[game.second].add(game.first)
        if game.score < 1:
            beat[game.second].add(game.first)
            lost[game.first].add(game.second)
    if bots and not len(_reached(0, beat)) == len(_reached(0, lost)) == bots:
        raise RatingError(
            "without a prior there is no estimate: some bots have won nothing of all others"
        )


def _reached(start: int, links: Sequence[set[int]]) -> set[int]:
    found, new = {start}, [start]
    while new:
        for each in links[new.pop()] - found:
            found.add(each)
            new.append(each)
    return found


def _logistic(x: float) -> float:
    """1 / (1 + e^-x), without overflow."""
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1 + grown)


def _bend(x: float) -> float:
    """The derivative of the logistic function, exact also far from 0."""
    return _logistic(x) * _logistic(-x)
