"""What happens in a match as lines of a log, and back. Pure."""

from msgspec import UNSET

from protocol.faults import FaultCode
from protocol.log import Act, Header, Result
from protocol.messages import or_unset
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.match import Acted, Answer, Decided, Finished, Forfeited, Garbled, Gone, TimedOut


def act_of(event: Decided | Forfeited, request_id: int | None) -> Act:
    """The log line of an event. A stand-in's decision was asked of nobody: it has no id."""
    stand_in = isinstance(event, Forfeited) and event.action is not None
    return Act(
        step=event.step,
        seat=event.seat,
        id=or_unset(request_id),
        action=or_unset(event.action),
        ms=or_unset(event.ms),
        fault=or_unset(event.fault),
        by="stand-in" if stand_in else or_unset(getattr(event, "by", None)),
        clock_ms=or_unset(getattr(event, "clock_ms", None)),
        suspect=getattr(event, "suspect", False),
    )


def answer_of(act: Act) -> Answer:
    """The answer that brought about a log line."""
    took = 0 if act.ms is UNSET else act.ms
    if act.fault is UNSET:
        return Acted("" if act.action is UNSET else act.action, took, act.suspect)
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
