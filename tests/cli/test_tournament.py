"""`croupier tournament`: what an organiser types, sees, changes and interrupts."""

import json
import os
import signal
import sqlite3
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import CROUPIER, PATIENCE_S, Ran, croupier, naughty
from tests.processes.acting import has_buried_all
from tests.processes.playing import children
from tests.processes.test_interruptions import until
from tests.processes.test_survival import running_below

HONEST = ["builtin:greedy", "builtin:random", "calm=builtin:random"]


def league(folder: Path, bots: list[str], top: str = "", file: str = "cup.toml") -> Path:
    """A league file of short games."""
    lines = ['game = "svoyi-koziri"', top, "options.cards = 12", 'limits.on-fault = "forfeit"']
    for bot in bots:
        name, equals, run = bot.partition("=")
        given = f"name = {json.dumps(name)}\n" if equals and ":" not in name else ""
        lines.append(f"[[bots]]\n{given}run = {json.dumps(run if given else bot)}")
    path = folder / file
    path.write_text("\n".join(lines))
    return path


def played(folder: Path, *more: str | Path, file: str = "cup.toml") -> Ran:
    return croupier("tournament", file, *more, cwd=folder, TMPDIR=str(folder))


def games_in(folder: Path) -> list[dict[str, Any]]:
    database = sqlite3.connect(folder / "store.sqlite")
    rows = [json.loads(row) for (row,) in database.execute("SELECT result FROM game")]
    database.close()
    return rows


def test_one_command_plays_a_league_and_the_same_command_finds_nothing_left_to_do(tmp_path):
    league(tmp_path, HONEST, "deals = 2\nseed = 7")
    first = played(tmp_path)
    assert first.status == 0, first.err
    assert "3 tables of 2 × 2 deals × both seats: 12 games" in first.err
    assert "12/12 games" in first.err
    assert len(games_in(tmp_path / "cup.d")) == 12
    logs = list((tmp_path / "cup.d" / "logs" / "event-1").iterdir())
    assert len(logs) == 6
    again = played(tmp_path, "--quiet")
    assert (again.status, again.out, again.err) == (0, first.out, "")


def test_results_do_not_depend_on_how_many_games_are_played_at_once(tmp_path):
    league(tmp_path, [*HONEST, naughty(name="first")], "deals = 3\nseed = 7")
    tables = {played(tmp_path, "-j", jobs, "--dir", f"run-{jobs}", "--quiet").out for jobs in "12"}
    assert len(tables) == 1 or {len(table.splitlines()) for table in tables} == {
        len(min(tables).splitlines())
    }
    one, two = (
        sorted(
            (game["block"], game["turn"], *game["scores"])
            for game in games_in(tmp_path / f"run-{jobs}")
        )
        for jobs in "12"
    )
    assert one == two


def test_bad_bots_cost_the_honest_ones_nothing(tmp_path):
    bad = [
        naughty("--start-exit 3", "dead"),
        naughty("--crash-on 30", "frail"),
        naughty("--hang-on 20", "dreamer"),
    ]
    league(tmp_path, [*HONEST, *bad], "deals = 2\nseed = 7\nlimits.move-ms = 200")
    ran = played(tmp_path, "--strict", "--quiet")
    assert ran.status == 4, ran.err
    games = games_in(tmp_path / "cup.d")
    assert len(games) == 15 * 2 * 2
    honest = [game for game in games if max(game["bots"]) < 3]
    assert len(honest) == 3 * 2 * 2
    assert all(game["verdicts"] == ["ok", "ok"] for game in honest)
    faults = Counter(
        (bot, verdict)
        for game in games
        for bot, verdict in zip(game["bots"], game["verdicts"], strict=True)
        if verdict != "ok"
    )
    assert {bot for bot, _ in faults} == {3, 4, 5}
    assert faults[3, "no_start"] == 5 * 2 * 2
    assert "dead" in ran.out
    assert "benched" in ran.out


def test_json_has_a_line_for_each_game_and_the_table_at_the_end(tmp_path):
    league(tmp_path, HONEST[:2], "deals = 2\nseed = 7")
    ran = played(tmp_path, "--json", "--quiet")
    *games, table = map(json.loads, ran.out.splitlines())
    assert [game["type"] for game in games] == ["game"] * 4
    assert len({game["key"] for game in games}) == 4
    assert games[0]["bots"] == ["builtin:greedy", "builtin:random"]
    assert table["type"] == "standings"
    assert [bot["name"] for bot in table["bots"]] == ["builtin:greedy", "builtin:random"]


def test_a_dry_run_tells_the_plan_and_stores_nothing(tmp_path):
    league(tmp_path, HONEST, "deals = 40")
    ran = played(tmp_path, "--dry-run")
    assert ran.status == 0, ran.err
    assert "3 tables of 2 × 40 deals × both seats: 240 games" in ran.out
    assert "table 1: " in ran.out
    assert "if all games take as long as 2 on trial did" in ran.out
    assert not (tmp_path / "cup.d").exists()


