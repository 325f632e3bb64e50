"""Signals while a series runs: Ctrl-C once, twice, and SIGTERM."""

import signal
from collections.abc import Awaitable, Callable
from typing import Any, Final

import trio

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
EXIT_STATUS: Final = {signal.SIGINT: 130, signal.SIGTERM: 143}
FINISHING: Final = "The running game will be finished; Ctrl-C again stops at once."


class Interrupts:
    """What the operator's signals ask for.

    The first Ctrl-C asks to stop after the running game; a second one, or SIGTERM, cancels it: a
    service manager that says SIGTERM will not wait long before it kills.
    """

    def __init__(self, say: Callable[[str], None], finishing: str = FINISHING) -> None:
        self._say, self._finishing = say, finishing
        self.status: int | None = None

    def should_stop(self) -> bool:
        """Whether no further game is to be begun."""
        return self.status is not None

    async def run(self, play: Callable[[], Awaitable[Any]]) -> None:
        """Plays until done or cancelled by a signal; `status` says which exit status that means."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self._listen, nursery.cancel_scope)
            await play()
            nursery.cancel_scope.cancel()

    async def _listen(
        self, playing: trio.CancelScope, *, task_status: trio.TaskStatus[None]
    ) -> None:
        with trio.open_signal_receiver(*SIGNALS) as received:
            task_status.started()
            async for number in received:
                is_first_break = number == signal.SIGINT and self.status is None
                self.status = EXIT_STATUS[signal.Signals(number)]
                if not is_first_break:
                    playing.cancel()
                    return
                self._say(self._finishing)
