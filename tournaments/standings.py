"""A table from results: a pure function of the games that were played."""

from collections.abc import Sequence
from statistics import median

import msgspec

from referee.results import GameResult
from tournaments.ratings import Interval, chance_of_superiority, score_interval


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line. `score` is 0 to 1: wins, and half of draws, over games that counted.

    Its interval is over whole deal blocks. Times in milliseconds; None when it was never asked.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: Interval | None
    faults: int
    ms_median: float | None
    ms_max: float | None


def points(result: GameResult, bot: int) -> float:
    """1 for a sole first place, one half for a shared one, else 0."""
    assert result.outcome
    places = result.outcome.places
    if places[result.bots.index(bot)] > 1:
        return 0.0
    return 1.0 if places.count(1) == 1 else 0.5


def block_scores(results: Sequence[GameResult], bot: int) -> list[float]:
    """A bot's mean score in each whole deal block: one deal, every seating, no game void."""
    blocks: dict[int, list[GameResult]] = {}
    for result in results:
        blocks.setdefault(result.deal_no, []).append(result)
    return [
        sum(points(result, bot) for result in block) / len(block)
        for block in blocks.values()
        if len(block) == len(block[0].bots) and all(result.outcome for result in block)
    ]


def standings(results: Sequence[GameResult], names: Sequence[str]) -> list[Standing]:
    """One line a bot, in the bots' order."""
    return [_standing(results, bot, name) for bot, name in enumerate(names)]


def _standing(results: Sequence[GameResult], bot: int, name: str) -> Standing:
    counted = [result for result in results if result.outcome]
    scores = [points(result, bot) for result in counted]
    times = [
        1000 * seconds for result in counted for seconds in result.seconds[result.bots.index(bot)]
    ]
    return Standing(
        name=name,
        games=len(counted),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=sum(scores) / len(scores) if scores else 0.0,
        interval=score_interval(block_scores(counted, bot)),
        faults=sum(result.faults[result.bots.index(bot)] for result in counted),
        ms_median=median(times) if times else None,
        ms_max=max(times) if times else None,
    )


def sentence(results: Sequence[GameResult], names: Sequence[str]) -> str:
    """What the games say about two bots, in one plain sentence."""
    if len(results) == 1 and (outcome := results[0].outcome):
        winners = [names[bot] for bot in results[0].bots if points(results[0], bot) == 1]
        return f"{winners[0]} wins ({outcome.reason})." if winners else f"Draw ({outcome.reason})."
    blocks = block_scores(results, 0)
    if not blocks:
        return "Too few games to compare the bots: a deal must be played in both seats."
    likely = chance_of_superiority(blocks)
    better, likely = (names[0], likely) if likely >= 0.5 else (names[1], 1 - likely)
    percent = f"{min(99.9, 100 * likely):.1f} % likely"
    if likely >= 0.975:
        return f"{better} is stronger ({percent})."
    if likely >= 0.9:
        return f"{better} is probably stronger ({percent}); more games would tell."
    return f"These games cannot tell the bots apart ({better} stronger: {percent})."
