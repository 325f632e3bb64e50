"""Strengths from games that are more than won or lost: draws of their own kind, placings, game points.

Davidson's model has a parameter for draws, that of Plackett and Luce takes whole placings, and game points
of more seats are compared within each game. All games count at once, as in `tournaments.ratings`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from tournaments.intervals import Interval, t_interval
from tournaments.linear import (
    SingularError,
    Vector,
    centred,
    inverse,
    product,
    pseudo_inverse,
    times,
)
from tournaments.ratings import (
    SCALE,
    BlockScores,
    Game,
    RatingError,
    between_blocks,
    blocks_of_bots,
    climbed,
    islands_of,
)

Option: TypeAlias = Mapping[int, float]
"""Something that may happen: its log-odds is the sum of parameters with these weights."""

_NOTHING: Final[Option] = {}


class Choice(msgspec.Struct, frozen=True):
    """Of these options the first one has happened, `weight` times."""

    options: tuple[Option, ...]
    weight: float = 1.0


class Placed(msgspec.Struct, frozen=True):
    """A game of any number of seats: bots, their game points, and the deal block it was in."""

    bots: tuple[int, ...]
    scores: tuple[float, ...]
    block: int


class PointStrengths(msgspec.Struct, frozen=True):
    """Game points of each bot beside the others of its tables; the mean of linked bots is 0.

    `covariance` is in points², of whole blocks; `blocks`, `met` and `islands` as in `Strengths`.
    """

    points: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    blocks: int
    met: tuple[int, ...]
    islands: tuple[int, ...]


def davidson(
    bots: int, games: Sequence[Game], *, prior: float = 1.0
) -> tuple[tuple[float, ...], float]:
    """Elo of each bot, and nu: among equal bots there are nu draws for each win of the one.

    Results are 1, one half or 0. With a prior each bot has also won and lost `prior` games against a ghost of strength
    0, and two ghosts have won, lost and drawn as many.
    """
    choices = [_duel(game, bots) for game in games]
    if prior:
        decided, drawn = (_NOTHING, _NOTHING, {bots: 1.0}), ({bots: 1.0}, _NOTHING, _NOTHING)
        choices += [Choice(decided, 2 * prior), Choice(drawn, prior), *_against_ghost(bots, prior)]
    elif all(game.score != 0.5 for game in games):
        decided_only = [Choice(choice.options[:2]) for choice in choices]
        return _elo(_likeliest(decided_only, bots, bots, prior)), 0.0
    *theta, log_nu = _likeliest(choices, bots + 1, bots, prior)
    return _elo(theta), math.exp(log_nu)


def plackett_luce(
    bots: int, placings: Sequence[Sequence[int]], *, prior: float = 1.0
) -> tuple[float, ...]:
    """Elo of each bot from whole placings, the best bot first; the prior is that of `bradley_terry`.

    The first is chosen among all, the second among the rest, and so on. Shared places have no order and so no
    place in this model: never break them by lot.
    """
    choices = [
        Choice(tuple({bot: 1.0} for bot in placing[place:]))
        for placing in placings
        for place in range(len(placing) - 1)
    ]
    if prior:
        choices += _against_ghost(bots, prior)
    return _elo(_likeliest(choices, bots, bots, prior))


def within_games(bots: int, games: Sequence[Placed]) -> PointStrengths:
    """Game points by least squares, each game compared with its own mean.

    For bots that have not sat at the same tables: who met weak opponents gains nothing by it.
    """
    islands = islands_of(bots, (game.bots for game in games))
    spread = pseudo_inverse(_meetings(bots, games), islands)
    surplus = [0.0] * bots
    for game in games:
        for bot, score in zip(game.bots, centred(game.scores), strict=True):
            surplus[bot] += score
    points = times(spread, surplus)
    blocks = _residuals(games, points)
    covariance = product(product(spread, between_blocks(blocks, bots)), spread)
    return PointStrengths(
        points=tuple(points),
        covariance=tuple(tuple(row) for row in covariance),
        blocks=len(blocks),
        met=blocks_of_bots(blocks, bots),
        islands=islands,
    )


def points_interval(strengths: PointStrengths, one: int, other: int) -> Interval | None:
    """The 95 % interval of how many points a game the one gets more; None as in `difference_interval`."""
    degrees = min(strengths.met[one], strengths.met[other]) - 1
    if degrees < 1 or strengths.islands[one] != strengths.islands[other]:
        return None
    v = strengths.covariance
    error = math.sqrt(max(0.0, v[one][one] + v[other][other] - 2 * v[one][other]))
    return t_interval(strengths.points[one] - strengths.points[other], error, degrees)


def _duel(game: Game, nu: int) -> Choice:
    """What has happened first; the draw last unless it has."""
    won, lost = {game.first: 1.0}, {game.second: 1.0}
    drawn = {game.first: 0.5, game.second: 0.5, nu: 1.0}
    if game.score == 0.5:
        return Choice((drawn, won, lost))
    return Choice((won, lost, drawn) if game.score == 1 else (lost, won, drawn))


def _against_ghost(bots: int, prior: float) -> list[Choice]:
    ways = [({bot: 1.0}, _NOTHING) for bot in range(bots)]
    return [Choice(way, prior) for won in ways for way in (won, won[::-1])]


def _elo(theta: Vector) -> tuple[float, ...]:
    return tuple(SCALE * value for value in centred(theta))


def _likeliest(choices: Sequence[Choice], size: int, bots: int, prior: float) -> list[float]:
    """The parameters under which all this is most likely; the first ones are the bots' strengths.

    Without a prior only the differences of strengths count; their mean stays at 0.
    """

    def step(theta: Vector) -> list[float]:
        slope = [0.0] * size
        rows = [[0.0] * size for _ in range(size)]
        for choice in choices:
            _add(choice, theta, slope, rows)
        if not prior:
            for row in rows[:bots]:
                row[:bots] = [value + 1 / bots for value in row[:bots]]
        return times(inverse(rows), slope)

    try:
        return climbed(size, step)
    except SingularError as exc:
        raise RatingError("there is no estimate: the results are too one-sided") from exc


def _add(choice: Choice, theta: Vector, slope: list[float], rows: list[list[float]]) -> None:
    """One choice's part of the slope and of the information: mean and covariance of what was open."""
    log_odds = [
        sum(weight * theta[place] for place, weight in option.items()) for option in choice.options
    ]
    top = max(log_odds)
    odds = [math.exp(value - top) for value in log_odds]
    mean: dict[int, float] = {}
    for option, odd in zip(choice.options, odds, strict=True):
        share = odd / sum(odds)
        for one, weight in option.items():
            mean[one] = mean.get(one, 0.0) + share * weight
            for other, by in option.items():
                rows[one][other] += choice.weight * share * weight * by
    for one, expected in mean.items():
        slope[one] += choice.weight * (choice.options[0].get(one, 0.0) - expected)
        for other, by in mean.items():
            rows[one][other] -= choice.weight * expected * by


def _meetings(bots: int, games: Sequence[Placed]) -> list[list[float]]:
    """The matrix of the least squares: the sum of I - J/k over the games, J all ones, k seats."""
    rows = [[0.0] * bots for _ in range(bots)]
    for game in games:
        for one in game.bots:
            rows[one][one] += 1
            for other in game.bots:
                rows[one][other] -= 1 / len(game.bots)
    return rows


def _residuals(games: Sequence[Placed], points: Vector) -> BlockScores:
    blocks: BlockScores = {}
    for game in games:
        block = blocks.setdefault(game.block, {})
        pairs = zip(game.scores, game.bots, strict=True)
        left = centred([score - points[bot] for score, bot in pairs])
        for bot, value in zip(game.bots, left, strict=True):
            block[bot] = block.get(bot, 0.0) + value
    return blocks
