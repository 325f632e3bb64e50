"""What happens in a match as lines of a log, and back. Pure."""

from typing import Any

from msgspec import UNSET

from protocol.faults import FaultCode
from protocol.log import Act, Header, Result
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.match import Acted, Answer, Decided, Finished, Forfeited, Garbled, Gone, TimedOut


def act_of(event: Decided | Forfeited, request_id: int | None) -> Act:
    """The log line of an event."""
    common: dict[str, Any] = {
        "step": event.step,
        "seat": event.seat,
        "id": UNSET if request_id is None else request_id,
        "ms": event.ms,
    }
    if isinstance(event, Forfeited):
        return Act(**common, fault=event.fault)
    return Act(
        **common,
        action=event.action,
        fault=event.fault or UNSET,
        by=event.by or UNSET,
        clock_ms=UNSET if event.clock_ms is None else event.clock_ms,
    )


def answer_of(act: Act) -> Answer:
    """The answer that brought about a log line."""
    took = 0 if act.ms is UNSET else act.ms
    if act.fault is UNSET:
        return Acted("" if act.action is UNSET else act.action, took)
    match act.fault:
        case FaultCode.TIMEOUT:
            return TimedOut(took)
        case FaultCode.ILLEGAL | FaultCode.MALFORMED | FaultCode.OVERSIZE | FaultCode.FLOOD:
            return Garbled(act.fault, "", took)
        case _:
            return Gone(act.fault, "", took)


def result_of(finished: Finished) -> Result:
    """The log line of a game's end."""
    outcome = finished.outcome
    return Result(
        scores=outcome.scores,
        places=outcome.places,
        reason=outcome.reason,
        verdicts=finished.verdicts,
    )


def clock_of(header: Header) -> Clock:
    """Each player's clock at the start of a game."""
    limits = header.limits
    return Clock(
        move_ms=None if limits.move_ms is UNSET else limits.move_ms,
        bank_ms=None if limits.game_ms is UNSET else limits.game_ms,
        increment_ms=0 if limits.increment_ms is UNSET else limits.increment_ms,
        margin_ms=limits.margin_ms,
    )


def conduct_of(header: Header) -> Conduct:
    """The rules of conduct of a log."""
    limits = header.limits
    max_faults = {} if limits.max_faults is UNSET else {"max_faults": limits.max_faults}
    return Conduct(on_fault=OnFault(limits.on_fault), **max_faults)
