"""From the referee's results to the games that tournaments count."""

from collections import Counter
from collections.abc import Iterable

from referee.results import GameResult
from tournaments.shapes import Forfeit, Played
from tournaments.times import classes_of


def played_of(result: GameResult, block: int, turn: int, numbers: tuple[int, ...]) -> Played:
    """A game that counts; `numbers` are the tournament's numbers of the bots of its block."""
    outcome = result.outcome
    assert outcome
    seats = range(len(result.bots))
    faults = [
        Counter(str(record.code) for record in result.faults_seen if record.seat == seat)
        for seat in seats
    ]
    usage = result.usage or [None] * len(seats)
    return Played(
        block=block,
        turn=turn,
        bots=tuple(numbers[bot] for bot in result.bots),
        scores=outcome.scores,
        places=outcome.places,
        reason=outcome.reason,
        verdicts=tuple(str(verdict) for verdict in result.verdicts),
        faults=tuple(dict(each) for each in faults),
        times=tuple(classes_of(1000 * took for took in times) for times in result.seconds),
        slowest=tuple(max(times) * 1000 if times else None for times in result.seconds),
        tallies=result.tallies,
        peak_kib=tuple(used.peak_kib if used else None for used in usage),
        cpu_ms=tuple(used.cpu_ms if used else None for used in usage),
        forfeits=tuple(
            Forfeit(seat=each.seat, step=each.step or 0, code=str(each.fault), why=each.why)
            for each in result.forfeits
        ),
        game=result.game,
        steps=len(result.actions),
    )


def played_of_match(results: Iterable[GameResult]) -> list[Played]:
    """The games of a match that count: its deals are the blocks. Void games are left out."""
    games: list[Played] = []
    turns: Counter[int] = Counter()
    for result in results:
        if result.outcome:
            numbers = tuple(range(len(result.bots)))
            games.append(played_of(result, result.deal_no, turns[result.deal_no], numbers))
            turns[result.deal_no] += 1
    return games
