"""The page of a tournament: what it says, and that nothing from outside becomes a part of it."""

import math
import re
import shlex
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match import shown
from tests.pages.examples import (
    CUTTLE,
    HEBREW,
    HOSTILE,
    LONG,
    OVERRIDE,
    WIZARD,
    empty,
    league,
    small,
)
from tests.pages.reading import Reader
from tournaments import page_style
from tournaments.intervals import Interval
from tournaments.page import EventFacts, Notable, page
from tournaments.page_style import DARK, HEAT_DARK, HEAT_LIGHT, LIGHT, READABLE, STEPS, STYLE
from tournaments.page_words import reach
from tournaments.shapes import Rating, TimeUse

FOLDER: Final = Path(__file__).parent
REMEDY: Final = "if that is meant: pytest tests/pages --regenerate, and read the difference"
ODD: Final = (HOSTILE, HEBREW, "a & \"b\" 'c' 😀", OVERRIDE)
GOLDEN: Final = {
    "two_seats.html": (
        msgspec.structs.replace(CUTTLE, name=f"{HOSTILE}{OVERRIDE}"),
        small(2, ODD),
    ),
    "four_seats.html": (WIZARD, small(4, [*ODD, LONG, "scuttler"])),
}
COMMON: Final = {"class"}
SHAPE: Final = {"x1", "y1", "x2", "y2", "x", "y", "cx", "cy", "r", "width", "height", "text-anchor"}
ALLOWED: Final[Mapping[str, set[str]]] = (
    dict.fromkeys(
        [
            "html",
            "head",
            "title",
            "style",
            "body",
            "header",
            "main",
            "footer",
            "section",
            "h1",
            "h2",
            "h3",
            "p",
            "b",
            "bdi",
            "small",
            "span",
            "ul",
            "li",
            "code",
            "table",
            "caption",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "dl",
            "dt",
            "dd",
            "div",
            "a",
            "svg",
            "line",
            "circle",
            "rect",
            "text",
        ],
        COMMON,
    )
    | dict.fromkeys(("line", "circle", "rect", "text"), COMMON | SHAPE)
    | {
        "html": {"lang"},
        "meta": {"charset", "name", "content", "http-equiv"},
        "svg": {"width", "height", "viewbox", "role", "aria-label", "aria-hidden"},
        "div": {"class", "role", "tabindex", "aria-label"},
        "th": {"scope", "class", "title"},
        "td": {"class", "title"},
        "a": {"href"},
    }
)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_page_is_as_it_is_written(name: str, pytestconfig: pytest.Config) -> None:
    file, fresh = FOLDER / name, page(*GOLDEN[name])
    if pytestconfig.getoption("--regenerate"):
        file.write_text(fresh, encoding="utf-8")
    stored = file.read_text(encoding="utf-8")
    difference = unified_diff(stored.splitlines(), fresh.splitlines(), "written", "made", n=0)
    if told := "\n".join(difference):
        pytest.fail(f"{file}\n{told}\n{REMEDY}", pytrace=False)


def test_every_written_page_is_one_of_these() -> None:
    assert {file.name for file in FOLDER.glob("*.html")} == set(GOLDEN)


def test_the_rank_list_of_two_seats() -> None:
    assert Reader(page(CUTTLE, small(2, ("ada", "builtin:greedy", "bob")))).tables["Rank list"] == [
        ["rank", "bot", "rating", "", "score", "won–drawn–lost", "games", "faults"],
        ["1", f"ada {shown(HOSTILE, 24)}", "1687 ± unknown", "", "75.7 % unknown", "182–4–54", "240", "0"],
        ["2–3", "builtin:greedy", "1598 fixed", "", "64.1 % 59.1–69.1", "154–4–82", "240", "0"],
        ["2–3", "bob 3fe1c09a", "unknown", "", "–", "–", "0", "0"],
    ]  # fmt: skip


def test_the_rank_list_of_four_seats() -> None:
    rows = Reader(page(WIZARD, league(4))).tables["Rank list"]
    assert rows[0] == [
        *("rank", "bot", "rating", "", "points", "mean place", "first"),
        *("bids kept", "games", "faults"),
    ]
    assert rows[6:] == [
        ["6", "scuttler 1.2", "1371 ±23", "", "63.6 54.1–73.1", "3.00", "11.2 %", "19.4 %", "480", "3"],
        ["7", "builtin:random benched", "1092 ±24", "", "−16.1 −25.6 to −6.6", "3.77", "0.6 %", "4.4 %", "480", "12"],
    ]  # fmt: skip


def test_without_ratings_the_scores_are_drawn() -> None:
    whole = league(2)
    rows = [msgspec.structs.replace(row, rating=None) for row in whole.rows]
    reader = Reader(page(CUTTLE, msgspec.structs.replace(whole, rows=rows)))
    assert reader.tables["Rank list"][0][:3] == ["rank", "bot", ""]
    assert reader.words["text"][:5] == ["0 %", "20 %", "40 %", "60 %", "80 %"]
    assert "expected score" not in reader.words["main"][0]


