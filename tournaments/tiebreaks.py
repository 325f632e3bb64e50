"""Who is ahead among equals; places and shares of the first place within a game."""

from collections.abc import Sequence


def sonneborn_berger(
    results: Sequence[Sequence[float | None]], points: Sequence[float]
) -> list[float]:
    """What a bot has scored against each opponent, times that opponent's points: wins over the strong count more.

    `results[i][j]` is the score of i against j, None where they have not met. Where pairs meet more than
    once, mean results and mean scores make up for different numbers of games.

    >>> sonneborn_berger([[None, 1, 0.5], [0, None, 1], [0.5, 0, None]], [1.5, 1, 0.5])
    [1.25, 0.5, 0.75]
    """
    return [
        sum(
            result * theirs
            for result, theirs in zip(row, points, strict=True)
            if result is not None
        )
        for row in results
    ]


def mean_places(scores: Sequence[float]) -> list[float]:
    """The places in one game; who shares places gets the mean of them.

    >>> mean_places([40, 90, 40, 10])
    [2.5, 1.0, 2.5, 4.0]
    """
    return [
        sum(other > score for other in scores) + (scores.count(score) + 1) / 2 for score in scores
    ]


def win_shares(scores: Sequence[float]) -> list[float]:
    """What each has of the first place of one game.

    >>> win_shares([90, 40, 90])
    [0.5, 0.0, 0.5]
    """
    best = max(scores)
    return [(score == best) / scores.count(best) for score in scores]
