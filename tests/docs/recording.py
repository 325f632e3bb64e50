"""A whole game with 8 cards, played by two scripts through the real table, line by line."""

import json
from typing import Final, NamedTuple

import trio

from protocol.log import BotLine, Header, Limits
from referee.channels.local import LocalChannel
from referee.clock import Clock
from referee.conduct import Conduct
from referee.connection import Connection
from referee.games.svoyi_koziri import Options, SvoyiKoziri, deal_from_code
from referee.logbook import Logbook
from referee.match import Match
from referee.series import PROGRAM
from referee.table import Setup, play

_GAME: Final = SvoyiKoziri()
SETUP: Final = Setup(
    number=1,
    deal_no=0,
    game=_GAME,
    options=Options(cards=8),
    deal=deal_from_code(1, 8),
    bots=(0, 1),
    names=("ada", "bob"),
    seeds=(71403311, 1290554807),
    salt="9f1c6a0b7d2e48c35a10f4e2b8d7c601",
    reveal=True,
)


class Script(NamedTuple):
    """What a bot says: the lines of its hello and of its actions without the id."""

    hello: dict[str, object]
    actions: tuple[dict[str, object], ...]


_ADA: Final = Script(
    {"protocol": 1, "name": "ada", "version": "1.2", "games": ["svoyi-koziri"]},
    ({"action": "play KS"}, {"action": "take"}, {"action": "take"}),
)
_BOB: Final = Script(
    {"protocol": 1, "name": "bob"},
    (
        {"action": "play KD"},
        {"action": "play AC", "note": {"win": 0.8}},
        {"action": "play AS"},
        {"action": "play KC"},
    ),
)


class _Recorded:
    """A scripted bot that writes down all it hears and says."""

    def __init__(self, seat: int, script: Script, lines: list[bytes]) -> None:
        self._seat, self._script, self._lines = seat, script, lines
        self._actions = iter(script.actions)

    def __call__(self, line: bytes) -> bytes:
        self._lines.append(b'{"to":%d,"message":%b}\n' % (self._seat, line))
        message = json.loads(line)
        if message["type"] == "hello":
            said = {"type": "hello", "id": message["id"], **self._script.hello}
        elif message["type"] == "turn":
            said = {"type": "action", "id": message["id"], **next(self._actions)}
        else:
            return b""
        answer = json.dumps(said, separators=(",", ":")).encode()
        self._lines.append(b'{"from":%d,"message":%b}\n' % (self._seat, answer))
        return answer + b"\n"


def transcript() -> str:
    """All lines of the game as JSON Lines, in the order in which they crossed the wire."""
    lines: list[bytes] = []
    trio.run(_record, lines)
    return b"".join(lines).decode()


async def _record(lines: list[bytes]) -> None:
    bots = [
        Connection(LocalChannel(_Recorded(seat, script, lines)))
        for seat, script in enumerate((_ADA, _BOB))
    ]
    for bot in bots:
        await bot.greet(PROGRAM, 10)
    logbook = Logbook(None)
    logbook.begin(_header())
    await play(SETUP, new_match(), bots, logbook)
    for bot in bots:
        await bot.close("match over")


def new_match() -> Match:
    """The recorded game at its beginning."""
    return Match(
        _GAME,
        SETUP.deal,
        options=SETUP.options,
        seeds=SETUP.seeds,
        clock=Clock(),
        conduct=Conduct(),
    )


def _header() -> Header:
    return Header(
        format=1,
        program=PROGRAM,
        game=_GAME.name,
        limits=Limits(start_ms=10_000, move_ms=1000, margin_ms=20),
        isolation="posix",
        restart="never",
        bots=[BotLine(name=name) for name in SETUP.names],
    )