def test_the_head_to_head_of_two_seats_has_wins_draws_and_losses() -> None:
    reader = Reader(page(CUTTLE, small(2, ("ada", "bob", "cyd"))))
    assert reader.tables["Head to head"] == [
        ["bot", "1 ada", "2 bob", "3 cyd"],
        ["1 ada", "–", "63 25–1–14", "–"],
        ["2 bob", "37 15–1–24", "–", "–"],
        ["3 cyd", "35 14–1–25", "48 19–1–20", "–"],
    ]
    titles = [attrs["title"] for tag, attrs in reader.elements if tag == "td" and "title" in attrs]
    assert titles[0] == "won 25, drawn 1, lost 14; 95 % interval 55.5–69.5"


def test_the_head_to_head_of_four_seats_has_differences_of_points() -> None:
    reader = Reader(page(WIZARD, small(4, ("ada", "bob", "cyd", "dan"))))
    assert reader.tables["Head to head"][2] == ["2 bob", "37 −25.1", "–", "52 +4.3", "–"]


def test_faults_have_a_column_each_and_are_explained() -> None:
    reader = Reader(page(CUTTLE, league(2)))
    assert reader.tables["Faults by kind"] == [
        ["bot", "crashed", "no start", "timeout"],
        ["scuttler", "1", "0", "2"],
        ["builtin:random", "0", "12", "0"],
    ]
    assert "timeout: no complete answer within the time allowed" in reader.words["li"]


def test_times_are_told_and_who_was_never_asked_is_left_out() -> None:
    rows = Reader(page(CUTTLE, league(2))).tables["Time per move"]
    assert [rows[0], *rows[-2:]] == [
        ["bot", "", "median", "slowest", "computing a game", "memory"],
        ["builtin:greedy", "", "0.2 ms", "1.0 ms", "–", "–"],
        ["scuttler", "", "0.1 ms", "1021 ms", "317 ms", "67 MiB"],
    ]


def test_neighbours_that_cannot_be_told_apart_have_a_sentence() -> None:
    sentence = (
        "The games cannot tell greedy-rs and countess apart; about 60 more deals a table would."
    )
    assert [w for w in Reader(page(CUTTLE, league(2))).words["li"] if "cannot" in w] == [sentence]


@pytest.mark.parametrize(
    ("counted", "played", "words"),
    [
        (840, 840, "840 of 840 games"),
        (520, 553, "520 games count, 33 more are played, planned 840"),
        (520, 521, "520 games count, 1 more is played, planned 840"),
        (1, 1, "1 game counts, planned 840"),
    ],
)
def test_the_headline_says_how_far_it_is(counted: int, played: int, words: str) -> None:
    whole = msgspec.structs.replace(league(2), counted=counted, played=played)
    subtitle = Reader(page(CUTTLE, whole)).words["p"][0]
    assert subtitle == f"Cuttle · 2 seats · ruleset=cuttle.cards · {words}"


def test_before_the_first_game_there_are_names_and_no_pictures() -> None:
    facts = msgspec.structs.replace(CUTTLE, closest=(), upsets=(), longest=(), forfeits=())
    reader = Reader(page(facts, empty(2)))
    assert list(reader.tables) == ["Rank list"]
    assert reader.tables["Rank list"][1] == ["1–7", "deepcut", "–", "–", "0", "0"]
    assert "No games count yet." in reader.words["p"]
    assert "svg" not in reader.words
    assert reader.words["h2"] == ["Standings", "Faults", "How it was played", "How to check"]


def test_a_game_to_look_at_has_a_link_and_a_command_that_a_shell_understands() -> None:
    log = "logs/it's odd/<b>&?#%.jsonl"
    seen = msgspec.structs.replace(CUTTLE, closest=[Notable(text="x", log=log, game=3)])
    reader = Reader(page(seen, league(2)))
    assert shlex.split(reader.words["code"][0]) == ["croupier", "replay", log, "--game", "3"]
    link = next(attrs["href"] for tag, attrs in reader.elements if tag == "a")
    assert link
    assert not {"?", "#"} & set(link)
    assert unquote(link) == f"./{log}"


@pytest.mark.parametrize("log", ["javascript:alert(1)", "//elsewhere/x", "data:text/html,x"])
def test_a_link_never_leads_away_from_the_folder_of_the_page(log: str) -> None:
    seen = msgspec.structs.replace(CUTTLE, closest=[Notable(text="x", log=log, game=1)])
    links = [attrs["href"] for tag, attrs in Reader(page(seen, league(2))).elements if tag == "a"]
    assert all(re.match(r"\./[^:]*$", link or "") for link in links)


