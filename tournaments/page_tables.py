"""The tables of the page: what the games say about the bots."""

from collections.abc import Mapping, Sequence
from typing import Final

from protocol.faults import MEANING, FaultCode
from tournaments.markup import Markup, Node, joined, name_of, tag
from tournaments.page_charts import (
    Axis,
    estimate_axis,
    estimate_row,
    estimates,
    time_axis,
    time_row,
)
from tournaments.page_style import STEPS
from tournaments.page_words import (
    UNKNOWN,
    duration,
    fixed,
    is_finite,
    memory,
    percent,
    plural,
    ranks,
    reach,
    signed,
    span,
)
from tournaments.shapes import Gap, Meeting, Rating, Standing, Standings, TimeUse

_VERSION_SHOWN: Final = 24
_NONE: Final = "–"


def section(title: str, *parts: Node) -> Markup:
    """A heading and what belongs to it."""
    return tag("section", tag("h2", title), *parts)


def table(caption: str, heads: Sequence[Markup], rows: Sequence[Markup], kind: str = "") -> Markup:
    """A table that scrolls by itself where the page is narrow, with keys as well as with fingers."""
    content = tag(
        "table",
        tag("caption", tag("span", caption, class_="hidden")),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
        class_=kind or None,
    )
    return tag("div", content, class_="scroll", role="region", tabindex="0", aria_label=caption)


def head(*words: Node, kind: str | None = None, title: str | None = None) -> Markup:
    """The heading of a column."""
    return tag("th", *words, scope="col", class_=kind, title=title)


def cell(*words: Node, kind: str | None = None, title: str | None = None) -> Markup:
    """A cell with a number in it."""
    return tag("td", *words, class_=kind, title=title)


def small(words: Node) -> Markup:
    """The lesser line of a cell."""
    return tag("small", words)


def bot(row: Standing) -> Markup:
    """The heading of a bot's row."""
    return tag("th", name_of(row.name), scope="row")


def rank_list(standings: Standings, tally: str) -> Markup:
    """Who is where, how sure that is, and what it comes from."""
    found = estimates(standings.rows)
    axis = estimate_axis(found, standings.seats)
    has_ratings = any(row.rating for row in standings.rows)
    heads = [head("rank"), head("bot", kind="left")]
    heads += [head("rating")] if has_ratings else []
    heads += [head(axis.head(_axis_label(axis, standings)), kind="axis")] if axis else []
    heads += [head(words) for words in _result_heads(standings.seats, tally)]
    rows = []
    for row, each in zip(standings.rows, found, strict=True):
        cells = [cell(ranks(row)), _who(row)]
        cells += [_rating(row.rating)] if has_ratings else []
        cells += [cell(estimate_row(each, axis), kind="axis")] if axis else []
        rows.append(tag("tr", *cells, *_results(row, standings.seats, tally)))
    return table("Rank list", heads, rows)


def _axis_label(axis: Axis, standings: Standings) -> str:
    what = "rating" if any(row.rating for row in standings.rows) else "score"
    return f"{what} with its 95 % interval, from {axis.marks[0][1]} to {axis.marks[-1][1]}"


def _who(row: Standing) -> Markup:
    notes = [small(name_of(row.version, _VERSION_SHOWN))] if row.version else []
    notes += [tag("small", "benched", class_="bad")] if row.is_benched else []
    return tag("th", name_of(row.name), *notes, scope="row")


def _rating(rating: Rating | None) -> Markup:
    if rating is None or not is_finite(rating.elo):
        return cell(UNKNOWN, kind="dim")
    return cell(tag("b", fixed(rating.elo, 0)), small(reach(rating)))


def _result_heads(seats: int, tally: str) -> list[str]:
    own = ["score", "won–drawn–lost"] if seats == 2 else ["points", "mean place", "first"]
    return [*own, *([tally] if tally else []), "games", "faults"]


def _results(row: Standing, seats: int, tally: str) -> list[Markup]:
    own = _of_two(row) if seats == 2 else _of_many(row)
    counted, of = row.tally
    share = [cell(percent(counted / of) if of else _NONE)] if tally else []
    count = sum(row.faults.values())
    faults = cell(str(count), kind="bad" if count else "dim")
    return [*own, *share, cell(str(row.games)), faults]


def _of_two(row: Standing) -> list[Markup]:
    if not row.games:
        return [cell(_NONE), cell(_NONE)]
    score = cell(percent(row.score), small(span(row.interval, 100)))
    return [score, cell(f"{row.wins}–{row.draws}–{row.losses}")]


def _of_many(row: Standing) -> list[Markup]:
    if not row.games:
        return [cell(_NONE), cell(_NONE), cell(_NONE)]
    return [
        cell(fixed(row.score), small(span(row.interval))),
        cell(_NONE if row.place is None else fixed(row.place, 2)),
        cell(percent(row.win_share)),
    ]


