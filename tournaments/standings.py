"""The table of a tournament, or of a match: a pure function of the games that count."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from tournaments.comparisons import Contrast, Contrasts, contrasts, deals_more, ranks
from tournaments.counting import (
    Meetings,
    Seats,
    Units,
    mean,
    place,
    points,
    seats_of,
    units_of,
    whole,
    whole_prefix,
    win_share,
    worth,
)
from tournaments.intervals import Interval, chance_of_superiority, mean_interval
from tournaments.lines import Entry, line
from tournaments.rankings import Placed, within_games
from tournaments.ratings import bradley_terry
from tournaments.scale import games_of_pairs, rating_of
from tournaments.shapes import Gap, Played, Rating, Standing, Standings
from tournaments.tiebreaks import order_of_duels, order_of_tables

_POINT_OF_ELO: Final = 0.00144  # what it is worth in score, between equals


class _Base(msgspec.Struct, frozen=True):
    """What the table is made from: the games that count, those of whole blocks, units of chance by block."""

    seats: int
    bots: int
    games: Sequence[Played]
    whole: Sequence[Played]
    units: Units


class _Strength(msgspec.Struct, frozen=True):
    """What whole blocks say about the bots that have played, and about every two of them."""

    ratings: Mapping[int, Rating | None]
    contrasts: Contrasts


def standings(
    played: Sequence[Played],
    names: Sequence[str],
    *,
    seats: int,
    versions: Sequence[str | None] = (),
    anchor: int | None = None,
    planned: int | None = None,
    benched: Collection[int] = (),
    deals: Sequence[int] = (),
    every_game: bool = False,
) -> Standings:
    """The table of bots 0, 1, 2 and so on with these names; `played` may come in any order.

    What counts are the whole blocks before the first that is not whole. With `every_game`, for a match that
    plays one game after the other, all games count, and whole blocks are only what intervals and ranks
    come from. `anchor` is the bot whose rating is fixed. `planned` are all games there will be. `deals` is
    the deal of each block when tables share deals: then a deal is the unit of chance. Without it each block
    has its own.
    """
    base = _base(played, seats, len(names), deals, every_game=every_game)
    mine = seats_of(base.bots, base.games)
    meetings = Meetings(base.bots, base.games)
    order = _order(mine, meetings, seats)
    met = meetings.table(base.units)
    strength = _strength(base, anchor)
    places = ranks(strength.ratings, strength.contrasts)
    entries = [
        Entry(
            bot=bot,
            name=names[bot],
            version=versions[bot] if versions else None,
            is_benched=bot in benched,
            ranks=places.get(bot, (1, base.bots)),  # it has not played: it may be any
            rating=strength.ratings.get(bot),
        )
        for bot in order
    ]
    rows = [line(entry, mine[entry.bot], base.units, seats) for entry in entries]
    return Standings(
        seats=seats,
        rows=rows,
        meetings=[[met[one][other] for other in order] for one in order],
        gaps=_gaps(rows, strength.contrasts, base),
        counted=len(base.games),
        played=len(played),
        planned=len(played) if planned is None else planned,
        blocks=len(base.units.of_block),
    )


def _base(
    played: Sequence[Played], seats: int, bots: int, deals: Sequence[int], *, every_game: bool
) -> _Base:
    in_whole = whole(played, seats) if every_game else whole_prefix(played, seats)
    return _Base(
        seats=seats,
        bots=bots,
        games=played if every_game else in_whole,
        whole=in_whole,
        units=units_of(in_whole, deals),
    )


def _order(mine: Sequence[Seats], meetings: Meetings, seats: int) -> list[int]:
    """The bots, the best first; those on a shared place by number."""
    scores = [mean([worth(*each) for each in games]) for games in mine]
    table = meetings.crosstable()
    if seats == 2:
        wins = [sum(points(*each) == 1 for each in games) for games in mine]
        groups = order_of_duels(scores, table, wins)
    else:
        places = [mean([place(*each) for each in games]) for games in mine]
        groups = order_of_tables(scores, table, places, [win_share(games) for games in mine])
    return [bot for group in groups for bot in sorted(group)]


def _strength(base: _Base, anchor: int | None) -> _Strength:
    """Only bots that have played are estimated: nothing is known of a mean that others are part of."""
    bots = sorted({bot for game in base.whole for bot in game.bots})
    if not bots:
        return _Strength({}, {})
    numbers = {bot: number for number, bot in enumerate(bots)}
    duels = bradley_terry(len(bots), games_of_pairs(base.whole, base.units.of_block, numbers))
    found = contrasts(duels if base.seats == 2 else within_games(len(bots), _placed(base, numbers)))
    fixed = None if anchor is None else numbers.get(anchor)
    is_known = anchor is None or fixed is not None
    return _Strength(
        {bot: rating_of(duels, numbers[bot], fixed) if is_known else None for bot in bots},
        {(bots[one], bots[other]): each for (one, other), each in found.items()},
    )


def _placed(base: _Base, numbers: Mapping[int, int]) -> list[Placed]:
    return [
        Placed(
            tuple(numbers[bot] for bot in game.bots), game.scores, base.units.of_block[game.block]
        )
        for game in base.whole
    ]


def _gaps(rows: Sequence[Standing], found: Contrasts, base: _Base) -> list[Gap]:
    tables = {tuple(sorted(game.bots)) for game in base.whole}
    deals = len(base.units.of_block) / max(1, len(tables))
    return [_gap(above, below, found, deals, base.seats) for above, below in pairwise(rows)]


def _gap(above: Standing, below: Standing, found: Contrasts, deals: float, seats: int) -> Gap:
    pair = (above.bot, below.bot)
    contrast = found.get(pair)
    lead = above.score - below.score
    if contrast is None:
        return Gap(lead=lead, interval=None, is_clear=False)
    if seats == 2:
        between = _in_score(contrast, lead)
    else:
        lead, between = contrast.effect, contrast.interval
    return Gap(
        lead=lead,
        interval=between,
        is_clear=contrast.is_clear and contrast.effect > 0,
        deals_more=deals_more(found, pair, deals) if lead > 0 else None,
    )


def _in_score(contrast: Contrast, lead: float) -> Interval:
    """The interval of a difference of Elo as one of scores, whose difference is `lead`."""
    agree = lead * contrast.effect > 0
    unit = lead / contrast.effect if agree else _POINT_OF_ELO
    reach = (contrast.interval.high - contrast.effect) * unit
    return Interval(max(-1.0, lead - reach), min(1.0, lead + reach))


def sentence(played: Sequence[Played], rows: Sequence[Standing]) -> str:
    """What the games of a match say about its bots, in one plain sentence; `rows` in the bots' order."""
    if len(played) == 1:
        return _of_one_game(played[0], rows)
    games = whole(played, len(rows))
    if not games:
        return "Too few games to compare the bots: a deal must be played in every seating."
    units = units_of(games, ())
    scores = [
        units.means((game, worth(game, seat)) for game, seat in mine)[0]
        for mine in seats_of(len(rows), games)
    ]
    return _about_two(scores[0], rows) if len(rows) == 2 else _about_many(scores, rows)


