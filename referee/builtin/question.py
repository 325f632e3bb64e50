"""What a built-in bot is asked, as it stands in the messages."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Question(NamedTuple):
    """`rules` and `options` are those of the `start`, the rest of the `turn`."""

    rules: str
    options: Mapping[str, Any]
    seat: int
    legal: Sequence[str]
    state: Mapping[str, Any]
