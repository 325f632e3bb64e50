"""A match of many games between the same bots: deals in pairs, seats exchanged, bots kept alive.

The deal block is the unit: one deal, every seating. Bots live from game to game unless they must be
restarted, after a fault that leaves their state in doubt, or because the organiser wants it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal

import msgspec
import trio
from msgspec import UNSET

from protocol.faults import FaultCode
from protocol.log import Aside, BotLine, Header, Limits
from protocol.messages import or_unset
from referee import __version__, chance
from referee.advice import about, looks
from referee.bots import BotSpec
from referee.builtin import POLICIES, BuiltinBot
from referee.channels import Silence
from referee.channels.excerpt import REPORTED_BYTES
from referee.channels.isolation import POSIX, Layer
from referee.channels.local import LocalChannel
from referee.channels.process import ProcessChannel
from referee.channels.watch import Budget
from referee.clock import Clock
from referee.conduct import Conduct, OnFault
from referee.connection import Connection, NoStartError
from referee.game import Game
from referee.lag import LagMeter
from referee.logbook import Logbook, LogFullError
from referee.match import Gone, Match, Void
from referee.results import GameResult
from referee.table import Setup, play

PROGRAM: Final = f"croupier {__version__}"
STARTS_BEFORE_BENCH: Final = 3
ATTEMPTS: Final = 3  # a game that is void is played again, at most twice
SPAWN_AGAIN_SECONDS: Final = (0.1, 0.5, 2.0)
SAVE_AGAIN_SECONDS: Final = 1.0
# After these the bot's next words can still be understood, and nothing hangs.
_CAN_STAY: Final = frozenset({"ok", FaultCode.ILLEGAL})
_BENCHED: Final = Gone(FaultCode.NO_START, f"benched after {STARTS_BEFORE_BENCH} failed starts")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played. `seed` is the operator's, `secret` what all draws come from.

    `deals`, numbered from `first_deal`, are drawn from the secret unless they are given. `missed`: by bot, how
    often in a row it could not be started before. A log tells the secret at its end, unless it `keeps_secret`.
    """

    game: Game[Any]
    options: Any
    bots: Sequence[BotSpec]
    games: int
    secret: str
    seed: int | None
    start_ms: int
    clock: Clock
    conduct: Conduct
    restart: Literal["never", "game"]
    layer: Layer = POSIX
    budget: Budget = Budget()
    ponder: bool = False
    deals: Iterable[Any] | None = None
    first_deal: int = 0
    missed: Sequence[int] = ()
    keeps_secret: bool = False


class SeriesError(Exception):
    """A game was void too often to go on; the message says why and what to do."""


def ignore(_: object) -> None:
    """Nobody listens."""


def never() -> bool:
    """Nobody stops it."""
    return False


async def play_series(
    plan: Plan,
    logbook: Logbook,
    on_result: Callable[[GameResult], None],
    *,
    on_trouble: Callable[[str], None] = ignore,
    should_stop: Callable[[], bool] = never,
    lag: LagMeter | None = None,
) -> list[GameResult]:
    """Plays the plan; `on_result` hears of each game, void or not, once it is on the disk.

    `on_trouble` hears what the operator should know: what only he can mend while the series waits for
    it, and which bots left processes behind. When `should_stop` says so, no further game is begun.
    `lag` measures how late the referee is.

    Whatever ends this early, the bots are gone afterwards and the log has its whole games. Raises
    `SeriesError`.
    """
    meter = lag or LagMeter()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(meter.run)
        players = _Players(plan, nursery, on_trouble)
        series = _Series(plan, logbook, players, meter, on_result, on_trouble)
        try:
            await series.play(should_stop)
        finally:
            await series.end()
            nursery.cancel_scope.cancel()
    return series.results


