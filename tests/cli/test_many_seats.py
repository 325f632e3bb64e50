"""Matches of more than two bots: rotations, stand-ins, the table."""

from tests.cli.running import croupier, naughty, quick

RANDOM = "builtin:random"
QUICK = ("wizard", "-o", "rounds=1,2,3")


def test_every_deal_is_played_in_all_rotations_and_the_table_has_mean_points(tmp_path):
    bots = ("a=builtin:random", "b=builtin:random", "c=builtin:random")
    arguments = ("match", *QUICK, *bots, "-n", "6", "--seed", "3", "--log", "a.jsonl")
    ran = quick(*arguments, "--json", cwd=tmp_path)
    assert ran.status == 0
    rotations = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]
    assert [game["bots"] for game in ran.json["games"]] == rotations * 2
    for name, bot in zip("abc", ran.json["bots"], strict=True):
        scores = [game["scores"][game["bots"].index(name)] for game in ran.json["games"]]
        assert bot["score"] == sum(scores) / 6
        assert bot["score_95"][0] < bot["score"] < bot["score_95"][1]
    assert quick("verify", "a.jsonl", cwd=tmp_path).status == 0


def test_the_same_seed_gives_the_same_games(tmp_path):
    arguments = ("match", *QUICK, *[RANDOM] * 4, "-n", "4", "--seed", "9", "--no-log", "--json")
    first, second = (quick(*arguments, cwd=tmp_path).json["games"] for _ in range(2))
    assert first == second


def test_a_stand_in_plays_on_for_who_forfeits_and_the_log_verifies(tmp_path):
    bots = (RANDOM, naughty("--exit-on 2", "gone"), RANDOM, naughty("--never-hello", "mute"))
    arguments = ("match", *QUICK, *bots, "-n", "4", "--start-ms", "700", "--log", "a.jsonl")
    ran = croupier(*arguments, "--json", cwd=tmp_path)
    assert ran.status == 4
    for game in ran.json["games"]:
        assert game["reason"] == "complete"
        verdicts = dict(zip(game["bots"], game["verdicts"], strict=True))
        places = dict(zip(game["bots"], game["places"], strict=True))
        assert (verdicts["gone"], verdicts["mute"]) == ("exited", "no_start")
        # Who never came is below who left later, and both are below who played.
        assert (places["gone"], places["mute"]) == (3, 4)
    assert quick("verify", "a.jsonl", cwd=tmp_path).status == 0
    assert 'by":"stand-in' in (tmp_path / "a.jsonl").read_text()


def test_when_a_single_player_is_left_he_wins_at_once(tmp_path):
    bots = (RANDOM, naughty("--exit-on 1", "one"), naughty("--exit-on 1", "two"))
    arguments = ("match", *QUICK, *bots, "--log", "a.jsonl", "--json")
    (game,) = croupier(*arguments, cwd=tmp_path).json["games"]
    assert (game["reason"], game["places"][0]) == ("forfeit", 1)
    assert game["scores"][0] > max(game["scores"][1:])
    assert quick("verify", "a.jsonl", cwd=tmp_path).status == 0


def test_rounds_that_do_not_fit_the_table_are_refused_in_one_sentence(tmp_path):
    ran = quick("match", "wizard", "-o", "rounds=1,16", *[RANDOM] * 4, cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("Option rounds")
    assert ran.err.count("\n") == 1


def test_the_table_says_how_many_bids_were_made_and_a_stand_in_s_are_nobody_s(tmp_path):
    bots = (RANDOM, naughty("--exit-on 3", "gone"), RANDOM)
    arguments = ("match", *QUICK, *bots, "-n", "3", "--seed", "3", "--no-log")
    ran = croupier(*arguments, "--json", cwd=tmp_path)
    made = {bot["name"]: bot["bids_made"] for bot in ran.json["bots"]}
    # Its third question comes in the second round, so that a game counts one of its bids.
    assert made["gone"][1] == 3
    assert made[RANDOM][1] == 9
    assert 0 <= made[RANDOM][0] <= 9
    table = croupier(*arguments, cwd=tmp_path).out
    counted, of = made[RANDOM]
    assert "bids made" in table
    assert f" {100 * counted / of:.0f} %" in table