def test_a_dry_run_tells_of_a_bot_that_cannot_play(tmp_path):
    league(tmp_path, [naughty("--start-exit 3", "dead"), "builtin:random"], "deals = 1")
    ran = played(tmp_path, "--dry-run")
    assert ran.status == 0
    assert "  ! dead: no_start, " in ran.out


def test_how_even_a_choice_of_tables_is_is_said(tmp_path):
    bots = "\n".join("[[bots]]\nrun = 'builtin:random'" for _ in range(7))
    top = "game = 'wizard'\nseats = 3\ntables = 7\ndeals = 1\noptions.rounds = [1]"
    (tmp_path / "cup.toml").write_text(f"{top}\n{bots}")
    ran = played(tmp_path)
    assert ran.status == 0, ran.err
    assert "7 tables of 3 × 1 deals × 3 rotations of seats: 21 games" in ran.err
    assert "a balanced choice of tables: each bot sits at 3, each pair meets at 1" in ran.err


def test_a_changed_league_is_refused_by_name_and_a_new_event_stands_beside_the_old_one(tmp_path):
    league(tmp_path, HONEST, "deals = 1\nseed = 7")
    before = played(tmp_path, "--quiet")
    league(tmp_path, HONEST[:2], "deals = 1\nseed = 7")
    refused = played(tmp_path, "--quiet")
    assert refused.status == 2
    assert "calm" in refused.err
    assert "--new-event" in refused.err
    fresh = played(tmp_path, "--quiet", "--new-event")
    assert fresh.status == 0
    assert "calm" not in fresh.out
    old = croupier("standings", "cup.d", "--event", "1", cwd=tmp_path)
    assert old.out == before.out


def test_a_league_can_be_extended_by_bots_and_deals(tmp_path):
    league(tmp_path, HONEST[:2], "deals = 1\nseed = 7")
    played(tmp_path, "--quiet")
    league(tmp_path, HONEST, "deals = 2\nseed = 7")
    ran = played(tmp_path)
    assert ran.status == 0
    assert "event 1 is extended" in ran.err
    assert len(games_in(tmp_path / "cup.d")) == 12