def _of_one_game(game: Played, rows: Sequence[Standing]) -> str:
    winners = [rows[bot].name for seat, bot in enumerate(game.bots) if points(game, seat) == 1]
    return f"{winners[0]} wins ({game.reason})." if winners else f"Draw ({game.reason})."


def _about_two(blocks: Sequence[float], rows: Sequence[Standing]) -> str:
    likely = chance_of_superiority(blocks)
    better, likely = (rows[0].name, likely) if likely >= 0.5 else (rows[1].name, 1 - likely)
    percent = f"{min(99.9, 100 * likely):.1f} % likely"
    if likely >= 0.975:
        return f"{better} is stronger ({percent})."
    if likely >= 0.9:
        return f"{better} is probably stronger ({percent}); more games would tell."
    return f"These games cannot tell the bots apart ({better} stronger: {percent})."


def _about_many(scores: Sequence[Sequence[float]], rows: Sequence[Standing]) -> str:
    """Compares the two best block by block: on the same deals, most of the luck is the same."""
    best, second = sorted(range(len(rows)), key=lambda bot: -rows[bot].score)[:2]
    pairs = zip(scores[best], scores[second], strict=True)
    lead = mean_interval([ours - theirs for ours, theirs in pairs])
    names = f"{rows[best].name} is ahead of {rows[second].name}"
    if lead is None or lead.low <= 0:
        return f"{names}, but these games cannot tell the two apart."
    return f"{names} by {lead.low:.1f} to {lead.high:.1f} points a game (95 %)."
