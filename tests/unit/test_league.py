"""League files: what they mean, and every problem told with file, line and key."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tournaments.leagues import league_of
from tournaments.amending import Changed, Extension, Same, amendment
from tournaments.errors import LeagueError
from tournaments.league import League, as_json, from_json, load_league, parse_league, tables_of

FILE = Path("cup.toml")
BOTS = "\n".join(f'[[bots]]\nname = "{name}"\nrun = "builtin:random"' for name in "abcdefg")
GOOD = f'game = "svoyi-koziri"\ndeals = 3\n{BOTS}'


def problems(text: str) -> list[str]:
    with pytest.raises(LeagueError) as caught:
        parse_league(text, FILE)
    return str(caught.value).splitlines()


def test_a_short_file_is_a_league_with_the_usual_defaults():
    league = parse_league(GOOD, FILE)
    assert (league.name, league.seats, league.deals, league.restart) == ("cup", 2, 3, "never")
    assert [bot.name for bot in league.bots] == list("abcdefg")
    assert league.clock.move_ms == 1000
    assert league.conduct.max_faults == 10
    assert len(tables_of(league)) == 21


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "cup.toml: game: missing: expected a text in quotes"),
        ('game = "cuttel"\ndeals = 1', "cup.toml:1: game: unknown game 'cuttel'. Did you mean 'cuttle'?"),
        (GOOD + '\n[limits]\nmove_ms = 5', "cup.toml:25: limits.move_ms: unknown key. Did you mean 'move-ms'?"),
        (GOOD + '\n[limits]\nmove-ms = "1s"', 'cup.toml:25: limits.move-ms: expected a whole number of 1 or more, got "1s"'),
        ("deals = 0\n" + GOOD.replace("deals = 3\n", ""), "cup.toml:1: deals: expected a whole number of 1 or more, got 0"),
        ('format = "swiss"\n' + GOOD, "cup.toml:1: format: expected 'gauntlet' or 'round-robin', got \"swiss\""),
        ('format = "gauntlet"\n' + GOOD, "cup.toml:1: format: a gauntlet needs a seed: seed = true in the [[bots]] that is one"),
        (GOOD + "\nseed = true", "cup.toml:24: bots[7].seed: only a gauntlet has seeds: format = \"gauntlet\""),
        ("tables = 3\n" + GOOD, "cup.toml:1: tables: with two seats all tables are played: leave it out"),
        ("seats = 4\n" + GOOD, "cup.toml:1: seats: Svoyi Koziri is played by 2 bots at a table, not 4"),
        (GOOD.replace("svoyi-koziri", "wizard"), "cup.toml: seats: missing: Wizard is played by 3 to 6 bots"),
        ("seats = 5\ntables = 22\n" + GOOD.replace("svoyi-koziri", "wizard"), "cup.toml:2: tables: 7 bots form 21 tables of 5, not 22"),
        ('anchor = "h"\n' + GOOD, "cup.toml:1: anchor: no bot is called 'h'."),
        ("options.cards = 13\n" + GOOD, "cup.toml:1: options"),
        (GOOD.replace("builtin:random", "no/such.py", 1), "cup.toml:5: bots[1].run: bot 'no/such.py' does not exist"),
        ('game = "cuttle"\ndeals = 1\n[[bots]]\nrun = "builtin:random"', "cup.toml:3: bots: a table of 2 needs 2 bots; 1 given"),
        (GOOD.replace('name = "a"', 'name = ""'), "cup.toml:4: bots[1].name: the name '' of a bot must be 1 to 64 printable characters long"),
        ("bots = 7\n" + GOOD.split("[[", maxsplit=1)[0], "cup.toml:1: bots: expected an array of tables, [[…]], got 7"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(text, problem):
    assert any(line.startswith(problem) for line in problems(text)), problems(text)


def test_all_problems_are_told_at_once():
    text = 'game = "cuttle"\ndeals = -1\nseets = 2\n[[bots]]\nrum = "builtin:random"'
    assert problems(text) == [
        "cup.toml:2: deals: expected a whole number of 1 or more, got -1",
        "cup.toml:3: seets: unknown key. Did you mean 'seats'?",
        "cup.toml:5: bots[1].rum: unknown key. Did you mean 'run'?",
        "cup.toml:4: bots[1].run: missing: expected a text in quotes",
        "4 problems, nothing was played.",
    ]


def test_what_is_no_toml_is_told_with_line_and_column():
    assert problems("game = cuttle") == ["cup.toml:1:8: Invalid value"]
    assert problems("a = 1\na = 2\n")[0].startswith("cup.toml:2:")


@pytest.mark.parametrize(
    "data", [GOOD.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + GOOD.encode()]
)
def test_line_ends_and_marks_of_other_systems_do_not_matter(tmp_path, data):
    path = tmp_path / "cup.toml"
    path.write_bytes(data)
    assert load_league(path) == parse_league(GOOD, FILE)


def test_what_is_not_utf_8_is_told(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_bytes(b"a = 1\nb = '\xff'")
    with pytest.raises(LeagueError, match=r"cup\.toml:2: this is not UTF-8"):
        load_league(path)


def test_paths_start_at_the_folder_of_the_file(tmp_path):
    (tmp_path / "mine.py").write_text("")
    path = tmp_path / "cup.toml"
    path.write_text(
        'game = "cuttle"\ndeals = 1\n[[bots]]\nrun = "mine.py"\n[[bots]]\nrun = "mine.py"'
    )
    league = load_league(path)
    assert [bot.name for bot in league.bots] == ["mine", "mine_2"]
    assert league.bots[0].argv[1] == str((tmp_path / "mine.py").resolve())


def read(text: str) -> League | str:
    """The league, or what is wrong with it."""
    try:
        return parse_league(text, FILE)
    except LeagueError as exc:
        return str(exc)


@given(st.text())
def test_any_text_is_a_league_or_has_problems(text):
    found = read(text)
    assert isinstance(found, str)
    assert found.startswith("cup.toml")


@given(st.data())
def test_a_damaged_league_is_a_league_or_has_problems(data):
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, len(GOOD)))
    found = read(GOOD[:start] + data.draw(st.text(max_size=5)) + GOOD[end:])
    if isinstance(found, str):
        assert found.startswith("cup.toml")
    else:
        assert from_json(as_json(found)) == found
        assert amendment(found, found) == Same()


def test_more_bots_and_deals_are_an_extension():
    old = league_of(("a=builtin:random", "b=builtin:random"), deals=2)
    new = league_of(("a=builtin:random", "b=builtin:random", "c=builtin:random"), deals=3)
    assert amendment(old, new) == Extension("with c and to 3 deals at each table (2 before)")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"deals": 1}, "deals: 2 before, 1 now; they can only become more"),
        ({"restart": "game"}, "restart: never before, game now"),
        ({"start_ms": 9}, "limits.start-ms: 5000 before, 9 now"),
        ({"options": type(league_of().options)(cards=24)}, "options.cards: 12 before, 24 now"),
        ({"bots": league_of().bots[:2]}, "bots: c is gone"),
        ({"bots": league_of(("a=builtin:greedy", "b=builtin:random", "c=builtin:random")).bots},
         "bots: a is another program (builtin:random before, builtin:greedy now)"),
    ],
)  # fmt: skip
def test_what_makes_other_games_of_it_is_named(change, line):
    found = amendment(league_of(), replace(league_of(), **change))
    assert isinstance(found, Changed)
    assert found.lines[0].replace("a=builtin", "builtin") == line
