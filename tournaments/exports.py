"""Standings for programs: one JSON object, or CSV for spreadsheets.

Keys and columns only ever grow; a change of meaning changes `schema`. What is not known is null, and an empty cell;
no number is ever NaN.
"""

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

from referee.match import shown
from tournaments.intervals import Interval
from tournaments.shapes import Gap, Meeting, Standing, Standings

SCHEMA: Final = 1
_FORMULAS: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_LONGEST: Final = 200


def as_json(table: Standings, tally: str = "") -> dict[str, Any]:
    """One object; `bots` with the best first.

    | key | what it is |
    |---|---|
    | `schema` | 1 |
    | `seats` | of a game |
    | `counted`, `played`, `planned` | games: those that count, those that are stored, all there will be |
    | `blocks` | deal blocks that count |
    | `bots` | lines as below, the best bot first |
    | `meetings` | for each line a list: what it did against each line, null where they have not met |
    | `gaps` | between each line and the next |

    A line:

    | key | what it is |
    |---|---|
    | `bot` | its number in the list of bots, from 0 |
    | `name`, `version` | of the bot; the version may be null |
    | `rank` | the best and the last place that the games leave possible |
    | `rating`, `rating_95` | Elo and its interval |
    | `anchor` | whether its rating is fixed |
    | `games`, `wins`, `draws`, `losses` | a win is a sole first place, a draw a shared one |
    | `score`, `score_95` | 0 to 1 with two seats, mean game points with more; its interval |
    | `place`, `win_share` | mean place; share of first places |
    | the game's tally, such as `bids_made` | how often, of how many times |
    | `faults` | how often which |
    | `benched` | whether it is out for not starting |
    | `ms_low`, `ms_median`, `ms_high`, `ms_max` | quartiles of the time of a decision, and the slowest |
    | `peak_kib`, `cpu_ms` | most memory; mean computing time of a game |

    A meeting has `games`, `wins`, `draws`, `losses` (placed above, beside, below), `score`, `score_95`, and
    `difference` of game points. A gap has `lead`, `lead_95`, `clear`, `deals_more`.
    """
    return {
        "schema": SCHEMA,
        "seats": table.seats,
        "counted": table.counted,
        "played": table.played,
        "planned": table.planned,
        "blocks": table.blocks,
        "bots": [_line(row, tally) for row in table.rows],
        "meetings": [[met and _meeting(met) for met in row] for row in table.meetings],
        "gaps": [_gap(gap) for gap in table.gaps],
    }


def as_csv(table: Standings, tally: str = "") -> str:
    """One row a bot under a row of headings.

    A name that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO()
    rows = [_flat(_line(row, tally)) for row in table.rows]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([list(rows[0]), *(list(row.values()) for row in rows)] if rows else [])
    return out.getvalue()


def _line(row: Standing, tally: str) -> dict[str, Any]:
    use = row.time
    return {
        "bot": row.bot,
        "name": row.name,
        "version": row.version,
        "rank": list(row.ranks),
        "rating": row.rating and round(row.rating.elo, 2),
        "rating_95": _ends(row.rating.interval if row.rating else None, 2),
        "anchor": row.rating is not None and row.rating.is_anchor,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "score": row.score if row.games else None,
        "score_95": _ends(row.interval),
        "place": row.place,
        "win_share": row.win_share if row.games else None,
        **({tally.replace(" ", "_"): list(row.tally)} if tally else {}),
        "faults": dict(row.faults),
        "benched": row.is_benched,
        "ms_low": use and round(use.low, 3),
        "ms_median": use and round(use.median, 3),
        "ms_high": use and round(use.high, 3),
        "ms_max": use and round(use.slowest, 3),
        "peak_kib": row.peak_kib,
        "cpu_ms": row.cpu_ms,
    }


def _meeting(met: Meeting) -> dict[str, Any]:
    return {
        "games": met.games,
        "wins": met.wins,
        "draws": met.draws,
        "losses": met.losses,
        "score": met.score,
        "score_95": _ends(met.interval),
        "difference": met.difference,
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "lead": gap.lead,
        "lead_95": _ends(gap.interval),
        "clear": gap.is_clear,
        "deals_more": gap.deals_more,
    }


def _ends(interval: Interval | None, digits: int = 6) -> list[float] | None:
    return None if interval is None else [round(interval.low, digits), round(interval.high, digits)]


def _flat(line: dict[str, Any]) -> dict[str, Any]:
    """Ends of intervals in columns of their own, faults as their number, words that no program runs."""
    flat: dict[str, Any] = {}
    for key, value in line.items():
        if key == "faults":
            flat[key] = sum(value.values())
        elif key in {"name", "version"}:
            flat[key] = None if value is None else _inert(value)
        elif key in {"rank", "rating_95", "score_95"}:
            flat |= _ended(key, value)
        elif isinstance(value, list):
            flat |= {key: value[0], f"{key}_of": value[1]}
        else:
            flat[key] = value
    return flat


def _ended(key: str, ends: Sequence[float] | None) -> dict[str, Any]:
    low, high = ends or (None, None)
    return {f"{key}_low": low, f"{key}_high": high}


def _inert(words: str) -> str:
    safe = shown(words, _LONGEST)
    return f"'{safe}" if safe.lstrip().startswith(_FORMULAS) else safe
