"""Ratings of a table: Bradley-Terry on the scale of Elo, with the anchor or the mean at 1500."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from tournaments.counting import above
from tournaments.intervals import Interval
from tournaments.ratings import Game, Strengths, difference_interval, field_interval
from tournaments.shapes import Played, Rating

MIDDLE: Final = 1500
"""The rating of the anchor; without one, the mean of all that have played."""


def games_of_pairs(
    games: Sequence[Played], units: Mapping[int, int], numbers: Mapping[int, int]
) -> list[Game]:
    """Each game as one of two for every pair at its table: who is placed above has won.

    `units` are those of chance, by block; `numbers` those of the bots for the estimate.
    """
    return [
        Game(
            numbers[game.bots[one]],
            numbers[game.bots[other]],
            above(game, one, other),
            units[game.block],
        )
        for game in games
        for one, other in combinations(range(len(game.bots)), 2)
    ]


def rating_of(strengths: Strengths, bot: int, anchor: int | None) -> Rating | None:
    """None when no games link the bot to the anchor; without one, when they do not link all bots."""
    if anchor is None:
        if len(set(strengths.islands)) > 1:
            return None
        return Rating(MIDDLE + strengths.elo[bot], _shifted(field_interval(strengths, bot)))
    if bot == anchor:
        return Rating(MIDDLE, None, is_anchor=True)
    if strengths.islands[bot] != strengths.islands[anchor]:
        return None
    ahead = strengths.elo[bot] - strengths.elo[anchor]
    return Rating(MIDDLE + ahead, _shifted(difference_interval(strengths, bot, anchor)))


def _shifted(interval: Interval | None) -> Interval | None:
    return interval and Interval(MIDDLE + interval.low, MIDDLE + interval.high)
