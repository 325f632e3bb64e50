"""What holds when an organiser says nothing: of the command line and of the league file."""

from typing import Final

MOVE_MS: Final = 1000
MARGIN_MS: Final = 20
START_MS: Final = 10_000
MEMORY_MB: Final = 1024
PROCESSES: Final = 64
MAX_FAULTS: Final = 10
