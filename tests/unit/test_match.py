"""The match on an eight-card game that is known by heart: seat 0 has AD KH AH KS and leads."""

from copy import deepcopy

import pytest

from protocol.faults import FaultCode
from protocol.messages import FaultEvent, Moved, Took
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.game import Outcome
from referee.games.svoyi_koziri import Options, SvoyiKoziri, deal_from_code
from referee.match import (
    Acted,
    Decided,
    Finished,
    Forfeited,
    Garbled,
    Gone,
    Match,
    Prompt,
    TimedOut,
    Void,
    Voided,
    shown,
    substitute,
)

GAME = SvoyiKoziri()
SUBSTITUTE = Conduct(OnFault.SUBSTITUTE, max_faults=2)
WIN_OF_1 = ["play KS", "play KD", "play AC", "take", "play AS", "take", "play KC"]
LOST_BY_0 = Outcome((0, 1), (2, 1), "forfeit")
ILLEGAL = 'action "play KC" is not in the legal list (4 were offered); not_in_hand: seat 0 does not hold KC'

FAULTS = [
    (TimedOut(1021), FaultCode.TIMEOUT, "no answer within 1000 ms"),
    (Acted("play KS", 1021), FaultCode.TIMEOUT, "the answer came after 1021 ms"),
    (Acted("play KC", 3), FaultCode.ILLEGAL, ILLEGAL),
    # Late and illegal: the time is looked at first.
    (Acted("play KC", 1021), FaultCode.TIMEOUT, "the answer came after 1021 ms"),
    (Garbled(FaultCode.MALFORMED, "not JSON", 5), FaultCode.MALFORMED, "not JSON"),
    (Garbled(FaultCode.OVERSIZE, "too long", 5), FaultCode.OVERSIZE, "too long"),
    (Garbled(FaultCode.FLOOD, "257 lines", 5), FaultCode.FLOOD, "257 lines"),
    (Garbled(FaultCode.PROTOCOL, "id 9", 5), FaultCode.PROTOCOL, "id 9"),
    (Gone(FaultCode.EXITED, "status 0", 5), FaultCode.EXITED, "status 0"),
    (Gone(FaultCode.CRASHED, "SIGSEGV", 5), FaultCode.CRASHED, "SIGSEGV"),
    (Gone(FaultCode.CLOSED, "stdout", 5), FaultCode.CLOSED, "stdout"),
    (Gone(FaultCode.MEMORY, "1025 MiB", 5), FaultCode.MEMORY, "1025 MiB"),
    (Gone(FaultCode.PROCESSES, "65", 5), FaultCode.PROCESSES, "65"),
    (Gone(FaultCode.DISCONNECTED, "gone", 5), FaultCode.DISCONNECTED, "gone"),
]
SURVIVABLE = [fault for fault in FAULTS if fault[1] in ("timeout", "illegal", "malformed")]
DEADLY = [fault for fault in FAULTS if fault not in SURVIVABLE]


def match_of(clock=None, conduct=None):
    return Match(
        GAME,
        deal_from_code(1, 8),
        options=Options(cards=8),
        seeds=(71403311, 1290554807),
        clock=clock or Clock(),
        conduct=conduct or Conduct(),
    )


def prompt_of(match: Match) -> Prompt:
    assert match.prompt is not None
    return match.prompt


def decided(step, seat, action, ms=0, **more):
    return Decided(step=step, seat=seat, action=action, ms=ms, **more)


def drive(match, actions):
    return [event for action in actions for event in match.answer(Acted(action, 0))]


def test_the_first_prompt_is_the_dealer_s():
    match = match_of()
    assert match.prompt == Prompt(
        seat=0,
        step=1,
        clock=Clock(),
        legal=("play AD", "play KH", "play AH", "play KS"),
        view=GAME.view(match.state, 0),
        events=[],
    )


def test_a_legal_action_in_time_takes_effect_and_the_next_seat_is_asked():
    match = match_of()
    assert match.answer(Acted("play KS", 3)) == [decided(1, 0, "play KS", 3)]
    assert match.prompt == Prompt(
        seat=1,
        step=2,
        clock=Clock(),
        legal=("play KD", "play AS"),
        view=GAME.view(match.state, 1),
        events=[Moved(0, "play KS")],
    )


def test_the_last_card_finishes_the_match():
    match = match_of()
    *events, last = drive(match, WIN_OF_1)
    seats = [0, 1, 1, 0, 1, 0, 1]
    assert events == [
        decided(step, seat, action)
        for step, (seat, action) in enumerate(zip(seats, WIN_OF_1, strict=True), start=1)
    ]
    assert last == Finished(Outcome((0, 1), (2, 1), "out"), ("ok", "ok")) == match.result
    assert match.prompt is None