def test_a_second_tournament_in_the_same_folder_is_refused(tmp_path):
    before = children()
    league(tmp_path, [naughty("--sleep 100", "slow"), "builtin:random"], "deals = 50")
    with subprocess.Popen(
        [CROUPIER, "tournament", "cup.toml", "--quiet"],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as first:
        assert until(lambda: (tmp_path / "cup.d" / "store.sqlite").exists(), PATIENCE_S)
        ran = played(tmp_path, "--quiet")
        first.kill()
    assert ran.status == 2
    assert f"(process {first.pid})" in ran.err
    assert until(lambda: not running_below(tmp_path), 3)
    assert until(lambda: has_buried_all(before), 3)


@pytest.mark.parametrize(
    "signals", [[signal.SIGINT], [signal.SIGINT, signal.SIGINT], [signal.SIGTERM]]
)
def test_interrupted_it_keeps_what_is_finished_and_goes_on_later(tmp_path, signals):
    league(tmp_path, [naughty("--sleep 20", "slow"), "builtin:random"], "deals = 6\nseed = 7")
    with subprocess.Popen(
        [CROUPIER, "tournament", "cup.toml"],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        while "games ·" not in process.stderr.readline():
            pass
        for number in signals:
            process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == (143 if signal.SIGTERM in signals else 130)
    assert "run the same command again to go on" in err
    assert ("The deals now playing will be finished" in err) == (signals[0] == signal.SIGINT)
    count = len(games_in(tmp_path / "cup.d"))
    assert 0 < count < 12
    assert count % 2 == 0
    assert not running_below(tmp_path)
    assert played(tmp_path, "--quiet").status == 0
    assert len(games_in(tmp_path / "cup.d")) == 12


def test_more_games_at_once_than_processors_are_refused(tmp_path):
    league(tmp_path, HONEST, "deals = 1")
    ran = played(tmp_path, "-j", "999")
    assert ran.status == 2
    assert "-j 999: this machine has" in ran.err
    assert "--no-affinity" in ran.err


ODD = ["colon:name", 'quo"te', "br[red]acket", "täß", "a & <b>", "二"]


def test_odd_names_are_shown_as_they_are(tmp_path):
    bots = [f"{name}=builtin:random" for name in ODD]
    text = "\n".join(
        [
            'name = "Über: [bold]cup[/bold] \\"1\\""',
            'game = "svoyi-koziri"',
            "deals = 1",
            "options.cards = 12",
            *(f"[[bots]]\nname = {json.dumps(name)}\nrun = 'builtin:random'" for name in ODD),
            "[[bots]]\nname = 'täß'\nrun = 'builtin:random'",
        ]
    )
    assert len(bots) == 6
    (tmp_path / "cup.toml").write_text(text)
    ran = played(tmp_path)
    assert ran.status == 0, ran.err
    assert 'Über: [bold]cup[/bold] "1"' in ran.err
    for name in [*ODD, "täß_2"]:
        assert name in ran.out
    table = croupier("standings", "cup.d", "--json", cwd=tmp_path).json
    assert {bot["name"] for bot in table["bots"]} == {*ODD, "täß_2"}
    assert croupier("verify", "cup.d", cwd=tmp_path).status == 0


def test_verify_finds_what_was_changed_afterwards(tmp_path):
    league(tmp_path, HONEST[:2], "deals = 2\nseed = 7")
    played(tmp_path, "--quiet")
    folder = tmp_path / "cup.d"
    good = croupier("verify", "cup.d", cwd=tmp_path)
    words = "4 games in 2 logs; their deals drawn again from the event's secret"
    assert (good.status, good.out) == (0, f"✓ cup.d, event 1: {words}\n")

    secret = folder / "event-1.secret"
    kept = secret.read_text()
    secret.unlink()
    without = croupier("verify", "cup.d", cwd=tmp_path)
    assert without.status == 0
    assert "where the deals come from was not checked" in without.out
    secret.write_text(kept)

    database = sqlite3.connect(folder / "store.sqlite")
    key, row = database.execute("SELECT key, result FROM game").fetchone()
    changed = json.loads(row) | {"scores": [7, 7]}
    database.execute("UPDATE game SET result = ? WHERE key = ?", (json.dumps(changed), key))
    database.commit()
    false_store = croupier("verify", "cup.d", cwd=tmp_path)
    assert false_store.status == 1
    assert "the scores stored are (7, 7), in the log (" in false_store.out
    database.execute("UPDATE game SET result = ? WHERE key = ?", (row, key))
    database.commit()
    database.close()

    log = min((folder / "logs" / "event-1").iterdir())
    log.write_bytes(log.read_bytes().replace(b'"step":2', b'"step":3', 1))
    false_log = croupier("verify", "cup.d", cwd=tmp_path)
    assert false_log.status == 1
    assert f"✗ cup.d: logs/event-1/{log.name}: line " in false_log.out


def test_the_faults_of_a_bot_are_listed_with_what_shows_them_again(tmp_path):
    league(tmp_path, [naughty("--illegal-on 2", "wild"), "builtin:random"], "deals = 1\nseed = 7")
    played(tmp_path, "--quiet")
    ran = croupier("standings", "cup.d", "--faults", "wild", cwd=tmp_path)
    assert ran.status == 0
    first, replay, rerun = ran.out.splitlines()[:3]
    assert first.startswith("✗ wild against builtin:random at step ")
    assert "illegal" in first
    assert croupier(*replay.split()[1:], cwd=tmp_path).status == 0
    assert '"type":"turn"' in croupier(*rerun.split()[1:], cwd=tmp_path).out
    unknown = croupier("standings", "cup.d", "--faults", "wlid", cwd=tmp_path)
    assert (unknown.status, unknown.err) == (2, "no bot is called 'wlid'. Did you mean 'wild'?\n")


def test_a_table_can_be_had_as_csv_and_as_a_page(tmp_path):
    league(tmp_path, HONEST, "deals = 1\nseed = 7")
    played(tmp_path, "--quiet")
    table = croupier("standings", "cup.d", "--csv", cwd=tmp_path).out.splitlines()
    assert len(table) == 4
    assert table[0].startswith("bot,name,version,")
    ran = croupier("standings", "cup.d", "--html", "page.html", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "wrote page.html\n")
    page = (tmp_path / "page.html").read_text()
    assert "builtin:greedy" in page
    assert 'href="./cup.d/logs/event-1/deal-00001-' in page
    assert "<script" not in page
    nowhere = croupier("standings", "cup.d", "--html", "no/page.html", cwd=tmp_path)
    assert nowhere.status == 2
    assert "cannot write no/page.html" in nowhere.err


def test_compare_says_which_version_is_better(tmp_path):
    ran = croupier(
        *("compare", "svoyi-koziri", "builtin:greedy", "builtin:random", "--seed", "1", "--json"),
        cwd=tmp_path,
    )
    assert ran.status == 0, ran.err
    assert ran.json["verdict"] == "better"
    assert ran.json["interval_95"][0] > 0.5
    assert "builtin:greedy or builtin:random?" in ran.err


def test_compare_keeps_its_games_where_it_is_told_and_goes_on_from_them(tmp_path):
    command = (
        "compare",
        "cuttle",
        "a=builtin:random",
        "b=builtin:random",
        "--dir",
        "ab",
        "--quiet",
    )
    first = croupier(*command, "--cap", "5", "--seed", "1", cwd=tmp_path)
    assert first.out.startswith("After 5 deals the games cannot tell a from b: a scores ")
    more = croupier(*command, "--cap", "8", "--seed", "1", cwd=tmp_path)
    assert more.out.startswith("After 8 deals the games cannot tell a from b: a scores ")
    assert len(games_in(tmp_path / "ab")) == 16


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sprt", "30,0"], "--sprt 30,0: expected two normalised Elo differences"),
        (["--seats", "3"], "Cuttle is played by 2 bots at a table, not 3"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_refused(tmp_path, arguments, said):
    ran = croupier(
        "compare", "cuttle", "builtin:random", "builtin:random", *arguments, cwd=tmp_path
    )
    assert ran.status == 2
    assert said in ran.err
