"""A player's clock as arithmetic: what is allowed, what is left. It never looks at a watch.

All times are whole milliseconds. Without `move_ms` and without a bank there is no limit.
"""

from typing import Self

import msgspec


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's time."""

    move_ms: int | None = 1000
    bank_ms: int | None = None
    increment_ms: int = 0
    margin_ms: int = 20

    @property
    def allowance_ms(self) -> int | None:
        """The time for the next decision; None: no limit.

        >>> Clock(move_ms=1000, bank_ms=400).allowance_ms
        400
        """
        if self.bank_ms is None or self.move_ms is None:
            return self.move_ms if self.bank_ms is None else self.bank_ms
        return min(self.move_ms, self.bank_ms)

    @property
    def deadline_ms(self) -> int | None:
        """When an answer is too late: the margin is tolerated."""
        allowance = self.allowance_ms
        return None if allowance is None else allowance + self.margin_ms

    def is_overstepped_by(self, took_ms: int) -> bool:
        """Whether an answer after `took_ms` is too late."""
        deadline = self.deadline_ms
        return deadline is not None and took_ms > deadline

    def spend(self, took_ms: int) -> Self:
        """The clock after an answer: time is charged in full, the increment is added after it.

        >>> Clock(bank_ms=1000, increment_ms=100).spend(300).bank_ms
        800
        """
        if self.bank_ms is None:
            return self
        left = max(0, self.bank_ms - took_ms)
        return msgspec.structs.replace(self, bank_ms=left + self.increment_ms)
