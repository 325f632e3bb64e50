"""The one vocabulary for what can go wrong: in code, on the wire, in logs and in tables.

No prices here: what a fault costs is `referee.conduct`'s business.
"""

from enum import StrEnum
from typing import Final


class FaultCode(StrEnum):
    """What one bot did wrong. The words are stable: they are never renamed or reused."""

    NO_START = "no_start"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    OVERSIZE = "oversize"
    FLOOD = "flood"
    PROTOCOL = "protocol"
    EXITED = "exited"
    CRASHED = "crashed"
    CLOSED = "closed"
    MEMORY = "memory"
    PROCESSES = "processes"
    DISCONNECTED = "disconnected"
    AUTH = "auth"


MEANING: Final[dict[FaultCode, str]] = {
    FaultCode.NO_START: "could not be started, died, or sent no proper hello within `start-ms`",
    FaultCode.TIMEOUT: "no complete answer within the time allowed",
    FaultCode.ILLEGAL: "the action is not in the legal list",
    FaultCode.MALFORMED: "not UTF-8, not JSON, of the wrong shape, or nested deeper than 64",
    FaultCode.OVERSIZE: "a line longer than 64 KiB",
    FaultCode.FLOOD: "more than 256 lines or 1 MiB in one turn",
    FaultCode.PROTOCOL: "an id never asked, more than 16 stale answers, or a wrong version",
    FaultCode.EXITED: "the program ended with status 0 in mid game",
    FaultCode.CRASHED: "the program died of a signal or with another status than 0",
    FaultCode.CLOSED: "closed its input or output, but lives on",
    FaultCode.MEMORY: "used more memory than `memory-mb`",
    FaultCode.PROCESSES: "had more than `processes` processes",
    FaultCode.DISCONNECTED: "its connection ended and did not come back in time",
    FaultCode.AUTH: "no valid token",
}


class ProtocolError(Exception):
    """The bot broke the protocol; `code` says how. Never raised for a bug of ours."""

    code = FaultCode.PROTOCOL


class VersionError(ProtocolError):
    """The bot speaks another version of the protocol."""


class MalformedError(ProtocolError):
    """A line is not a message of a known type and shape."""

    code = FaultCode.MALFORMED


class OversizeError(ProtocolError):
    """A line is longer than the limit, ended or not."""

    code = FaultCode.OVERSIZE


class FloodError(ProtocolError):
    """Too many lines or bytes in one turn."""

    code = FaultCode.FLOOD
