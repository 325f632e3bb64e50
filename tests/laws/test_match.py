"""Laws of the match: it takes whatever the bots do, ends, and says who won."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from protocol.faults import FaultCode
from referee.clock import Clock
from referee.conduct import SURVIVABLE, Conduct, OnFault
from referee.game import Outcome
from referee.games import GAMES
from referee.match import (
    Acted,
    Answer,
    Decided,
    Finished,
    Forfeited,
    Garbled,
    Gone,
    Match,
    MatchEvent,
    Prompt,
    TimedOut,
    Verdict,
    Void,
    Voided,
)
from tests.laws.strategies import MATERIAL, every_game, lots

Habit: TypeAlias = Callable[[Prompt], Answer]  # what a bot does when it is asked

times = st.integers(0, 3000)
quick = st.integers(0, 5)
GARBLED = (FaultCode.MALFORMED, FaultCode.OVERSIZE, FaultCode.FLOOD, FaultCode.PROTOCOL)
GONE = (
    FaultCode.EXITED,
    FaultCode.CRASHED,
    FaultCode.CLOSED,
    FaultCode.MEMORY,
    FaultCode.PROCESSES,
    FaultCode.DISCONNECTED,
)


def _legal(index: int, took: int) -> Habit:
    return lambda prompt: Acted(prompt.legal[index % len(prompt.legal)], took)


def _always(answer: Answer) -> Habit:
    return lambda prompt: answer


legal_answers = st.builds(_legal, st.integers(0, 51), quick)
survivable = st.one_of(
    st.builds(TimedOut, st.integers(1021, 3000)),
    st.builds(Acted, st.text(max_size=200), quick),
    st.builds(Garbled, st.just(FaultCode.MALFORMED), st.text(max_size=20), quick),
).map(_always)
deadly = st.one_of(
    st.builds(Garbled, st.sampled_from(GARBLED[1:]), st.text(max_size=20), times),
    st.builds(Gone, st.sampled_from(GONE), st.text(max_size=20), times),
    st.builds(Void, st.text(max_size=20)),
).map(_always)
late_answers = st.builds(_legal, st.integers(0, 51), times)
answers = st.lists(
    st.one_of(legal_answers, legal_answers, legal_answers, late_answers, survivable, deadly),
    max_size=60,
)
clocks = st.builds(
    Clock,
    move_ms=st.none() | st.integers(1, 2000),
    bank_ms=st.none() | st.integers(1, 20_000),
    increment_ms=st.integers(0, 300),
    margin_ms=st.integers(0, 50),
)
conducts = st.builds(Conduct, st.sampled_from(OnFault), st.integers(0, 3))


@st.composite
def setups(draw: st.DrawFn, name: str, clock: Any = clocks, conduct: Any = conducts) -> Any:
    """A function that makes the same new match each time it is called."""
    game, options = GAMES[name], draw(MATERIAL[name].options)
    seats = draw(st.sampled_from(game.seats))
    deal = game.deal(Random(draw(lots)), seats, options)
    more: dict[str, Any] = {
        "options": options,
        "seeds": draw(st.tuples(*[st.integers(0, 2**31 - 1)] * seats)),
        "clock": draw(clock),
        "conduct": draw(conduct),
    }
    return lambda: Match(game, deal, **more)


def _drive(match: Match, habits: list[Habit]) -> list[MatchEvent]:
    """The events of a match: the habits by turn, then the first legal action to the end."""
    events: list[MatchEvent] = []
    for habit in habits:
        if match.prompt is None:
            break
        events += match.answer(habit(match.prompt))
    while match.prompt is not None:
        events += match.answer(Acted(match.prompt.legal[0], 0))
    return events


def _all_ok(match: Match) -> tuple[Verdict, ...]:
    ok: Verdict = "ok"
    return (ok,) * len(match.clocks)


def _is_consistent(match: Match, result: Finished) -> None:
    outcome, verdicts = result.outcome, result.verdicts
    lost = [seat for seat, verdict in enumerate(verdicts) if verdict != "ok"]
    if not lost:
        assert outcome == match.game.outcome(match.state)
    else:
        _is_consistent_forfeit(match, outcome, lost)


def _is_consistent_forfeit(match: Match, outcome: Outcome, lost: list[int]) -> None:
    honest = [seat for seat in range(len(match.clocks)) if seat not in lost]
    assert (outcome.reason == "forfeit") == (len(honest) <= 1)
    for seat in honest:
        better = sum(outcome.scores[other] > outcome.scores[seat] for other in honest)
        assert outcome.places[seat] == 1 + better
        assert all(outcome.places[loser] > len(honest) for loser in lost)
    if len(match.clocks) == 2:
        assert outcome.scores == match.game.forfeit_scores(match.state, lost)
    elif honest:
        worst = min(outcome.scores[seat] for seat in honest)
        assert all(outcome.scores[loser] < worst for loser in lost)


@every_game
@given(data=st.data(), habits=answers)
def test_whatever_the_bots_do_the_match_ends_with_a_result_and_nothing_after_it(name, data, habits):
    match = data.draw(setups(name))()
    *events, last = _drive(match, habits)
    assert match.result == last
    assert not any(isinstance(event, Finished | Voided) for event in events)
    if isinstance(last, Finished):
        _is_consistent(match, last)
    else:
        assert isinstance(last, Voided)


@every_game
@given(data=st.data(), habits=answers)
def test_the_same_answers_bring_the_same_events(name, data, habits):
    set_up = data.draw(setups(name))
    assert _drive(set_up(), habits) == _drive(set_up(), habits)


@every_game
@given(data=st.data(), habits=answers)
def test_steps_count_by_one_and_every_decision_was_legal_in_its_turn(name, data, habits):
    match = data.draw(setups(name))()
    state, step = match.state, 0
    for event in _drive(match, habits):
        if isinstance(event, Decided):
            step += 1
            assert (event.step, event.seat) == (step, match.game.turn(state))
            state = match.game.play(state, event.action)
        elif isinstance(event, Forfeited):
            step += 1
            assert (event.step, event.seat) == (step, match.game.turn(state))
            if event.action is not None:
                state = match.game.play(state, event.action)
    assert state == match.state


@every_game
@given(data=st.data(), habits=st.lists(legal_answers, max_size=60))
def test_bots_that_answer_in_time_with_legal_actions_are_never_at_fault(name, data, habits):
    match = data.draw(setups(name, clock=st.just(Clock())))()
    *events, last = _drive(match, habits)
    assert last == Finished(match.game.outcome(match.state), _all_ok(match))
    assert all(isinstance(event, Decided) and event.fault is None for event in events)


@every_game
@given(data=st.data(), habits=st.lists(survivable | legal_answers, max_size=60))
def test_under_substitute_only_more_than_max_faults_survivable_faults_end_the_game(
    name, data, habits
):
    limit = data.draw(st.integers(0, 8))
    conduct = st.just(Conduct(OnFault.SUBSTITUTE, limit))
    match = data.draw(setups(name, clock=st.just(Clock()), conduct=conduct))()
    *events, last = _drive(match, habits)
    forfeits = [event for event in events if isinstance(event, Forfeited)]
    replaced = [
        event for event in events if isinstance(event, Decided) and event.by == "substitute"
    ]
    counts = [sum(event.seat == seat for event in replaced) for seat in range(len(match.clocks))]
    assert counts == match.faults
    assert all(event.fault in SURVIVABLE for event in replaced)
    assert max(counts) <= limit
    assert [counts[event.seat] for event in forfeits] == [limit] * len(forfeits)
    if not forfeits:
        assert last == Finished(match.game.outcome(match.state), _all_ok(match))


@every_game
@given(data=st.data(), habits=answers)
def test_under_forfeit_a_seat_is_at_fault_once_and_of_two_seats_it_ends_the_game(
    name, data, habits
):
    match = data.draw(setups(name, conduct=st.just(Conduct())))()
    *events, last = _drive(match, habits)
    if len(match.clocks) > 2:
        forfeits = [event.seat for event in events if isinstance(event, Forfeited)]
        assert len(forfeits) == len(set(forfeits)) < len(match.clocks)
        return
    faulty = [
        index
        for index, event in enumerate(events)
        if isinstance(event, Forfeited) or (isinstance(event, Decided) and event.fault)
    ]
    assert faulty in ([], [len(events) - 1])
    assert bool(faulty) == (isinstance(last, Finished) and last.outcome.reason == "forfeit")


@every_game
@given(data=st.data(), habits=answers)
def test_each_seat_is_told_every_decision_exactly_once(name, data, habits):
    match = data.draw(setups(name))()
    told: list[list[str]] = [[] for _ in match.clocks]
    decided: list[str] = []
    for habit in [*habits, *[_legal(0, 0)] * 2000]:
        if (prompt := match.prompt) is None:
            break
        told[prompt.seat] += _decisions(prompt.events)
        decided += _decisions(match.answer(habit(prompt)))
    assert match.prompt is None
    for seat in range(len(match.clocks)):
        unseen = _decisions(match.unseen(seat))
        # A void answer leaves the prompt's events unread: they are still the seat's to see.
        assert (told[seat] + unseen)[: len(decided)] == decided or isinstance(match.result, Voided)


def _decisions(events: Any) -> list[str]:
    return [event.action for event in events if getattr(event, "action", None) is not None]
