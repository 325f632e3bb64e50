"""A tournament as one page of HTML, to be published as it is.

One file that asks for nothing else: no script, no font, no picture from elsewhere. Pure: the same
values give the same bytes. What the tables hold is written in `tournaments.page_tables`.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

import msgspec

from tournaments.markup import Markup, Node, joined, name_of, tag
from tournaments.page_style import STYLE
from tournaments.page_tables import (
    fault_table,
    heat_map,
    rank_list,
    section,
    time_table,
    undecided,
)
from tournaments.page_words import plural, progress
from tournaments.shapes import Standings

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_TITLE_SHOWN: Final = 120
_REASON_SHOWN: Final = 300
_RANKS: Final = (
    "The best bot is first. A shared rank such as 2–3 says that the games leave several places "
    "possible. A bar is the 95 % interval."
)
_NO_GAMES: Final = ("No games count yet.",)
_RESTARTS: Final = {
    "game": "every bot is started anew for each game, so that none remembers a deal",
    "never": "bots go on from game to game; one that remembers a deal meets it again in another seat",
}


class Notable(msgspec.Struct, frozen=True, kw_only=True):
    """A game worth a look: what is notable, its log (relative to the page), its number there."""

    text: str
    log: str
    game: int


class EventFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the page says of a tournament beside its standings.

    `options`, `format`, `isolation`, `limits` and `seed` (such as "secret until the end") are in
    words, `restart` as on the command line. `versions` are those of anything that decides results,
    such as rules. `tally` is the heading of what the game counts beside scores. `move_ms` is the
    limit of a decision in milliseconds. `deals` are those of each table. Commands name files
    as seen from the folder of the page.
    """

    name: str
    game: str
    options: str = ""
    format: str
    tables: int
    deals: int
    shares_deals: bool = False
    restart: str
    isolation: str
    seed: str
    versions: Mapping[str, str]
    limits: Sequence[str]
    move_ms: float | None = None
    program: str
    tally: str = ""
    closest: Sequence[Notable] = ()
    upsets: Sequence[Notable] = ()
    longest: Sequence[Notable] = ()
    forfeits: Sequence[Notable] = ()


def page(event: EventFacts, standings: Standings) -> str:
    """The whole page."""
    sections = [
        _ranks(event, standings),
        tag(
            "div",
            _meetings(standings),
            section("Faults", fault_table(standings.rows)),
            class_="pair",
        ),
        _times(event, standings),
        _notable(event),
        _how_played(event, standings),
        _how_to_check(),
    ]
    body = tag(
        "body",
        _headline(event, standings),
        tag("main", *sections),
        tag("footer", f"Written by {event.program}."),
    )
    return f"<!DOCTYPE html>\n{tag('html', _head(event), body, lang='en').text}"


def _head(event: EventFacts) -> Markup:
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{event.name} – {event.game} – standings"),
        tag("style", Markup(STYLE)),
    )


def _headline(event: EventFacts, standings: Standings) -> Markup:
    facts = [event.game, f"{standings.seats} seats", event.options, progress(standings)]
    return tag(
        "header",
        tag("h1", name_of(event.name, _TITLE_SHOWN)),
        tag("p", " · ".join(fact for fact in facts if fact), class_="dim"),
    )


def _ranks(event: EventFacts, standings: Standings) -> Markup:
    if not standings.rows:
        return section("Standings", tag("p", "No bots."))
    return section(
        "Standings",
        tag("p", *(_legend(standings) if standings.counted else _NO_GAMES), class_="dim"),
        rank_list(standings, event.tally),
        _list(undecided(standings)),
    )


def _legend(standings: Standings) -> list[Node]:
    """What there is to know before reading the rank list."""
    anchors = [row.name for row in standings.rows if row.rating and row.rating.is_anchor]
    ring: list[Node] = (
        [" The rating of ", name_of(anchors[0]), " is given: a ring."] if anchors else []
    )
    return [_RANKS, *ring]


def _list(items: Sequence[Markup]) -> Node:
    return tag("ul", *items) if items else ""


def _meetings(standings: Standings) -> Node:
    if not any(met and met.games for line in standings.meetings for met in line):
        return ""
    words = (
        "How much the row scored against the column, in per cent; below it games won, drawn and lost."
        if standings.seats == 2
        else "How often the row was placed above the column in the games of both, in per cent; sharing a place counts "
        "half. Below it the mean difference of their points."
    )
    return section("Head to head", tag("p", words, class_="dim"), heat_map(standings))


def _times(event: EventFacts, standings: Standings) -> Node:
    times = time_table(standings.rows, event.move_ms)
    if times is None:
        return ""
    limit = " Dashed: the limit." if event.move_ms else ""
    words = f"On a logarithmic scale. Box: the middle half of all moves, with the median. Line: up to the slowest.{limit}"
    return section("Time per move", tag("p", words, class_="dim"), times)


def _notable(event: EventFacts) -> Node:
    lists = {
        "Closest": event.closest,
        "Upsets": event.upsets,
        "Longest": event.longest,
        "Lost by a fault": event.forfeits,
    }
    parts = [
        tag("div", tag("h3", title), tag("ul", *map(_game, games), class_="games"))
        for title, games in lists.items()
        if games
    ]
    return section("Games to look at", tag("div", *parts, class_="lists")) if parts else ""


def _game(game: Notable) -> Markup:
    words = f"croupier replay {shlex.quote(game.log)} --game {game.game}"
    # "./" keeps a name such as "//host" or "data:" from being anything but a file beside the page.
    address = f"./{quote(game.log, errors='replace')}"
    link = tag("a", f"log, game {game.game}", href=address)
    return tag("li", name_of(game.text, _REASON_SHOWN), " (", link, ")", tag("code", words))


def _how_played(event: EventFacts, standings: Standings) -> Markup:
    facts: dict[str, str] = {
        "game": f"{event.game}, {event.options or 'with the usual options'}",
        "format": event.format,
        "games": _games(event, standings),
        "seats": _seatings(standings.seats),
        "deals": "the same for all tables" if event.shares_deals else "each table has its own",
        "restart": _RESTARTS.get(event.restart, event.restart),
        "isolation": event.isolation,
        "limits": ", ".join(event.limits) or "none",
        "seed": event.seed,
        "versions": ", ".join(f"{what} {version}" for what, version in event.versions.items()),
        "intervals": "95 %. The unit of chance is the block: one table, one deal, every seating. Only whole blocks "
        "count, in the order of the schedule, whatever is finished first.",
        "ratings": "100 points more mean an expected score of 64 % against the other, over the deals of such a "
        "tournament.",
    }
    if not any(row.rating for row in standings.rows):
        del facts["ratings"]
    terms = [joined([tag("dt", term), tag("dd", words)]) for term, words in facts.items() if words]
    return section("How it was played", tag("dl", *terms, class_="facts"))


def _games(event: EventFacts, standings: Standings) -> str:
    tables, deals = plural(event.tables, "table"), plural(event.deals, "deal")
    seatings = plural(standings.seats, "seating")
    return f"{tables} × {deals} × {seatings}; {progress(standings)}"


def _seatings(seats: int) -> str:
    if seats == 2:
        return "each deal is played twice, with the seats changed"
    return f"each deal is played {seats} times, and every bot has every seat once"


def _how_to_check() -> Markup:
    return section(
        "How to check",
        tag(
            "p",
            "Every game has a log. This command, run in the folder of this page, plays them again by the rules and "
            "names the first line that is wrong:",
        ),
        tag("p", tag("code", "croupier verify .")),
    )
