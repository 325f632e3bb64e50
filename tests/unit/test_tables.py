"""What the standings look like, with names that strangers made up."""

import csv
import io
import json
import re
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from referee.tables import bar, gap_lines, head_to_head, print_standings, rank_list
from tests.unit.test_standings import pair, rotations
from tournaments.exports import as_csv, as_json
from tournaments.intervals import Interval
from tournaments.shapes import Rating, Standings
from tournaments.standings import standings

NAMES = ["[bold]x[/]", "選手七番", "Müller", "evil\x1b[2J\u202e", '=HYPERLINK("x")']
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def duels() -> Standings:
    """Lower numbers win more, 1 not much more than 2; the last has not played, and a game waits."""
    games, block = [], 0
    for deal in range(12):
        for one in range(4):
            for other in range(one):
                close = {1: (1, deal % 2), 2: ((1, 1), (0, 0), (1, 0.5))[deal % 3]}
                score = close[one] if one - other == 1 and one < 3 else (1, 1)
                games += pair(block, other, one, *score)
                block += 1
    games.append(pair(block + 1, 0, 1, 1, 1)[0])
    games = [
        msgspec.structs.replace(
            game,
            times=({60: 3}, {100: 3}),
            slowest=(4.0, 250.0),
            faults=({"timeout": 1} if game.block == 0 else {}, {}),
        )
        for game in games
    ]
    return standings(
        games, NAMES, seats=2, versions=["1.0", None, None, "=2", None], anchor=2, planned=200
    )


def tables() -> Standings:
    games = [
        game
        for block in range(4)
        for game in rotations(
            block, (0, 1, 2), *[(50 + 9 * block, -20 + block**2, 7 * block - 25)] * 3
        )
    ]
    games = [msgspec.structs.replace(game, tallies=((2, 3), (1, 3), (0, 3))) for game in games]
    return standings(games, NAMES[:3], seats=3, benched=[1])


def printed(table: Standings, width: int | None = None, tally: str = "") -> str:
    """On a terminal of this width; without one, into a pipe."""
    out = io.StringIO()
    console = Console(
        file=out, width=width or 80, force_terminal=width is not None, color_system=None
    )
    print_standings(console, table, tally)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


