"""Tournaments made up by hand: every kind of row, cell and name that the page has to show."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from tournaments.intervals import Interval
from tournaments.page import EventFacts, Notable
from tournaments.shapes import Gap, Meeting, Rating, Standing, Standings, TimeUse

LONG: Final = "Mwmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
HOSTILE: Final = "</title><script>alert(1)</script>"
HEBREW: Final = "שחקן 7"
OVERRIDE: Final = "abc\u202edcb"

CUTTLE: Final = EventFacts(
    name="Autumn league",
    game="Cuttle",
    options="ruleset=cuttle.cards",
    format="round robin",
    tables=21,
    deals=20,
    restart="game",
    isolation="bwrap: no network, private files, own processes",
    seed="secret until the end",
    versions={"rules": "cuttle 1", "protocol": "1"},
    limits=("1000 ms a move", "60 s a game", "1024 MiB of memory", "64 processes"),
    move_ms=1000,
    program="croupier 0.3.0",
    closest=(
        Notable(text="deepcut 21, countess 20, after 61 steps", log="logs/0003-04.jsonl", game=2),
        Notable(text="mctslite 21, greedy-rs 19", log="logs/0027-01.jsonl", game=1),
    ),
    upsets=(Notable(text="builtin:random beats deepcut", log="logs/0011-19.jsonl", game=2),),
    longest=(Notable(text="countess – mctslite, 212 steps", log="logs/0008-02.jsonl", game=1),),
    forfeits=(
        Notable(
            text="scuttler, step 9: timeout: no answer within 1000 ms",
            log="logs/0019-04.jsonl",
            game=2,
        ),
        Notable(
            text="scuttler, step 31: crashed: exited with signal 11 (SIGSEGV)",
            log="logs/it's odd/<b>&.jsonl",
            game=1,
        ),
    ),
)
WIZARD: Final = msgspec.structs.replace(
    CUTTLE,
    game="Wizard",
    options="",
    format="all tables",
    tables=35,
    deals=24,
    isolation="posix: trusted bots only (a bot could tamper with the others)",
    seed="20261130",
    versions={"rules": "wizard 1", "protocol": "1"},
    tally="bids kept",
)
NAMES: Final = (
    "deepcut", "greedy-rs", "countess", "mctslite", "builtin:greedy", "scuttler", "builtin:random",
)  # fmt: skip
ELO: Final = (1687, 1598, 1583, 1544, 1500, 1371, 1092)
RANKS: Final = ((1, 1), (2, 3), (2, 3), (4, 4), (5, 5), (6, 6), (7, 7))
TIMES: Final = (
    TimeUse(low=18, median=38, high=85, slowest=212),
    TimeUse(low=0.2, median=0.4, high=0.9, slowest=3),
    TimeUse(low=6, median=12, high=27, slowest=140),
    TimeUse(low=30, median=64, high=140, slowest=995),
    TimeUse(low=0, median=0.2, high=0.2, slowest=1),
    TimeUse(low=0.1, median=0.1, high=0.2, slowest=1021),
    None,
)


def league(seats: int, names: Sequence[str] = NAMES) -> Standings:
    """Seven bots that have played everything."""
    games = 840
    rows = [_standing(bot, name, seats) for bot, name in enumerate(names)]
    return Standings(
        seats=seats,
        rows=rows,
        meetings=[[_meeting(a, b, seats) for b in range(len(rows))] for a in range(len(rows))],
        gaps=[_gap(above) for above in range(len(rows) - 1)],
        counted=games,
        played=games,
        planned=games,
        blocks=games // seats,
    )


def _expected(bot: int, other: int) -> float:
    return 1 / (1 + 10 ** ((ELO[other] - ELO[bot]) / 400))


def _standing(bot: int, name: str, seats: int) -> Standing:
    others = [_expected(bot, other) for other in range(len(ELO)) if other != bot]
    score = sum(others) / len(others)
    points = score if seats == 2 else 310 * score - 40
    reach = 0.05 if seats == 2 else 9.5
    games = 240 if seats == 2 else 480
    wins = round(games * score)
    is_anchor = name == "builtin:greedy"
    return Standing(
        bot=bot,
        name=name,
        version=None if name.startswith("builtin") else ("3fe1c09a", "1.2")[bot % 2],
        ranks=RANKS[bot],
        games=games,
        wins=wins,
        draws=4,
        losses=games - wins - 4,
        score=points,
        interval=Interval(points - reach, points + reach),
        place=None if seats == 2 else seats - (seats - 1) * score,
        win_share=score**2,
        rating=Rating(
            ELO[bot],
            None if is_anchor else Interval(ELO[bot] - 18 - bot, ELO[bot] + 18 + bot),
            is_anchor=is_anchor,
        ),
        tally=(int(700 * score), 1200),
        faults=_faults(bot),
        is_benched=bot == 6,
        time=TIMES[bot],
        peak_kib=None if name.startswith("builtin") else 24_000 + 9000 * bot,
        cpu_ms=None if name.startswith("builtin") else 1900 / (bot + 1),
    )


def _faults(bot: int) -> Mapping[str, int]:
    return {5: {"timeout": 2, "crashed": 1}, 6: {"no_start": 12}}.get(bot, {})


def _meeting(bot: int, other: int, seats: int) -> Meeting | None:
    if bot == other or {bot, other} == {3, 6}:
        return None
    score = _expected(bot, other)
    games = 40 if seats == 2 else 240
    wins = min(games - 1, round(games * score))
    return Meeting(
        games=games,
        wins=wins,
        draws=1,
        losses=games - wins - 1,
        score=score,
        interval=Interval(max(0, score - 0.07), min(1, score + 0.07)),
        difference=None if seats == 2 else 200 * (score - 0.5),
    )


def _gap(above: int) -> Gap:
    if above == 1:
        return Gap(lead=0.02, interval=Interval(-0.03, 0.07), is_clear=False, deals_more=60)
    return Gap(lead=0.1, interval=Interval(0.04, 0.16), is_clear=True)


def small(seats: int, names: Sequence[str]) -> Standings:
    """Some bots in the middle of a tournament; the last has not played, its numbers are unknown."""
    whole = league(seats, [*names, *NAMES[len(names) :]])
    last = msgspec.structs.replace(
        whole.rows[len(names) - 1],
        games=0,
        wins=0,
        draws=0,
        losses=0,
        score=0.0,
        interval=None,
        place=None,
        win_share=0.0,
        rating=None,
        tally=(0, 0),
        time=None,
        peak_kib=None,
        cpu_ms=None,
    )
    rows = [*whole.rows[: len(names) - 1], last]
    rows[0] = msgspec.structs.replace(
        rows[0], interval=None, rating=Rating(1687.4, None), version=HOSTILE
    )
    return msgspec.structs.replace(
        whole,
        rows=rows,
        meetings=[[*line[: len(rows) - 1], None] for line in list(whole.meetings)[: len(rows)]],
        gaps=list(whole.gaps)[: len(rows) - 1],
        counted=520,
        played=553,
    )


def empty(seats: int) -> Standings:
    """Nothing was played yet."""
    rows = [
        Standing(
            bot=bot,
            name=name,
            ranks=(1, len(NAMES)),
            games=0,
            wins=0,
            draws=0,
            losses=0,
            score=0.0,
            interval=None,
            place=None,
            win_share=0.0,
            rating=None,
            faults={},
            time=None,
        )
        for bot, name in enumerate(NAMES)
    ]
    return Standings(
        seats=seats,
        rows=rows,
        meetings=[[None] * len(rows)] * len(rows),
        gaps=[Gap(lead=0, interval=None, is_clear=False)] * (len(rows) - 1),
        counted=0,
        played=0,
        planned=840,
        blocks=0,
    )