@pytest.mark.parametrize(("answer", "code", "why"), FAULTS)
def test_under_forfeit_any_fault_ends_the_game_and_the_other_wins(answer, code, why):
    match = match_of()
    assert match.answer(answer) == [
        Forfeited(1, 0, answer.took_ms, code, why),
        Finished(LOST_BY_0, (code, "ok")),
    ]
    assert (match.prompt, match.faults) == (None, [0, 0])


def test_a_fault_of_the_other_seat_makes_the_first_win():
    match = match_of()
    match.answer(Acted("play KS", 0))
    assert match.answer(TimedOut(1500)) == [
        Forfeited(2, 1, 1500, FaultCode.TIMEOUT, "no answer within 1000 ms"),
        Finished(Outcome((1, 0), (1, 2), "forfeit"), ("ok", FaultCode.TIMEOUT)),
    ]


@pytest.mark.parametrize(("answer", "code", "why"), SURVIVABLE)
def test_under_substitute_the_referee_plays_for_a_bot_that_can_go_on(answer, code, why):
    match = match_of(conduct=SUBSTITUTE)
    action = substitute(prompt_of(match), 71403311)
    assert match.answer(answer) == [
        decided(1, 0, action, answer.took_ms, fault=code, why=why, by="substitute")
    ]
    assert (match.faults, match.verdicts) == ([1, 0], ["ok", "ok"])
    assert prompt_of(match).events == [FaultEvent(0, code), Moved(0, action)]


@pytest.mark.parametrize(("answer", "code", "why"), DEADLY)
def test_under_substitute_a_fault_that_a_bot_does_not_survive_is_a_forfeit(answer, code, why):
    assert match_of(conduct=SUBSTITUTE).answer(answer) == [
        Forfeited(1, 0, answer.took_ms, code, why),
        Finished(LOST_BY_0, (code, "ok")),
    ]


def test_under_substitute_one_fault_more_than_max_faults_is_a_forfeit():
    match = match_of(conduct=Conduct(OnFault.SUBSTITUTE, max_faults=1))
    while not match.faults[0]:
        match.answer(TimedOut(1021) if prompt_of(match).seat == 0 else legal(match))
    while prompt_of(match).seat != 0:
        match.answer(legal(match))
    step = prompt_of(match).step
    assert match.answer(TimedOut(1021)) == [
        Forfeited(step, 0, 1021, FaultCode.TIMEOUT, "no answer within 1000 ms"),
        Finished(LOST_BY_0, (FaultCode.TIMEOUT, "ok")),
    ]


def legal(match: Match) -> Acted:
    return Acted(prompt_of(match).legal[0], 0)


def test_the_substitute_is_legal_and_the_same_for_the_same_seed_and_step():
    prompt = prompt_of(match_of())
    chosen = [substitute(prompt, seed) for seed in range(100)]
    assert set(chosen) == set(prompt.legal)
    assert chosen == [substitute(prompt, seed) for seed in range(100)]


def test_an_answer_at_allowance_and_margin_counts_and_one_millisecond_later_is_a_time_out():
    assert match_of().answer(Acted("play KS", 1020)) == [decided(1, 0, "play KS", 1020)]
    assert match_of().answer(Acted("play KS", 1021))[-1] == Finished(
        LOST_BY_0, (FaultCode.TIMEOUT, "ok")
    )


def test_without_limits_nothing_is_too_late():
    match = match_of(clock=Clock(move_ms=None))
    assert match.answer(Acted("play KS", 10**8)) == [decided(1, 0, "play KS", 10**8)]


def test_each_bank_is_charged_in_full_and_gets_its_increment_after_the_answer():
    match = match_of(clock=Clock(bank_ms=500, increment_ms=50))
    events = [match.answer(Acted(action, 120)) for action in WIN_OF_1[:4]]
    assert events == [
        [decided(1, 0, "play KS", 120, clock_ms=430)],
        [decided(2, 1, "play KD", 120, clock_ms=430)],
        [decided(3, 1, "play AC", 120, clock_ms=360)],
        [decided(4, 0, "take", 120, clock_ms=360)],
    ]
    assert prompt_of(match).clock == Clock(bank_ms=360, increment_ms=50)


def test_the_margin_is_tolerated_on_a_bank_too_and_the_bank_is_then_empty():
    match = match_of(clock=Clock(bank_ms=100))
    assert match.answer(Acted("play KS", 120)) == [decided(1, 0, "play KS", 120, clock_ms=0)]


def test_under_substitute_an_empty_bank_is_a_forfeit():
    match = match_of(clock=Clock(bank_ms=100), conduct=SUBSTITUTE)
    assert match.answer(TimedOut(121)) == [
        Forfeited(1, 0, 121, FaultCode.TIMEOUT, "no answer within 100 ms"),
        Finished(LOST_BY_0, (FaultCode.TIMEOUT, "ok")),
    ]


