"""A whole game at the table: what the bots are told, and what stands in the log."""

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
import trio

from protocol.faults import FaultCode
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.match import Gone
from tests.channels.memory import BotEnd, LeavesError, Script
from tests.dialogue.playing import (
    DEAL,
    NAMES,
    SALT,
    SEEDS,
    WIN_OF_1,
    follows,
    good,
    play_game,
)

SUBSTITUTE = Conduct(OnFault.SUBSTITUTE, max_faults=2)
WINNERS = (follows(["play KS", "take", "take"]), follows([*WIN_OF_1[1:3], "play AS", "play KC"]))
DEAL_JSON = msgspec.json.encode(DEAL)
COMMITMENT = sha256(SALT.encode() + b"\n" + DEAL_JSON).hexdigest()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


async def test_a_game_is_played_to_its_end(autojump_clock, path):
    played = await play_game(path, *WINNERS)
    result = played.result
    assert result.actions == WIN_OF_1
    assert result.outcome
    assert (result.outcome.scores, result.outcome.places) == ((0, 1), (2, 1))
    assert (result.verdicts, result.faults, result.forfeits) == (("ok", "ok"), (0, 0), [])
    assert [len(seconds) for seconds in result.seconds] == [3, 4]


async def test_a_game_begins_with_all_that_a_bot_may_know(autojump_clock, path):
    played = await play_game(path, good, good)
    for seat in (0, 1):
        assert played.messages(seat, "start") == [
            {
                "type": "start",
                "game": "g1",
                "rules": "svoyi-koziri",
                "options": {
                    "cards": 8,
                    "take": "forced",
                    "after_take": "leader",
                    "repetition": 3,
                    "max_plies": 480,
                },
                "seat": seat,
                "players": list(NAMES),
                "move_ms": 1000,
                "seed": SEEDS[seat],
                "commitment": COMMITMENT,
            }
        ]


async def test_a_bank_is_announced_and_shown_in_every_turn(autojump_clock, path):
    async def slow(bot: BotEnd) -> None:
        await bot.hello()
        while True:
            asked = await bot.turn()
            await trio.sleep(0.1)
            bot.act(asked, WIN_OF_1[asked["state"]["plies"]])

    clock = Clock(move_ms=300, bank_ms=900, increment_ms=50)
    played = await play_game(path, slow, follows(WIN_OF_1[1:3] + WIN_OF_1[4::2]), clock=clock)
    (start,) = played.messages(0, "start")
    assert (start["move_ms"], start["clock_ms"]) == (300, 900)
    turns = played.messages(0, "turn")
    assert [(t["move_ms"], t["clock_ms"]) for t in turns] == [(300, 900), (300, 850), (300, 800)]
    assert [a["clock_ms"] for a in played.lines("act") if a["seat"] == 0] == [850, 800, 750]
    assert {a["ms"] for a in played.lines("act") if a["seat"] == 0} == {100}


async def test_without_a_clock_no_time_is_named(autojump_clock, path):
    played = await play_game(path, good, good, clock=Clock(move_ms=None))
    assert "move_ms" not in played.messages(0, "start")[0]
    assert all("move_ms" not in turn for turn in played.messages(0, "turn"))


async def test_a_turn_has_whole_state_and_what_happened_since_the_last_one(autojump_clock, path):
    played = await play_game(path, *WINNERS)
    first, second, third = played.messages(0, "turn")
    assert first == {
        "type": "turn",
        "id": 2,
        "game": "g1",
        "seat": 0,
        "move_ms": 1000,
        "legal": ["play AD", "play KH", "play AH", "play KS"],
        "state": {
            "phase": "lead",
            "leader": 0,
            "trumps": ["S", "D"],
            "hands": [["AD", "KH", "AH", "KS"], ["KC", "AC", "KD", "AS"]],
            "pile": [],
            "plies": 0,
            "max_plies": 480,
            "position_count": 1,
        },
        "events": [],
    }
    assert second["events"] == [
        {"seat": 0, "action": "play KS"},
        {"seat": 1, "action": "play KD"},
        {"seat": 1, "action": "play AC"},
    ]
    assert second["state"]["led"] == "AC"
    assert third["events"] == [
        {"seat": 0, "action": "take"},
        {"event": "took", "seat": 0, "cards": ["KS", "KD", "AC"]},
        {"seat": 1, "action": "play AS"},
    ]
    assert [turn["id"] for turn in played.messages(1, "turn")] == [2, 3, 4, 5]


