"""The words about a fault."""

from pathlib import Path
from typing import Any

from protocol.faults import FaultCode
from referee.match import Forfeited
from referee.report import fault_report, void_lines
from referee.results import FaultRecord, GameResult

FORFEIT = Forfeited(7, 0, 1021, FaultCode.TIMEOUT, "no answer within 1000 ms")
RECORD = FaultRecord(
    seat=0,
    code=FaultCode.TIMEOUT,
    why=FORFEIT.why,
    step=7,
    id=5,
    asked='{"type":"turn","id":5}',
    looks="it sleeps.\nWake it up.",
    stderr="one\n\x1b[31mtwo\n",
)


def result(number: int, **more: Any) -> GameResult:
    return GameResult(
        **{
            "game": number,
            "deal_no": 0,
            "bots": (0, 1),
            "outcome": None,
            "verdicts": (FaultCode.TIMEOUT, "ok"),
            "actions": [],
            "seconds": ([], []),
            "faults": (1, 0),
            "forfeits": [FORFEIT],
            "faults_seen": [RECORD],
            **more,
        }
    )


def test_the_first_forfeit_of_a_bot_is_told_in_full_and_the_others_in_a_line():
    assert fault_report([result(1), result(2)], ["ada", "bob"], Path("my log.jsonl")) == [
        "✗ ada forfeited game 1 at step 7 (timeout): no answer within 1000 ms",
        '  asked   {"type":"turn","id":5}',
        "  got     nothing on stdout",
        "  looks   it sleeps.",
        "          Wake it up.",
        "  last lines of its stderr",
        "    one",
        "    \\x1b[31mtwo",
        "  rerun   croupier rerun 'my log.jsonl' --game 1 --seat 0 --print",
        "✗ ada forfeited game 2 at step 7 (timeout): no answer within 1000 ms",
    ]


def test_without_a_log_there_is_nothing_to_run_again():
    lines = fault_report([result(1)], ["ada", "bob"], None)
    assert not any("rerun" in line for line in lines)


def test_a_hundred_forfeits_are_counted():
    lines = fault_report([result(number) for number in range(1, 101)], ["ada", "bob"], None)
    assert lines[-1] == "  … and 94 more forfeits"
    assert sum(line.startswith("✗") for line in lines) == 6


def test_the_other_bot_has_a_report_of_its_own():
    results = [result(1), result(2, bots=(1, 0))]
    assert sum("stderr" in line for line in fault_report(results, ["ada", "bob"], None)) == 2


def test_a_void_game_says_why():
    assert void_lines([result(3, void="the\nreferee")]) == ["! game 3 is void: the\\nreferee"]