def test_under_substitute_a_bank_with_an_increment_is_never_empty():
    match = match_of(clock=Clock(bank_ms=100, increment_ms=50), conduct=SUBSTITUTE)
    action = substitute(prompt_of(match), 71403311)
    assert match.answer(TimedOut(121)) == [
        decided(
            1,
            0,
            action,
            121,
            clock_ms=50,
            fault=FaultCode.TIMEOUT,
            why="no answer within 100 ms",
            by="substitute",
        )
    ]


def test_each_seat_is_told_what_happened_since_it_was_last_asked_and_only_once():
    match = match_of()
    told = []
    for action in WIN_OF_1[:6]:
        told.append(list(prompt_of(match).events))
        match.answer(Acted(action, 0))
    moved = [
        Moved(seat, action) for seat, action in zip([0, 1, 1, 0, 1, 0], WIN_OF_1, strict=False)
    ]
    took = [Took(0, ("KS", "KD", "AC")), Took(0, ("AS",))]
    assert told == [
        [],
        [moved[0]],
        [moved[1]],
        [moved[0], moved[1], moved[2]],
        [moved[2], moved[3], took[0]],
        [moved[3], took[0], moved[4]],
    ]
    assert prompt_of(match).events == [moved[4], moved[5], took[1]]
    assert match.unseen(0) == [moved[5], took[1]]


def test_at_the_end_each_seat_has_yet_to_see_the_last_decisions():
    match = match_of()
    drive(match, WIN_OF_1)
    last = [Moved(0, "take"), Took(0, ("AS",)), Moved(1, "play KC")]
    assert (match.unseen(0), match.unseen(1)) == (last, [last[-1]])


def test_a_fault_is_told_to_both_seats():
    match = match_of()
    match.answer(TimedOut(2000))
    fault = [FaultEvent(0, "timeout")]
    assert (match.unseen(0), match.unseen(1)) == (fault, fault)


@pytest.mark.parametrize(
    ("seat", "outcome", "verdicts"),
    [
        (0, Outcome((0, 1), (2, 1), "forfeit"), (FaultCode.NO_START, "ok")),
        (1, Outcome((1, 0), (1, 2), "forfeit"), ("ok", FaultCode.NO_START)),
    ],
)
def test_a_bot_that_could_not_be_started_forfeits_before_the_first_turn(seat, outcome, verdicts):
    match = match_of()
    assert match.without({seat: Gone(FaultCode.NO_START, "no such file")}) == [
        Forfeited(0, seat, 0, FaultCode.NO_START, "no such file"),
        Finished(outcome, verdicts),
    ]
    assert match.prompt is None


def test_when_neither_bot_could_be_started_nobody_wins():
    match = match_of()
    absent = {0: Gone(FaultCode.NO_START, "no file"), 1: Gone(FaultCode.AUTH, "no token")}
    assert match.without(absent) == [
        Forfeited(0, 0, 0, FaultCode.NO_START, "no file"),
        Forfeited(0, 1, 0, FaultCode.AUTH, "no token"),
        Finished(Outcome((0, 0), (1, 1), "forfeit"), (FaultCode.NO_START, FaultCode.AUTH)),
    ]
    assert match.prompt is None


def test_the_referee_s_trouble_makes_the_game_void():
    match = match_of()
    match.answer(Acted("play KS", 0))
    assert match.answer(Void("the machine slept")) == [Voided("the machine slept")]
    assert (match.prompt, match.result) == (None, Voided("the machine slept"))


@pytest.mark.parametrize(
    "answers", [[TimedOut(2000)], [Void("lag")], [Acted(a, 0) for a in WIN_OF_1]]
)
def test_a_match_that_is_over_takes_no_answer(answers):
    match = match_of()
    for answer in answers:
        match.answer(answer)
    with pytest.raises(RuntimeError, match=r"^the match is over$"):
        match.answer(Acted("take", 0))


def test_a_copy_goes_its_own_way():
    match = match_of()
    copy = deepcopy(match)
    copy.answer(TimedOut(2000))
    assert drive(match, WIN_OF_1)[-1] == Finished(Outcome((0, 1), (2, 1), "out"), ("ok", "ok"))


@pytest.mark.parametrize(
    ("words", "safe"),
    [
        ("play QD", "play QD"),
        ("a\nb\x1b[31m\u202e", "a\\nb\\x1b[31m\\u202e"),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + "…"),
        ("\0" * 100, "\\x00" * 29 + "\\x0…"),
    ],
)
def test_a_bot_s_words_are_shown_on_one_line_escaped_and_not_endless(words, safe):
    assert shown(words) == safe