async def test_a_game_ends_with_the_result_and_the_last_events(autojump_clock, path):
    played = await play_game(path, *WINNERS)
    (end,) = played.messages(0, "end")
    assert end == {
        "type": "end",
        "game": "g1",
        "scores": [0, 1],
        "places": [2, 1],
        "reason": "out",
        "events": [
            {"seat": 0, "action": "take"},
            {"event": "took", "seat": 0, "cards": ["AS"]},
            {"seat": 1, "action": "play KC"},
        ],
        "deal": msgspec.json.decode(DEAL_JSON),
        "salt": SALT,
    }
    assert played.heard[0][-1] == {"type": "bye", "reason": "match over"}


async def test_the_deal_is_shown_only_when_it_will_not_be_played_again(autojump_clock, path):
    played = await play_game(path, *WINNERS, reveal=False)
    for seat in (0, 1):
        (end,) = played.messages(seat, "end")
        assert "deal" not in end
        assert "salt" not in end
    assert played.lines("game")[0]["salt"] == SALT


def one_bad_turn(act: Script, *, number: int = 1) -> Script:
    """A good bot but for its turn of this number."""

    async def script(bot: BotEnd) -> None:
        await bot.hello()
        for _ in range(number - 1):
            bot.act(await bot.turn())
        await act(bot)
        await bot.play_on()

    return script


async def says_nothing(bot: BotEnd) -> None:
    await bot.turn()


async def plays_what_it_has_not(bot: BotEnd) -> None:
    bot.act(await bot.turn(), "play KC")


async def says_garbage(bot: BotEnd) -> None:
    await bot.turn()
    bot.say(b"my move is \x1b[2J AD\n")


async def answers_what_was_not_asked(bot: BotEnd) -> None:
    await bot.turn()
    bot.say({"type": "action", "id": 99, "action": "play AD"})


async def sends_a_long_line(bot: BotEnd) -> None:
    await bot.turn()
    bot.say(b"x" * 70_000)


async def floods(bot: BotEnd) -> None:
    await bot.turn()
    bot.say(b"\n" * 300)


FAULTS = [
    (says_nothing, "timeout", "no answer within 1000 ms"),
    (
        plays_what_it_has_not,
        "illegal",
        'action "play KC" is not in the legal list (4 were offered); not_in_hand: seat 0 does not hold KC',
    ),
    (says_garbage, "malformed", "not JSON: JSON is malformed: invalid character (byte 0)"),
    (answers_what_was_not_asked, "protocol", "answer to id 99, but the last one asked is 2"),
    (sends_a_long_line, "oversize", "more than 65536 bytes without the end of the line"),
    (floods, "flood", "more than 256 lines in one turn"),
]


@pytest.mark.parametrize(("act", "code", "words"), FAULTS)
async def test_a_fault_is_explained_to_the_bot_and_loses_the_game(
    autojump_clock, path, act, code, words
):
    played = await play_game(path, one_bad_turn(act), good)
    error, end, bye = played.heard[0][-3:]
    assert error == {"type": "error", "re": 2, "code": code, "message": words, "fatal": True}
    fault = {"event": "fault", "seat": 0, "code": code}
    deal = {"deal": msgspec.json.decode(DEAL_JSON), "salt": SALT}
    assert end == {
        "type": "end",
        "game": "g1",
        "scores": [0, 1],
        "places": [2, 1],
        "reason": "forfeit",
        "events": [fault],
        **deal,
    }
    assert bye["type"] == "bye"
    assert [m["type"] for m in played.heard[1]] == ["hello", "start", "end", "bye"]
    assert played.messages(1, "end")[0]["events"] == [fault]
    assert played.result.verdicts == (code, "ok")
    assert played.result.faults == (1, 0)


@pytest.mark.parametrize(("act", "code", "words"), FAULTS)
async def test_a_fault_stands_in_the_log_and_its_report_in_an_aside(
    autojump_clock, path, act, code, words
):
    played = await play_game(path, one_bad_turn(act), good)
    (line,) = played.lines("act")
    assert "action" not in line
    assert (line["step"], line["seat"], line["id"], line["fault"]) == (1, 0, 2, code)
    (aside,) = played.asides("fault")
    report = aside["fault"]
    assert (aside["step"], aside["seat"]) == (1, 0)
    assert (report["code"], report["why"], report["id"]) == (code, words, 2)
    assert report["got"].isprintable()
    assert len(report["got"]) <= 120
    assert played.lines("result")[0]["verdicts"] == [code, "ok"]


ENDINGS = [
    (FaultCode.EXITED, "the bot exited with status 0"),
    (FaultCode.CRASHED, "the bot was killed by SIGSEGV"),
]