class _Series:
    def __init__(
        self,
        plan: Plan,
        logbook: Logbook,
        players: "_Players",
        lag: LagMeter,
        on_result: Callable[[GameResult], None],
        on_trouble: Callable[[str], None],
    ) -> None:
        self._plan, self._logbook, self._players, self._lag = plan, logbook, players, lag
        self._on_result, self._on_trouble = on_result, on_trouble
        self.results: list[GameResult] = []

    async def play(self, should_stop: Callable[[], bool]) -> None:
        """All games, those that were void included."""
        plan = self._plan
        await self._players.start_all()
        self._logbook.begin(_header(plan, self._players.versions))
        for aside in _private_header(plan):
            self._logbook.add(aside)
        for planned in _setups(plan):
            if should_stop():
                return
            await self._play_until_it_counts(planned)

    async def _play_until_it_counts(self, planned: Setup) -> None:
        void = None
        for attempt in range(ATTEMPTS):
            number = len(self.results) + 1
            result = await self._play_one(
                msgspec.structs.replace(
                    planned,
                    number=number,
                    again=void,
                    salt=chance.salt(self._plan.secret, planned.number, attempt),
                    may_void=attempt < ATTEMPTS - 1,
                )
            )
            self.results.append(result)
            self._on_result(result)
            if result.outcome:
                return
            void = number
        raise SeriesError(
            f"a game was void {ATTEMPTS} times; the last time: {self.results[-1].void}"
        )

    async def _play_one(self, setup: Setup) -> GameResult:
        plan, players = self._plan, self._players
        connections = [await players.seat(number) for number in setup.bots]
        match = Match(
            plan.game,
            setup.deal,
            options=plan.options,
            seeds=setup.seeds,
            clock=plan.clock,
            conduct=plan.conduct,
        )
        result = await play(setup, match, connections, self._logbook, self._lag)
        await self._save()
        for number, verdict in zip(setup.bots, result.verdicts, strict=True):
            # After a void game nobody knows what a bot believes, and it has seen the deal.
            if plan.restart == "game" or verdict not in _CAN_STAY or not result.outcome:
                await players.dismiss(number, "restart")
        return result

    async def _save(self) -> None:
        """No result without its log: a full disk is waited for."""
        told = ""
        while True:
            try:
                return self._logbook.save()
            except LogFullError as exc:
                if str(exc) != told:
                    told = str(exc)
                    self._on_trouble(f"{told}; the next game waits until there is room")
            await trio.sleep(SAVE_AGAIN_SECONDS)

    async def end(self) -> None:
        """The bots leave; the log gets its last line."""
        await self._players.dismiss_all("match over")
        self._players.tell_of_strays()
        plan = self._plan
        is_known = plan.seed is not None or plan.keeps_secret
        self._logbook.close(None if is_known else plan.secret)


def _setups(plan: Plan) -> Iterator[Setup]:
    """All games as planned: each deal is played once in every rotation of the seats.

    Deals are drawn when they are needed: of a small pack the last new ones are slow to find.
    """
    count = len(plan.bots)
    deals = iter(plan.deals or chance.deals(plan.game, count, plan.options, plan.secret))
    deal = None
    for index in range(plan.games):
        block, turn = divmod(index, count)
        deal = next(deals) if turn == 0 else deal
        bots = tuple((seat + turn) % count for seat in range(count))
        number = index + 1
        yield Setup(
            number=number,
            deal_no=plan.first_deal + block,
            game=plan.game,
            options=plan.options,
            deal=deal,
            bots=bots,
            names=tuple(plan.bots[bot].name for bot in bots),
            programs=tuple(plan.bots[bot].argv for bot in bots),
            seeds=tuple(chance.bot_seed(plan.secret, number, seat) for seat in range(count)),
            salt="",  # each attempt has its own
            reveal=turn == count - 1 or number == plan.games,
        )