@pytest.mark.parametrize(
    ("rating", "words"),
    [
        (Rating(1500, None, is_anchor=True), "fixed"),
        (Rating(1500, None), "± unknown"),
        (Rating(1500, Interval(1479.6, 1520.2)), "±20"),
        (Rating(1500, Interval(1400, 1700)), "1400–1700"),
        (Rating(100, Interval(-200, 150)), "−200 to 150"),
    ],
)
def test_what_stands_beside_a_rating(rating: Rating, words: str) -> None:
    assert reach(rating) == words


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_words_are_readable_on_the_page(colours: dict[str, str]) -> None:
    papers = [page_style.colour(colours[name]) for name in ("bg", "self")]
    inks = [page_style.colour(colours[name]) for name in ("ink", "dim")]
    inks_on_page = [page_style.colour(colours[name]) for name in ("acc", "bad")]
    pairs = [(ink, paper) for ink in inks for paper in papers]
    pairs += [(ink, papers[0]) for ink in inks_on_page]
    assert min(page_style.contrast(*pair) for pair in pairs) >= READABLE


@pytest.mark.parametrize("ends", [HEAT_LIGHT, HEAT_DARK], ids=["light", "dark"])
def test_numbers_are_readable_on_every_colour_of_the_heat_map(ends: Any) -> None:
    steps = [page_style.heat(step, ends) for step in range(STEPS + 1)]
    assert min(page_style.contrast(ink, paper) for paper, ink in steps) >= READABLE


def test_contrast_is_what_wcag_says() -> None:
    assert page_style.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert page_style.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)


KINDS: Final = {"mark", *re.findall(r"\.([a-z]\w*)", STYLE)}


anything = st.text(max_size=80) | st.text(st.characters(), max_size=20) | st.sampled_from(ODD)


def notable(words: st.SearchStrategy[str]) -> st.SearchStrategy[list[Notable]]:
    return st.lists(st.builds(Notable, text=words, log=words, game=st.integers(1, 9)), max_size=2)


events = st.builds(
    EventFacts,
    name=anything,
    game=anything,
    options=anything,
    format=anything,
    tables=st.integers(0, 9),
    deals=st.integers(0, 9),
    shares_deals=st.booleans(),
    restart=anything | st.sampled_from(["game", "never"]),
    isolation=anything,
    seed=anything,
    versions=st.dictionaries(anything, anything, max_size=2),
    limits=st.lists(anything, max_size=2),
    move_ms=st.none() | st.integers(1, 10**6),
    program=anything,
    tally=anything,
    closest=notable(anything),
    upsets=notable(anything),
    longest=notable(anything),
    forfeits=notable(anything),
)


@given(events, st.sampled_from([2, 4]), st.lists(anything, min_size=2, max_size=5), anything)
def test_no_words_from_outside_become_a_part_of_the_page(event, seats, names, other):
    table = small(seats, names)
    rows = [
        msgspec.structs.replace(row, version=other, faults={other: 1, "illegal": 2})
        for row in table.rows
    ]
    made = page(event, msgspec.structs.replace(table, rows=rows))
    reader = Reader(made)
    assert all(set(attrs) <= ALLOWED[tag] for tag, attrs in reader.elements)
    classes = " ".join(attrs.get("class") or "" for _, attrs in reader.elements).split()
    assert set(classes) <= KINDS
    assert reader.words["style"] == [STYLE]
    assert reader.words["h1"] == [shown(event.name, 120)]
    ranked = [row[1] for row in reader.tables["Rank list"][1:]]
    version = f" {shown(other, 24)}" if other else ""
    assert ranked == [f"{shown(name, 64)}{version}" for name in names]
    assert made.replace("\n", "").isprintable()


numbers = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 1e-320])
intervals = st.none() | st.builds(Interval, numbers, numbers)
uses = st.none() | st.builds(TimeUse, low=numbers, median=numbers, high=numbers, slowest=numbers)
ratings = st.none() | st.builds(Rating, numbers, intervals, st.booleans())


@given(st.sampled_from([2, 4]), st.data())
def test_what_is_not_a_number_is_not_written_as_one(seats, data):
    def drawn(**fields):
        return {name: data.draw(values) for name, values in fields.items()}

    whole = league(seats)
    rows = [
        msgspec.structs.replace(
            row,
            **drawn(score=numbers, interval=intervals, place=numbers, win_share=numbers),
            **drawn(rating=ratings, time=uses, cpu_ms=numbers, peak_kib=st.integers(0, 10**9)),
        )
        for row in whole.rows[:4]
    ]
    meeting = whole.meetings[0][1]
    assert meeting
    met = msgspec.structs.replace(
        meeting, **drawn(score=numbers, interval=intervals, difference=st.none() | numbers)
    )
    standings = msgspec.structs.replace(whole, rows=rows, meetings=[[met] * 4] * 4)
    limit = data.draw(st.none() | st.floats(0.01, 1e6))
    reader = Reader(page(msgspec.structs.replace(CUTTLE, move_ms=limit), standings))
    values = [value for _, attrs in reader.elements for value in attrs.values() if value]
    told = " ".join([*values, *reader.words["main"]])
    assert not re.search(r"\b(nan|inf|-0)\b|\de[-+]\d", told)