@pytest.mark.parametrize(("code", "words"), ENDINGS)
async def test_a_bot_that_leaves_loses_and_the_other_one_hears_of_it(
    autojump_clock, path, code, words
):
    async def leaves(bot: BotEnd) -> None:
        await bot.turn()
        raise LeavesError(code, words)

    played = await play_game(path, good, one_bad_turn(leaves))
    assert played.result.verdicts == ("ok", code)
    assert played.result.forfeits[0].why == words
    assert played.messages(0, "end")[0]["events"] == [
        {"seat": 0, "action": "play AD"},
        {"event": "fault", "seat": 1, "code": code},
    ]
    assert played.messages(1, "end") == []


async def test_a_bot_that_closed_its_output_loses_by_that(autojump_clock, path):
    async def closes(bot: BotEnd) -> None:
        await bot.turn()
        bot.output_ended = True
        bot.change()
        await bot.play_on()

    played = await play_game(path, one_bad_turn(closes), good)
    assert played.result.verdicts == ("closed", "ok")
    assert played.messages(0, "error")[0]["code"] == "closed"


FORGIVEN = [row for row in FAULTS if row[1] in {"timeout", "illegal", "malformed"}]


@pytest.mark.parametrize(("act", "code", "words"), FORGIVEN)
async def test_under_substitute_the_game_goes_on_and_the_error_is_not_fatal(
    autojump_clock, path, act, code, words
):
    played = await play_game(path, one_bad_turn(act), good, conduct=SUBSTITUTE)
    (error,) = played.messages(0, "error")
    assert error == {"type": "error", "re": 2, "code": code, "message": words, "fatal": False}
    assert played.result.verdicts == ("ok", "ok")
    assert played.result.faults == (1, 0)
    first = played.lines("act")[0]
    assert (first["fault"], first["by"]) == (code, "substitute")
    assert first["action"] in played.messages(0, "turn")[0]["legal"]
    second = played.messages(0, "turn")[1]
    assert second["events"][:2] == [
        {"event": "fault", "seat": 0, "code": code},
        {"seat": 0, "action": first["action"]},
    ]


@pytest.mark.parametrize(
    ("act", "code"), [(row[0], row[1]) for row in FAULTS if row not in FORGIVEN]
)
async def test_under_substitute_a_bot_that_cannot_be_understood_still_loses(
    autojump_clock, path, act, code
):
    played = await play_game(path, one_bad_turn(act), good, conduct=SUBSTITUTE)
    assert played.result.verdicts == (code, "ok")
    assert played.messages(0, "error")[0]["fatal"] is True


async def test_one_fault_more_than_are_forgiven_is_fatal(autojump_clock, path):
    async def never(bot: BotEnd) -> None:
        await bot.hello()
        while True:
            await bot.message()

    async def takes_its_time(bot: BotEnd) -> None:
        await bot.hello()
        await bot.play_on()

    played = await play_game(path, never, takes_its_time, conduct=SUBSTITUTE)
    assert [e["fatal"] for e in played.messages(0, "error")] == [False, False, True]
    assert played.result.verdicts == ("timeout", "ok")
    assert played.result.faults == (3, 0)
    assert played.seconds == pytest.approx(3 * 1.02)


async def test_a_late_answer_under_substitute_answers_nothing_else(autojump_clock, path):
    async def late(bot: BotEnd) -> None:
        asked = await bot.turn()
        await trio.sleep(1.5)
        bot.act(asked, "play KH")

    played = await play_game(path, one_bad_turn(late), good, conduct=SUBSTITUTE)
    assert played.result.faults == (1, 0)
    assert played.result.verdicts == ("ok", "ok")


async def test_an_answer_within_the_margin_is_charged_but_not_punished(autojump_clock, path):
    async def a_little_late(bot: BotEnd) -> None:
        asked = await bot.turn()
        await trio.sleep(1.015)
        bot.act(asked)

    played = await play_game(path, one_bad_turn(a_little_late), good)
    assert played.result.verdicts == ("ok", "ok")
    assert played.lines("act")[0]["ms"] in {1014, 1015}  # cut to whole milliseconds


async def test_a_note_stands_in_an_aside_and_not_beside_the_move(autojump_clock, path):
    note = {"win": 0.62, "depth": 4}
    played = await play_game(path, follows(["play KS"], note=note), good)
    assert "note" not in played.lines("act")[0]
    (aside,) = played.asides("note")
    assert aside == {"type": "aside", "step": 1, "seat": 0, "note": note}