class _Players:
    """The bots of a series: at most one running process each."""

    def __init__(
        self, plan: Plan, nursery: trio.Nursery, on_trouble: Callable[[str], None]
    ) -> None:
        self._plan = plan
        self._on_trouble = on_trouble
        self._nursery = nursery
        self._running: dict[int, Connection] = {}
        self._missed = list(plan.missed or [0] * len(plan.bots))
        self._strays = [0] * len(plan.bots)
        self._trouble: dict[int, Gone | Void] = {}
        self.versions: list[str | None] = [bot.version for bot in plan.bots]

    async def start_all(self) -> None:
        """So that the header can say which versions play."""
        for number, missed in enumerate(self._missed):
            if missed >= STARTS_BEFORE_BENCH:
                self._trouble[number] = _BENCHED
            else:
                await self._start(number)

    async def seat(self, number: int) -> Connection | Gone | Void:
        """The running bot, or why there is none: by its own fault, or by ours."""
        if number not in self._running and number not in self._trouble:
            await self._start(number)
        trouble = self._trouble.get(number)
        if trouble is None:
            return self._running[number]
        del self._trouble[number]  # the next game tries again
        if isinstance(trouble, Gone) and self._missed[number] >= STARTS_BEFORE_BENCH:
            self._trouble[number] = Gone(trouble.code, _BENCHED.why)
        return trouble

    async def dismiss(self, number: int, reason: str) -> None:
        """Ends the bot's process, if it runs."""
        if connection := self._running.pop(number, None):
            await connection.close(reason)
            self._strays[number] += connection.channel.strays

    async def dismiss_all(self, reason: str) -> None:
        """Ends all of them, at once."""
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for number in list(self._running):
                    nursery.start_soon(self.dismiss, number, reason)

    def tell_of_strays(self) -> None:
        """Who left processes behind, when all bots have been dismissed."""
        for bot, strays in zip(self._plan.bots, self._strays, strict=True):
            if strays:
                processes = "1 process" if strays == 1 else f"{strays} processes"
                self._on_trouble(f"warning: {bot.name} left {processes} behind; they were ended")

    async def _start(self, number: int) -> None:
        bot = self._plan.bots[number]
        channel = await self._spawned(bot)
        if isinstance(channel, Void):
            self._trouble[number] = channel
            return
        connection = Connection(channel, ponder=self._plan.ponder)
        self._running[number] = connection
        try:
            hello = await connection.greet(PROGRAM, self._plan.start_ms / 1000)
        except NoStartError as exc:
            await self._failed(number, Gone(exc.code, str(exc)), exc.silence)
            return
        games = hello.games
        if games is not UNSET and games and self._plan.game.name not in games:
            why = f"the bot plays {', '.join(games)}, not {self._plan.game.name}"
            await self._failed(number, Gone(FaultCode.NO_START, why))
            return
        self._missed[number] = 0
        if isinstance(hello.version, str) and hello.version:
            self.versions[number] = hello.version

    async def _failed(self, number: int, trouble: Gone, silence: Silence | None = None) -> None:
        self._missed[number] += 1
        connection = self._running[number]
        await self.dismiss(number, "no proper hello")
        stderr, _ = connection.channel.take_stderr()
        argv = self._plan.bots[number].argv
        why, words = trouble.why, stderr.decode(errors="replace")
        if last := words.strip().splitlines():
            why = f"{why}; its stderr ends: {last[-1][:200]}"
        advice = looks(silence, connection.heard, argv) if silence else ""
        advice = advice or about(FaultCode.NO_START, connection.heard, stderr, argv)
        self._trouble[number] = Gone(
            trouble.code, why, looks=advice, stderr=words[-REPORTED_BYTES:]
        )

    async def _spawned(self, bot: BotSpec) -> LocalChannel | ProcessChannel | Void:
        """The bot's channel. A machine that has no room for a process now may have it soon."""
        delays = iter(SPAWN_AGAIN_SECONDS)
        while True:
            try:
                return self._channel(bot)
            except OSError as exc:
                why = f"there is no process for {bot.name}: {exc.strerror}"
            delay = next(delays, None)
            if delay is None:
                return Void(why)
            self._on_trouble(f"{why}; trying again in {delay:g} s")
            await trio.sleep(delay)

    def _channel(self, bot: BotSpec) -> LocalChannel | ProcessChannel:
        if bot.builtin:
            return LocalChannel(BuiltinBot(bot.name, POLICIES[bot.builtin], __version__))
        seed = chance.hash_seed(self._plan.secret, bot.name)
        plan, env = self._plan, {"PYTHONHASHSEED": str(seed)}
        return ProcessChannel.start(self._nursery, bot.argv, env, plan.budget, plan.layer)


def _header(plan: Plan, versions: Sequence[str | None]) -> Header:
    clock, conduct = plan.clock, plan.conduct
    substitutes = conduct.on_fault is OnFault.SUBSTITUTE
    return Header(
        format=1,
        program=PROGRAM,
        game=plan.game.name,
        seed=UNSET if plan.seed is None else plan.seed,
        limits=Limits(
            start_ms=plan.start_ms,
            move_ms=or_unset(clock.move_ms),
            margin_ms=clock.margin_ms,
            game_ms=or_unset(clock.bank_ms),
            increment_ms=UNSET if clock.bank_ms is None else clock.increment_ms,
            on_fault=conduct.on_fault.value,
            max_faults=conduct.max_faults if substitutes else UNSET,
            memory_mb=or_unset(plan.budget.memory_mb),
            processes=or_unset(plan.budget.processes),
            ponder=plan.ponder,
        ),
        isolation=plan.layer.name,
        restart=plan.restart,
        bots=[
            BotLine(name=bot.name, version=UNSET if version is None else version)
            for bot, version in zip(plan.bots, versions, strict=True)
        ],
    )


def _private_header(plan: Plan) -> list[Aside]:
    """How the bots were run: nobody's business but the operator's."""
    return [
        Aside(bot=number, source=bot.spec, run=bot.argv or UNSET)
        for number, bot in enumerate(plan.bots)
    ]
