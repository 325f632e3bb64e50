"""Whole games played by scripts through the real table, written down line by line."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import trio

from protocol.log import BotLine, Header, Limits
from referee.channels.local import LocalChannel
from referee.clock import Clock
from referee.conduct import Conduct
from referee.connection import Connection
from referee.logbook import Logbook
from referee.match import Match
from referee.series import PROGRAM
from referee.table import Setup, play


class Recording(NamedTuple):
    """A game and what its bots say: more of their hellos by seat, and all actions in order."""

    setup: Setup
    hellos: tuple[Mapping[str, Any], ...]
    actions: tuple[str, ...]
    notes: Mapping[int, Mapping[str, Any]] = {}  # by the action's place in the order


def transcript(recording: Recording) -> str:
    """All lines of the game as JSON Lines, in the order in which they crossed the wire."""
    lines: list[bytes] = []
    trio.run(_record, recording, lines)
    return b"".join(lines).decode()


def new_match(recording: Recording) -> Match:
    """The recorded game at its beginning."""
    setup = recording.setup
    return Match(
        setup.game,
        setup.deal,
        options=setup.options,
        seeds=setup.seeds,
        clock=Clock(),
        conduct=Conduct(),
    )


class _Recorded:
    """A scripted bot that writes down all it hears and says."""

    def __init__(
        self,
        seat: int,
        hello: Mapping[str, Any],
        actions: Iterator[Mapping[str, Any]],
        lines: list[bytes],
    ) -> None:
        self._seat, self._hello, self._actions, self._lines = seat, hello, actions, lines

    def __call__(self, line: bytes) -> bytes:
        self._lines.append(b'{"to":%d,"message":%b}\n' % (self._seat, line))
        message = json.loads(line)
        if message["type"] == "hello":
            said = {"type": "hello", "id": message["id"], "protocol": 1, **self._hello}
        elif message["type"] == "turn":
            said = {"type": "action", "id": message["id"], **next(self._actions)}
        else:
            return b""
        answer = json.dumps(said, separators=(",", ":")).encode()
        self._lines.append(b'{"from":%d,"message":%b}\n' % (self._seat, answer))
        return answer + b"\n"


async def _record(recording: Recording, lines: list[bytes]) -> None:
    # One script for all: the table asks one seat at a time, so the next action is the asked seat's.
    said = iter([_said(recording, nth) for nth in range(len(recording.actions))])
    bots = [
        Connection(LocalChannel(_Recorded(seat, hello, said, lines)))
        for seat, hello in enumerate(recording.hellos)
    ]
    for bot in bots:
        await bot.greet(PROGRAM, 10)
    logbook = Logbook(None)
    logbook.begin(_header(recording.setup))
    await play(recording.setup, new_match(recording), bots, logbook)
    for bot in bots:
        await bot.close("match over")


def _said(recording: Recording, nth: int) -> dict[str, Any]:
    note = {"note": recording.notes[nth]} if nth in recording.notes else {}
    return {"action": recording.actions[nth], **note}


def _header(setup: Setup) -> Header:
    return Header(
        format=1,
        program=PROGRAM,
        game=setup.game.name,
        limits=Limits(start_ms=10_000, move_ms=1000, margin_ms=20),
        isolation="posix",
        restart="never",
        bots=[BotLine(name=name) for name in setup.names],
    )