CUT_NOTES = [
    ("x" * 600, "x" * 500, "note cut to 500 characters"),
    (
        {f"k{i}": i for i in range(20)},
        {f"k{i}": i for i in range(16)},
        "note cut to 16 values, or a value in it",
    ),
    ({"k": "x" * 600}, {"k": "x" * 500}, "note cut to 16 values, or a value in it"),
]


@pytest.mark.parametrize(("note", "kept", "warning"), CUT_NOTES, ids=["text", "many", "long"])
async def test_a_note_that_is_too_long_is_cut_with_a_warning(
    autojump_clock, path, note, kept, warning
):
    played = await play_game(path, follows(["play KS"], note=note), good)
    (aside,) = played.asides("warning")
    assert (aside["note"], aside["warning"]) == (kept, warning)
    assert played.result.verdicts == ("ok", "ok")


@pytest.mark.parametrize("note", [[1, 2], 7, True, {"k": [1]}, {"k": {"a": 1}}])
async def test_a_note_of_another_shape_is_dropped_with_a_warning(autojump_clock, path, note):
    played = await play_game(path, follows(["play KS"], note=note), good)
    (aside,) = played.asides("warning")
    assert "note" not in aside
    assert aside["warning"] == "note dropped: it is neither a string nor a flat object"
    assert played.result.verdicts == ("ok", "ok")


async def test_what_a_bot_says_on_stderr_stands_beside_its_move(autojump_clock, path):
    async def talks(bot: BotEnd) -> None:
        asked = await bot.turn()
        bot.complain(b"t1: leading \xff\n")
        bot.act(asked)
        asked = await bot.turn()
        bot.complain(b"t2: well\n")
        bot.act(asked)

    played = await play_game(path, one_bad_turn(talks), good)
    asides = played.asides("stderr")
    steps = [act["step"] for act in played.lines("act") if act["seat"] == 0]
    assert [(a["step"], a["seat"], a["stderr"]) for a in asides] == [
        (steps[0], 0, "t1: leading \ufffd\n"),
        (steps[1], 0, "t2: well\n"),
    ]


async def test_a_long_stderr_is_cut_and_its_size_told_and_its_end_kept(autojump_clock, path):
    async def talks(bot: BotEnd) -> None:
        while True:
            asked = await bot.turn()
            bot.complain(b"x" * 20_000 + b"end")
            bot.act(asked)

    played = await play_game(path, one_bad_turn(talks), good)
    first = played.asides("stderr")[0]
    assert first["stderr_bytes"] == 20_003
    in_all = sum(len(aside["stderr"]) for aside in played.asides("stderr"))
    assert in_all <= 2 * 8192 + 100
    assert played.asides("stderr")[-1]["stderr"].endswith("end")


async def test_a_byte_order_mark_is_warned_of_in_the_first_aside(autojump_clock, path):
    async def marked(bot: BotEnd) -> None:
        bot.say(b"\xef\xbb\xbf")
        await good(bot)

    played = await play_game(path, marked, good)
    (aside,) = played.asides("warning")
    assert aside["warning"] == "a byte-order mark at the start of its output was dropped"


async def test_a_bot_that_could_not_be_started_loses_and_the_other_one_is_told_nothing(
    autojump_clock, path
):
    absent = Gone(FaultCode.NO_START, "no hello within 1.5 s")
    played = await play_game(path, absent, good)
    assert played.result.verdicts == ("no_start", "ok")
    assert played.result.outcome
    assert played.result.outcome.places == (2, 1)
    assert played.lines("act") == []
    assert [m["type"] for m in played.heard[1]] == ["hello", "bye"]
    (aside,) = played.asides("fault")
    assert aside["fault"]["why"] == "no hello within 1.5 s"


async def test_when_neither_bot_could_be_started_nobody_wins(autojump_clock, path):
    absent = Gone(FaultCode.NO_START, "no hello within 1.5 s")
    played = await play_game(path, absent, Gone(FaultCode.PROTOCOL, "speaks protocol 2"))
    assert played.result.verdicts == ("no_start", "protocol")
    assert played.result.outcome
    assert played.result.outcome.places == (1, 1)


async def test_the_report_of_a_silent_bot_quotes_nothing_of_an_earlier_turn(autojump_clock, path):
    played = await play_game(path, one_bad_turn(says_nothing, number=2), good)
    (aside,) = played.asides("fault")
    report = aside["fault"]
    assert (report["code"], report["got"], report["bytes"]) == ("timeout", "", 0)