def undecided(standings: Standings) -> list[Markup]:
    """A sentence for each two neighbours whose order the games leave open."""
    rows = standings.rows
    return [
        _open_order(above, below, gap)
        for above, below, gap in zip(rows, rows[1:], standings.gaps, strict=False)
        if not gap.is_clear and above.games and below.games
    ]


def _open_order(above: Standing, below: Standing, gap: Gap) -> Markup:
    more = gap.deals_more
    would = f"; about {plural(more, 'more deal')} a table would" if more else ""
    names = joined([name_of(above.name), name_of(below.name)], " and ")
    return tag("li", "The games cannot tell ", names, f" apart{would}.")


def heat_map(standings: Standings) -> Markup:
    """What every line did against every other, coloured from orange (below) to blue (above)."""
    rows = standings.rows
    heads = [head("bot", kind="left")]
    for place, row in enumerate(rows, 1):
        other = tag("span", " ", name_of(row.name), class_="hidden")
        heads.append(head(str(place), other, title=row.name))
    body = []
    for place, row in enumerate(rows):
        name = tag("th", f"{place + 1} ", name_of(row.name), scope="row")
        cells = [
            cell(_NONE, kind="self dim")
            if place == other
            else _meeting(standings.meetings[place][other], standings.seats)
            for other in range(len(rows))
        ]
        body.append(tag("tr", name, *cells))
    return table("Head to head", heads, body, "heat")


def _meeting(met: Meeting | None, seats: int) -> Markup:
    if met is None or not met.games or not is_finite(met.score):
        return cell(_NONE, kind="dim", title="never met")
    step = min(STEPS, max(0, int(met.score * STEPS + 0.5)))
    counts = f"{met.wins}–{met.draws}–{met.losses}"
    if seats == 2:
        below = counts
        told = f"won {met.wins}, drawn {met.draws}, lost {met.losses}"
    else:
        below = "" if met.difference is None else signed(met.difference)
        told = f"above {met.wins}, level {met.draws}, below {met.losses}"
    title = f"{told}; 95 % interval {span(met.interval, 100)}"
    return cell(fixed(100 * met.score, 0), small(below), kind=f"h{step}", title=title)


def fault_table(rows: Sequence[Standing]) -> Markup:
    """How often who did what; kinds that did not occur have no column."""
    faulty = [row for row in rows if any(row.faults.values())]
    kinds = sorted({kind for row in faulty for kind, count in row.faults.items() if count})
    if not faulty:
        return tag("p", "None.")
    heads = [head("bot", kind="left"), *(head(_plain(kind)) for kind in kinds)]
    body = [tag("tr", bot(row), *_counts(row.faults, kinds)) for row in faulty]
    known = [(kind, MEANING[FaultCode(kind)]) for kind in kinds if kind in set(FaultCode)]
    meanings = [
        tag("li", tag("b", _plain(kind)), f": {meaning.replace('`', '')}")
        for kind, meaning in known
    ]
    return joined([table("Faults by kind", heads, body), tag("ul", *meanings, class_="dim")])


def _counts(faults: Mapping[str, int], kinds: Sequence[str]) -> list[Markup]:
    counts = [faults.get(kind, 0) for kind in kinds]
    return [cell(str(count), kind="bad" if count else "dim") for count in counts]


def _plain(kind: str) -> str:
    return kind.replace("_", " ")


def time_table(rows: Sequence[Standing], limit_ms: float | None) -> Markup | None:
    """How long the bots thought, and what else they used; None when nobody was asked."""
    asked = [(row, row.time) for row in rows if row.time and _is_drawable(row.time)]
    if not asked:
        return None
    axis = time_axis([use for _, use in asked], limit_ms)
    label = f"time per move, from {axis.marks[0][1]} to {axis.marks[-1][1]}, logarithmic"
    uses_more = any(row.cpu_ms is not None or row.peak_kib is not None for row, _ in asked)
    more = [head("computing a game"), head("memory")] if uses_more else []
    heads = [head("bot", kind="left"), head(axis.head(label), kind="axis")]
    heads += [head("median"), head("slowest"), *more]
    body = [
        tag(
            "tr",
            bot(row),
            cell(time_row(use, axis, limit_ms), kind="axis"),
            cell(duration(use.median)),
            cell(duration(use.slowest), kind=_over(use.slowest, limit_ms)),
            *(_usage(row) if uses_more else []),
        )
        for row, use in asked
    ]
    return table("Time per move", heads, body)


def _is_drawable(use: TimeUse) -> bool:
    return is_finite(use.low, use.median, use.high, use.slowest)


def _over(slowest: float, limit_ms: float | None) -> str | None:
    return "bad" if limit_ms and slowest >= limit_ms else None


def _usage(row: Standing) -> list[Markup]:
    return [
        cell(_NONE if row.cpu_ms is None else duration(row.cpu_ms)),
        cell(memory(row.peak_kib)),
    ]
