"""A table from results: a pure function of the games that were played.

With two seats a game is won, drawn or lost, and a score is between 0 and 1. With more, it is game
points that count: they say more about the bots than places do.
"""

from collections.abc import Sequence
from statistics import median

import msgspec

from referee.results import GameResult
from tournaments.intervals import (
    Interval,
    chance_of_superiority,
    mean_interval,
    score_interval,
)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line over the games that counted.

    `score` is 0 to 1 with two seats (wins, and half of draws), and the mean of game points with
    more; its interval is over whole deal blocks. A win is a sole first place, a draw a shared one.
    `place` is the mean place, `tally` how often the game's tally counted, and of how many times. `peak_kib` is the most memory in any game, `cpu_ms` the mean computing time of a game; None for
    built-in bots. Times in milliseconds; None when the bot was never asked.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: Interval | None
    place: float | None
    tally: tuple[int, int]
    faults: int
    ms_median: float | None
    ms_max: float | None
    peak_kib: int | None = None
    cpu_ms: float | None = None


def points(result: GameResult, bot: int) -> float:
    """1 for a sole first place, one half for a shared one, else 0."""
    assert result.outcome
    places = result.outcome.places
    if places[result.bots.index(bot)] > 1:
        return 0.0
    return 1.0 if places.count(1) == 1 else 0.5


def score_of(result: GameResult, bot: int) -> float:
    """What the game counts for the bot: points of a win with two seats, game points with more."""
    assert result.outcome
    if len(result.bots) == 2:
        return points(result, bot)
    return result.outcome.scores[result.bots.index(bot)]


def block_scores(results: Sequence[GameResult], bot: int) -> list[float]:
    """A bot's mean score in each whole deal block: one deal, every seating, no game void."""
    blocks: dict[int, list[GameResult]] = {}
    for result in results:
        blocks.setdefault(result.deal_no, []).append(result)
    return [
        sum(score_of(result, bot) for result in block) / len(block)
        for block in blocks.values()
        if len(block) == len(block[0].bots) and all(result.outcome for result in block)
    ]


def standings(results: Sequence[GameResult], names: Sequence[str]) -> list[Standing]:
    """One line a bot, in the bots' order."""
    return [_standing(results, bot, name) for bot, name in enumerate(names)]


def _standing(results: Sequence[GameResult], bot: int, name: str) -> Standing:
    counted = [result for result in results if result.outcome]
    ends = [points(result, bot) for result in counted]
    scores = [score_of(result, bot) for result in counted]
    times = [
        1000 * seconds for result in counted for seconds in result.seconds[result.bots.index(bot)]
    ]
    places = [result.outcome.places[result.bots.index(bot)] for result in counted if result.outcome]
    blocks = block_scores(counted, bot)
    usage = [
        used for result in counted if result.usage if (used := result.usage[result.bots.index(bot)])
    ]
    is_duel = bool(counted) and len(counted[0].bots) == 2
    return Standing(
        name=name,
        games=len(counted),
        wins=ends.count(1.0),
        draws=ends.count(0.5),
        losses=ends.count(0.0),
        score=sum(scores) / len(scores) if scores else 0.0,
        interval=score_interval(blocks) if is_duel else mean_interval(blocks),
        place=sum(places) / len(places) if places else None,
        tally=_tally(counted, bot),
        faults=sum(result.faults[result.bots.index(bot)] for result in counted),
        ms_median=median(times) if times else None,
        ms_max=max(times) if times else None,
        peak_kib=max((used.peak_kib for used in usage), default=None),
        cpu_ms=sum(used.cpu_ms for used in usage) / len(usage) if usage else None,
    )


def _tally(results: Sequence[GameResult], bot: int) -> tuple[int, int]:
    pairs = [result.tallies[result.bots.index(bot)] for result in results if result.tallies]
    return sum(counted for counted, _ in pairs), sum(of for _, of in pairs)


def sentence(results: Sequence[GameResult], rows: Sequence[Standing]) -> str:
    """What the games say about the bots, in one plain sentence."""
    names = [row.name for row in rows]
    if len(results) == 1 and (outcome := results[0].outcome):
        winners = [names[bot] for bot in results[0].bots if points(results[0], bot) == 1]
        return f"{winners[0]} wins ({outcome.reason})." if winners else f"Draw ({outcome.reason})."
    blocks = block_scores(results, 0)
    if not blocks:
        return "Too few games to compare the bots: a deal must be played in every seating."
    return _about_two(blocks, names) if len(rows) == 2 else _about_many(results, rows)


def _about_two(blocks: Sequence[float], names: Sequence[str]) -> str:
    likely = chance_of_superiority(blocks)
    better, likely = (names[0], likely) if likely >= 0.5 else (names[1], 1 - likely)
    percent = f"{min(99.9, 100 * likely):.1f} % likely"
    if likely >= 0.975:
        return f"{better} is stronger ({percent})."
    if likely >= 0.9:
        return f"{better} is probably stronger ({percent}); more games would tell."
    return f"These games cannot tell the bots apart ({better} stronger: {percent})."


def _about_many(results: Sequence[GameResult], rows: Sequence[Standing]) -> str:
    """Compares the two best block by block: on the same deals, most of the luck is the same."""
    order = sorted(range(len(rows)), key=lambda bot: -rows[bot].score)
    best, second = order[:2]
    pairs = zip(block_scores(results, best), block_scores(results, second), strict=True)
    lead = mean_interval([ours - theirs for ours, theirs in pairs])
    names = f"{rows[best].name} is ahead of {rows[second].name}"
    if lead is None or lead.low <= 0:
        return f"{names}, but these games cannot tell the two apart."
    return f"{names} by {lead.low:.1f} to {lead.high:.1f} points a game (95 %)."
