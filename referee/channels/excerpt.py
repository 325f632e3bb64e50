"""The beginning and the end of a stream that may be endless."""

from typing import Final

HEAD_BYTES: Final = 8 * 1024
TAIL_BYTES: Final = 8 * 1024
REPORTED_BYTES: Final = 2 * 1024  # of the end of it, in the report of a fault


class Excerpt:
    """Keeps the head and the tail of what is added, and counts all of it.

    >>> excerpt = Excerpt(head=4, tail=4)
    >>> excerpt.add(b"abcdefghijkl")
    >>> excerpt.take()
    (b'abcd\\n[4 bytes left out]\\nijkl', 12)
    """

    def __init__(self, head: int = HEAD_BYTES, tail: int = TAIL_BYTES) -> None:
        self._head_room, self._tail_room = head, tail
        self._head, self._tail, self.total = b"", b"", 0

    def add(self, data: bytes) -> None:
        """More of the stream."""
        self.total += len(data)
        room = self._head_room - len(self._head)
        self._head += data[:room]
        if rest := data[room:]:
            self._tail = (self._tail + rest)[-self._tail_room :]

    def take(self) -> tuple[bytes, int]:
        """What was kept and how much came in all; begins anew."""
        left_out = self.total - len(self._head) - len(self._tail)
        gap = f"\n[{left_out} bytes left out]\n".encode() if left_out else b""
        taken = self._head + gap + self._tail, self.total
        self._head, self._tail, self.total = b"", b"", 0
        return taken
