"""What a fault costs. Pure: a table and arithmetic; how a fault is noticed is not known here."""

from enum import StrEnum
from typing import Final

import msgspec

from protocol.faults import FaultCode


class OnFault(StrEnum):
    """The organiser's choice."""

    FORFEIT = "forfeit"
    SUBSTITUTE = "substitute"


# After these the bot can go on: it is alive, and what it says next can be understood.
SURVIVABLE: Final = frozenset({FaultCode.TIMEOUT, FaultCode.ILLEGAL, FaultCode.MALFORMED})


class Conduct(msgspec.Struct, frozen=True):
    """The rules of conduct of a match; `max_faults` are forgiven in one game, the next is not."""

    on_fault: OnFault = OnFault.FORFEIT
    max_faults: int = 10

    def forgives(self, code: FaultCode, faults_so_far: int, bank_ms: int | None) -> bool:
        """Whether the referee plays for the bot this once, instead of ending its game.

        A bank at 0 is a forfeit: nothing could be asked of that bot any more.
        """
        return (
            self.on_fault is OnFault.SUBSTITUTE
            and code in SURVIVABLE
            and faults_so_far < self.max_faults
            and bank_ms != 0
        )