DUELS = r"""
  #  bot                version      rating  509                    2025  games    W-D-L   score       95 %  time/move  slowest  faults
  1  [bold]x[/]         1.0       1879 ±146                       ├─●──┤     72   66-0-6  91.7 %  84.8-95.6     1.1 ms   250 ms       1
2-3  選手七番                     1613 ±155                  ├──●──┤         72  42-4-26  61.1 %  50.7-70.6     1.1 ms   250 ms       1
2-3  Müller                      1500 fixed                   ●              72  32-4-36  47.2 %  38.6-56.0     1.1 ms   250 ms       ·
  4  evil\x1b[2J\u202e  =2         858 ±350  ├─────●─────┤                   72   0-0-72   0.0 %    0.0-5.4     1.1 ms   250 ms       ·
1-5  =HYPERLINK("x")                      ·                                   0        ·       ·          ·          ·        ·       ·

144 of 200 games count, 72 deal blocks; 1 more waits for earlier blocks to be whole.
A shared rank such as 2-3: the games leave these places possible (95 %, for all pairs at once).
rating: Elo (Bradley-Terry), Müller is fixed at 1500; ± and bars are 95 % intervals.

選手七番 and Müller cannot be told apart; about 9 more deals a table would.

Head to head: wins-draws-losses of the row against the column
                          1       2       3       4  5
1 [bold]x[/]              ·  18-0-6  24-0-0  24-0-0
2 選手七番           6-0-18       ·  12-4-8  24-0-0
3 Müller             0-0-24  8-4-12       ·  24-0-0
4 evil\x1b[2J\u202e  0-0-24  0-0-24  0-0-24       ·
5 =HYPERLINK("x")                                    ·

Faults by kind
bot         timeout
[bold]x[/]        1
選手七番          1
"""
NARROW = r"""
  #  bot                    rating  games   score  faults
  1  [bold]x[/]          1879 ±146     72  91.7 %       1
2-3  選手七番            1613 ±155     72  61.1 %       1
2-3  Müller             1500 fixed     72  47.2 %       ·
  4  evil\x1b[2J\u202e    858 ±350     72   0.0 %       ·
1-5  =HYPERLINK("x")             ·      0       ·       ·

144 of 200 games count, 72 deal blocks; 1 more waits for earlier blocks to be whole.
A shared rank such as 2-3: the games leave these places possible (95 %, for all pairs at once).
rating: Elo (Bradley-Terry), Müller is fixed at 1500; ± and bars are 95 % intervals.

選手七番 and Müller cannot be told apart; about 9 more deals a table would.

Head to head: wins-draws-losses of the row against the column
                          1       2       3       4  5
1 [bold]x[/]              ·  18-0-6  24-0-0  24-0-0
2 選手七番           6-0-18       ·  12-4-8  24-0-0
3 Müller             0-0-24  8-4-12       ·  24-0-0
4 evil\x1b[2J\u202e  0-0-24  0-0-24  0-0-24       ·
5 =HYPERLINK("x")                                    ·

Faults by kind
bot         timeout
[bold]x[/]        1
選手七番          1
"""
TABLES = """\
  #  bot                    rating  819                    2279  games  points            95 %  place  first  bids made  time/move  slowest  faults
  1  [bold]x[/]          1895 ±384              ├──────●──────┤     12    63.5       45.0-82.0   1.00  100 %       33 %          ·        ·       ·
2-3  Müller              1384 ±314      ├─────●─────┤               12   -14.5   -28.9 to -0.1   2.25    0 %       33 %          ·        ·       ·
2-3  選手七番 (benched)  1221 ±401  ├──────●──────┤                 12   -16.5  -22.9 to -10.1   2.75    0 %       33 %          ·        ·       ·

12 of 12 games count, 4 deal blocks.
A shared rank such as 2-3: the games leave these places possible (95 %, for all pairs at once).
rating: Elo (Bradley-Terry), the mean of all that have played is 1500; ± and bars are 95 % intervals.

Müller and 選手七番 cannot be told apart; about 23 more deals would.

Head to head: how often the row was above the column, % of their games
                      1    2    3
1 [bold]x[/]          ·  100  100
2 Müller              0    ·   75
3 選手七番 (benched)  0   25    ·
"""


def test_the_standings_of_duels_in_a_pipe():
    assert printed(duels()) == DUELS.removeprefix("\n")


def test_a_narrow_terminal_has_less_columns_and_no_broken_line():
    shown = printed(duels(), 60)
    assert shown == NARROW.removeprefix("\n")
    tables_only = shown.split("\n\n")
    for part in (tables_only[0], tables_only[-2]):
        assert all(cell_len(line) <= 60 for line in part.splitlines()[1:])


def test_the_standings_of_tables():
    assert printed(tables(), tally="bids made") == TABLES


def test_names_neither_steer_the_terminal_nor_mark_up_anything():
    out = io.StringIO()
    marking = Console(file=out, width=300, force_terminal=True, color_system="truecolor")
    print_standings(marking, duels())
    shown = re.sub("\x1b\\[[0-9;]*m", "", out.getvalue())
    assert not STEERS.search(shown)
    assert "[bold]x[/]" in shown
    assert "evil\\x1b[2J\\u202e" in shown


def test_columns_stand_below_each_other_whatever_the_names_are():
    lines = printed(duels()).splitlines()[:6]
    ends = {cell_len(line[: re.search(r"±\d+|fixed|±\?|·", line).end()]) for line in lines[1:]}  # type: ignore[union-attr]
    assert len(ends) == 1


def test_a_matrix_that_does_not_fit_is_broken_into_several():
    names = [f"a rather long name {number}" for number in range(10)]
    table = standings(pair(0, 0, 1, 1, 1), names, seats=2)
    assert len(head_to_head(table)) == 1
    assert len(head_to_head(table, 60)) == 1
    assert len(head_to_head(table, 40)) > 1


def test_in_a_pipe_nothing_is_squeezed():
    names = [f"{number:02} {'x' * 37}" for number in range(24)]
    games = [
        game
        for number, (one, other) in enumerate((i, j) for i in range(24) for j in range(i))
        for game in pair(number, one, other, 1, 1)
    ]
    shown = printed(standings(games, names, seats=2))
    assert "…" not in shown.replace("more neighbours", "").replace("… and", "")
    assert shown.count(names[5]) >= 2
    assert "2-0-0" in shown


