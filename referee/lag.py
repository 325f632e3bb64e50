"""How late the referee itself is: a heartbeat beside the games.

When the loop is held up, by a loaded machine or by our own work, a bot's answer may lie unread while
its time runs out. Such a time-out is nobody's fault.
"""

from collections import Counter, deque
from itertools import accumulate
from typing import Final

import msgspec
import trio

BEAT_SECONDS: Final = 0.005
# Lags are remembered for as long as anybody may ask: the longest turn that can be in doubt ends now.
_MEMORY_BEATS: Final = 4096
_TENTHS: Final = 10_000  # of a millisecond in a second


class LagSummary(msgspec.Struct, frozen=True):
    """How late the heartbeats of a run were, in milliseconds."""

    p50: float
    p99: float
    max: float


class LagMeter:
    """Beats while `run` runs, and knows how late each beat came."""

    def __init__(self) -> None:
        self._due: float | None = None
        self._late: deque[tuple[float, float]] = deque(maxlen=_MEMORY_BEATS)
        self._counts: Counter[int] = Counter()

    async def run(self) -> None:
        """Beats until cancelled."""
        while True:
            self._due = trio.current_time() + BEAT_SECONDS
            await trio.sleep_until(self._due)
            now = trio.current_time()
            self._late.append((now, now - self._due))
            self._counts[int((now - self._due) * _TENTHS)] += 1

    def worst_since(self, moment: float) -> float:
        """The longest lag, in seconds, that lasted until `moment` or later."""
        now = trio.current_time()
        worst = 0.0 if self._due is None else max(0.0, now - self._due)
        for ended, late in reversed(self._late):
            if ended < moment:
                break
            worst = max(worst, late)
        return worst

    def summary(self) -> LagSummary | None:
        """None before the first beat."""
        total = self._counts.total()
        if not total:
            return None
        return LagSummary(
            self._quantile(total / 2), self._quantile(0.99 * total), self._quantile(total)
        )

    def _quantile(self, rank: float) -> float:
        """The lag, in milliseconds, that so many beats did not exceed."""
        seen = accumulate(count for _, count in sorted(self._counts.items()))
        tenths = next(
            lag for lag, up_to in zip(sorted(self._counts), seen, strict=True) if up_to >= rank
        )
        return (tenths + 1) / 10
