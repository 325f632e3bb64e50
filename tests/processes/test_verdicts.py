"""Each fault of a real process gets its verdict, its words, and costs nothing but its game."""

import pytest

from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from tests.processes.playing import RANDOM, Match, naughty, play_match


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


FAULTS = [
    ("--exit-on 2", "exited", "the bot exited with status 0"),
    ("--fail-on 2", "crashed", "the bot exited with status 3"),
    ("--raise-on 2", "crashed", "the bot exited with status 1"),
    ("--crash-on 2", "crashed", "the bot was killed by SIGSEGV"),
    ("--hang-on 2", "timeout", "no answer within 200 ms"),
    ("--late-on 2 400", "timeout", "no answer within 200 ms"),
    ("--partial-on 2", "timeout", "no answer within 200 ms"),
    ("--drip bytes", "timeout", "no answer within 200 ms"),
    ("--garbage-on 2", "malformed", "not JSON: JSON is malformed: invalid character (byte 0)"),
    ("--nest-on 2", "malformed", "nested deeper than 64"),
    ("--long-line-on 2", "oversize", "more than 65536 bytes without the end of the line"),
    ("--flood-on 2", "flood", "more than 256 lines in one turn"),
    ("--stale-on 2", "protocol", "more than 16 stale answers in one game"),
    (
        "--close-stdout-on 2",
        "closed",
        "the bot closed its input or output, but is still running",
    ),
    ("--close-stdin-on 2", "closed", "the bot closed its input or output, but is still running"),
    ("--start-exit 1", "no_start", "no hello: the bot exited with status 1; its stderr ends: "),
    ("--never-hello", "no_start", "no hello within 1 s"),
    ("--bad-version", "protocol", "no proper hello: the bot speaks protocol 2, we speak 1"),
]


@pytest.mark.parametrize(("flags", "code", "words"), FAULTS, ids=[row[0] for row in FAULTS])
async def test_a_fault_gets_its_verdict_and_is_said_in_words(path, flags, code, words):
    start_ms = 1000 if code == "no_start" else 5000
    clock = Clock(move_ms=200 if code == "timeout" else 1000)
    match = await play_match(path, naughty(flags), RANDOM, start_ms=start_ms, clock=clock)
    assert match.verdicts == [(code, "ok")]
    assert match.why.startswith(words)
    outcome = match.counted[0].outcome
    assert outcome
    assert (outcome.places, outcome.reason) == ((2, 1), "forfeit")


async def test_an_answer_to_what_was_never_asked_is_a_fault(path):
    match = await play_match(path, naughty("--wrong-id-on 2"), RANDOM)
    assert match.verdicts == [("protocol", "ok")]
    assert match.why == "answer to id 4, but the last one asked is 3"


async def test_an_action_that_is_not_legal_is_named_with_its_control_characters_escaped(path):
    match = await play_match(path, naughty(r"--illegal-on 2 --action '\x1b[31mplay'"), RANDOM)
    assert match.verdicts == [("illegal", "ok")]
    assert match.why.startswith(r'action "\x1b[31mplay" is not in the legal list')


async def test_a_bot_without_a_fault_plays_to_the_end(path):
    match = await play_match(path, naughty("--pick random"), RANDOM, games=4)
    assert match.verdicts == [("ok", "ok")] * 4
    assert match.counted[0].outcome
    assert match.counted[0].outcome.reason in {"out", "repetition"}


async def test_the_end_of_its_stderr_explains_a_failed_start(path):
    match = await play_match(path, naughty("--start-exit 1"), RANDOM)
    assert match.why.endswith("its stderr ends: cannot find my opening book")


async def test_the_traceback_of_a_crash_stands_in_the_log(path):
    match = await play_match(path, naughty("--raise-on 2"), RANDOM)
    assert "ValueError: this bot has a bug" in match.stderr_of(0)


async def test_a_fault_costs_one_game_and_the_bot_is_started_again_for_the_next(path):
    match = await play_match(path, naughty("--crash-on 8"), RANDOM, games=4)
    assert all("crashed" in verdicts for verdicts in match.verdicts)
    # A new process begins to count its turns and its requests again.
    ids = [line["id"] for line in match.log if line["type"] == "act" and line.get("fault")]
    assert ids == [9] * 4


async def test_after_three_failed_starts_a_bot_is_benched(path):
    match = await play_match(path, naughty("--start-exit 1"), RANDOM, games=6)
    whys = [result.forfeits[0].why for result in match.counted]
    assert [why.startswith("no hello") for why in whys] == [True] * 3 + [False] * 3
    assert whys[3:] == ["benched after 3 failed starts"] * 3
    assert [sorted(verdicts) for verdicts in match.verdicts] == [["no_start", "ok"]] * 6


async def test_when_both_are_at_fault_only_the_first_one_loses(path):
    match = await play_match(
        path, naughty("--exit-on 3", "early"), naughty("--crash-on 3", "later")
    )
    assert match.verdicts == [("exited", "ok")]


async def test_under_substitute_a_hang_costs_one_move_at_a_time(path):
    conduct = Conduct(OnFault.SUBSTITUTE, max_faults=3)
    bot = naughty("--late-on 2 700 --pick random")
    match = await play_match(path, bot, RANDOM, conduct=conduct, clock=Clock(move_ms=400))
    assert match.verdicts == [("ok", "ok")]
    assert match.counted[0].faults[0] in {1, 2}  # the late answer may delay the next one
    fault = next(line for line in match.log if line.get("fault") and line["type"] == "act")
    assert (fault["fault"], fault["by"], fault["ms"]) == ("timeout", "substitute", 421)


async def test_under_substitute_an_illegal_action_is_forgiven_and_the_bot_goes_on(path):
    conduct = Conduct(OnFault.SUBSTITUTE, max_faults=3)
    match = await play_match(path, naughty("--illegal-on 2"), RANDOM, conduct=conduct, games=2)
    assert match.verdicts == [("ok", "ok")] * 2
    assert [sum(result.faults) for result in match.counted] == [1, 0]


def faults_of(match: Match) -> list[str]:
    return [line["fault"] for line in match.log if line["type"] == "act" and "fault" in line]


async def test_without_a_clock_a_slow_bot_is_waited_for(path):
    bot = naughty("--late-on 2 1200")
    match = await play_match(path, bot, RANDOM, clock=Clock(move_ms=None))
    assert match.verdicts == [("ok", "ok")]
    assert max(match.counted[0].seconds[0]) >= 1.2
    assert faults_of(match) == []


async def test_a_bank_that_is_used_up_loses(path):
    clock = Clock(move_ms=1000, bank_ms=200)
    match = await play_match(path, naughty("--sleep 60"), RANDOM, clock=clock)
    assert match.verdicts == [("timeout", "ok")]
    assert [line["clock_ms"] for line in match.log if line.get("seat") == 0 and "clock_ms" in line]
