"""One game between scripted bots, in memory, by the mock clock, with the log it leaves.

The deal has eight cards and is known by heart: seat 0 has AD KH AH KS and leads, seat 1 has
KC AC KD AS. First legal actions: seat 0 leads AD, seat 1 beats it with AS (spades are not its
trump: it has diamonds) or takes.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import trio

from protocol.log import BotLine, Header, Limits
from referee.clock import Clock
from referee.conduct import Conduct
from referee.connection import Connection
from referee.games.svoyi_koziri import Options, SvoyiKoziri, deal_from_code
from referee.logbook import Logbook, read_lines
from referee.match import Gone, Match
from referee.replay import verify
from referee.results import GameResult
from referee.table import Setup, play
from tests.channels.memory import BotEnd, MemoryChannel, Script

GAME = SvoyiKoziri()
OPTIONS = Options(cards=8)
DEAL = deal_from_code(1, 8)
NAMES = ("ada", "bob")
SALT = "00112233445566778899aabbccddeeff"
SEEDS = (11, 22)
WIN_OF_1 = ["play KS", "play KD", "play AC", "take", "play AS", "take", "play KC"]


async def good(bot: BotEnd) -> None:
    """Answers everything at once with the first legal action."""
    await bot.hello()
    await bot.play_on()


def follows(actions: Sequence[str], **more: Any) -> Script:
    """A bot that plays these actions of its own."""

    async def script(bot: BotEnd) -> None:
        await bot.hello()
        for action in actions:
            bot.act(await bot.turn(), action, **more)
        await bot.play_on()

    return script


class Played(msgspec.Struct, frozen=True):
    """What came out: the result, what each bot heard, and the lines of the log."""

    result: GameResult
    heard: list[list[dict[str, Any]]]
    log: list[dict[str, Any]]
    seconds: float

    def messages(self, seat: int, kind: str) -> list[dict[str, Any]]:
        """What a bot heard of one type."""
        return [message for message in self.heard[seat] if message["type"] == kind]

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """The lines of one type."""
        return [line for line in self.log if line["type"] == kind]

    def asides(self, key: str) -> list[dict[str, Any]]:
        """The asides that have this key."""
        return [line for line in self.lines("aside") if key in line]


async def play_game(
    path: Path,
    *scripts: Script | Gone,
    clock: Clock | None = None,
    conduct: Conduct | None = None,
    reveal: bool = True,
) -> Played:
    """Plays one game to its end; the log must verify."""
    clock, conduct = clock or Clock(), conduct or Conduct()
    logbook = Logbook(path)
    logbook.begin(_header(clock, conduct))
    async with trio.open_nursery() as nursery:
        connections: list[Connection | Gone] = [
            script if isinstance(script, Gone) else Connection(MemoryChannel(nursery, script))
            for script in scripts
        ]
        for connection in connections:
            if isinstance(connection, Connection):
                await connection.greet("croupier 0.1.0", 10)
        match = Match(GAME, DEAL, options=OPTIONS, seeds=SEEDS, clock=clock, conduct=conduct)
        began = trio.current_time()
        result = await play(_setup(reveal=reveal), match, connections, logbook)
        seconds = trio.current_time() - began
        heard = []
        for connection in connections:
            if isinstance(connection, Connection):
                assert isinstance(connection.channel, MemoryChannel)
                await connection.close("match over")
                heard.append(connection.channel.bot.heard)
            else:
                heard.append([])
    logbook.close(None)
    verify(read_lines(path))
    return Played(result, heard, [json.loads(line) for line in read_lines(path)], seconds)


def _setup(*, reveal: bool) -> Setup:
    return Setup(
        number=1,
        deal_no=0,
        game=GAME,
        options=OPTIONS,
        deal=DEAL,
        bots=(0, 1),
        names=NAMES,
        seeds=SEEDS,
        salt=SALT,
        reveal=reveal,
    )


def _header(clock: Clock, conduct: Conduct) -> Header:
    return Header(
        format=1,
        program="croupier 0.1.0",
        game=GAME.name,
        seed=7,
        limits=Limits(
            start_ms=10_000,
            move_ms=msgspec.UNSET if clock.move_ms is None else clock.move_ms,
            margin_ms=clock.margin_ms,
            game_ms=msgspec.UNSET if clock.bank_ms is None else clock.bank_ms,
            increment_ms=msgspec.UNSET if clock.bank_ms is None else clock.increment_ms,
            on_fault=conduct.on_fault.value,
            max_faults=conduct.max_faults if conduct.on_fault == "substitute" else msgspec.UNSET,
        ),
        isolation="posix",
        restart="never",
        bots=[BotLine(name=name) for name in NAMES],
    )
