"""What a fault costs. Pure: a table and arithmetic; how a fault is noticed is not known here."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from protocol.faults import FaultCode
from referee.game import Outcome


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


# How far below the others a forfeited seat is recorded, in points of the game.
FORFEIT_STEP: Final = 10


def after_forfeits(
    scores: Sequence[int], forfeits: Sequence[Collection[int]], reason: str
) -> Outcome:
    """The result when some seats have forfeited: they are last, whatever their scores.

    `forfeits` has the seats in the order in which they forfeited; those that did so together share a
    place, and an earlier one is below a later one. With two seats the scores stay as they are; with
    more, a forfeited seat is recorded below every honest one, so that means tell the same story.

    >>> after_forfeits([50, 70, 20], [{1}], "complete")
    Outcome(scores=(50, 10, 20), places=(1, 3, 2), reason='complete')
    """
    out = {seat for group in forfeits for seat in group}
    honest = [seat for seat in range(len(scores)) if seat not in out]
    recorded = list(scores)
    places = [0] * len(scores)
    for seat in honest:
        places[seat] = 1 + sum(scores[other] > scores[seat] for other in honest)
    above = len(honest)
    for group in reversed(forfeits):
        lowest = min([*(recorded[seat] for seat in honest), *(recorded[seat] for seat in group)])
        for seat in group:
            places[seat] = 1 + above
            if len(scores) > 2:
                recorded[seat] = lowest - FORFEIT_STEP
        honest += group
        above += len(group)
    return Outcome(tuple(recorded), tuple(places), reason)