def test_the_dot_is_where_the_rating_is_and_the_bar_as_long_as_its_interval():
    assert bar(Rating(1500, Interval(1400, 1600)), 1000, 2000, 11) == "    ├●┤"
    assert bar(Rating(1500, Interval(1200, 1800)), 1000, 2000, 11) == "  ├──●──┤"
    assert bar(Rating(1000, None), 1000, 2000, 11) == "●"
    assert bar(None, 1000, 2000, 11) == ""


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (1, "; about 1 more deal a table would."),
        (40, "; about 40 more deals a table would."),
        (None, "."),
        (10_000, "; even 10000 more deals a table might not do."),
    ],
)
def test_neighbours_that_cannot_be_told_apart_are_named(more, words):
    table = duels()
    gap = msgspec.structs.replace(table.gaps[0], is_clear=False, deals_more=more)
    clear = [msgspec.structs.replace(gap, is_clear=True, deals_more=None)] * 3
    (line,) = gap_lines(msgspec.structs.replace(table, gaps=[gap, *clear]))
    assert line == f"[bold]x[/] and 選手七番 cannot be told apart{words}"


def test_an_empty_table_is_printed_and_has_no_bars():
    shown = printed(standings([], ["ada", "bob"], seats=2, planned=4))
    assert shown.startswith("  #  bot  games  W-D-L  score  95 %  time/move  slowest  faults\n")
    assert "0 of 4 games count, 0 deal blocks.\n" in shown


def test_no_bot_at_all_is_no_trouble():
    table = standings([], [], seats=2)
    assert printed(table).startswith("#  bot")
    assert as_csv(table) == ""
    assert rank_list(table).row_count == 0


def test_the_json_has_the_promised_keys():
    report: dict[str, Any] = json.loads(json.dumps(as_json(tables(), "bids made")))
    assert list(report) == [
        "schema", "seats", "counted", "played", "planned", "blocks", "bots", "meetings", "gaps",
    ]  # fmt: skip
    assert (report["schema"], report["seats"], report["counted"]) == (1, 3, 12)
    assert [list(bot) for bot in report["bots"]] == [[
        "bot", "name", "version", "rank", "rating", "rating_95", "anchor", "games", "wins", "draws",
        "losses", "score", "score_95", "place", "win_share", "bids_made", "faults", "benched",
        "ms_low", "ms_median", "ms_high", "ms_max", "peak_kib", "cpu_ms",
    ]] * 3  # fmt: skip
    assert report["bots"][0]["name"] == "[bold]x[/]"
    assert report["meetings"][0][0] is None
    assert list(report["meetings"][0][1]) == [
        "games", "wins", "draws", "losses", "score", "score_95", "difference",
    ]  # fmt: skip
    assert list(report["gaps"][0]) == ["lead", "lead_95", "clear", "deals_more"]


def test_the_json_has_names_as_they_are_and_null_for_what_is_unknown():
    bots = {bot["bot"]: bot for bot in as_json(duels())["bots"]}
    assert [bots[number]["name"] for number in range(5)] == NAMES
    assert (bots[4]["rating"], bots[4]["score"], bots[4]["ms_median"]) == (None, None, None)
    assert (bots[2]["rating"], bots[2]["rating_95"], bots[2]["anchor"]) == (1500, None, True)


def test_the_csv_has_a_row_a_bot_and_no_cell_that_is_a_formula():
    text = as_csv(duels())
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["name"] for row in rows} == {
        "[bold]x[/]", "選手七番", "Müller", "evil\\x1b[2J\\u202e", '\'=HYPERLINK("x")',
    }  # fmt: skip
    assert {row["version"] for row in rows} == {"1.0", "", "'=2"}
    assert not STEERS.search(text)
    assert (rows[0]["rank_low"], rows[0]["games"], rows[0]["faults"]) == ("1", "72", "1")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\uff1d1", "\t=1"])
def test_whatever_begins_like_a_formula_is_text(name):
    table = standings([], [name, "bob"], seats=2)
    (row, _) = csv.DictReader(io.StringIO(as_csv(table)))
    assert row["name"][0] in "'\\"
