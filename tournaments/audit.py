"""Whether a run folder tells the truth: its logs by the rules, its results by its logs, its deals by the secret."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET

from referee import chance
from referee.logbook import LogFileError, read_lines
from referee.replay import LogError, LoggedGame, verify
from referee.series import ATTEMPTS
from tournaments.event import Event, Schedule, Task, block_secret
from tournaments.opening import stored_event
from tournaments.shapes import Played
from tournaments.store import Store, StoredBlock


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of a block: `wrong` is empty when it is all it should be.

    `log` is relative to the run folder, None when it was not kept: then there is nothing to compare.
    """

    log: str | None
    games: int
    seal: str
    wrong: str = ""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of an event; `has_secret`: whether its deals could be drawn again."""

    event: int
    has_secret: bool
    findings: Sequence[Finding]
    wrong: Sequence[str] = ()


class _WrongError(Exception):
    """A log and the store, or a log and the secret, contradict each other."""


def audits(store: Store) -> Iterator[Audit]:
    """Of every event in the folder; takes as long as playing all games again by the rules."""
    for row in store.events():
        event = stored_event(store, row)
        yield _Auditor(event, store).audit()


class _Auditor:
    def __init__(self, event: Event, store: Store) -> None:
        self._event = event
        self._folder = store.folder
        self._schedule = Schedule(event)
        self._blocks = {block.key: block for block in store.blocks(event.number)}
        self._games = store.games(event.number)

    def audit(self) -> Audit:
        """Block by block, in the order of the schedule."""
        schedule, secret = self._schedule, self._event.secret
        # Without the secret everything but the origin of the deals can be checked.
        drawn = schedule.drawn() if secret else ((task, None) for task in schedule.tasks())
        findings = [
            self._finding(task, deal, block)
            for task, deal in drawn
            if (block := self._blocks.pop(task.key, None))
        ]
        return Audit(
            event=self._event.number,
            has_secret=bool(secret),
            findings=findings,
            wrong=[f"block {key} is stored, but not in the schedule" for key in self._blocks],
        )

    def _finding(self, task: Task, deal: Any, block: StoredBlock) -> Finding:
        stored = self._games.get(task.key, [])
        wrong = ""
        if block.log:
            try:
                self._check(task, deal, block, stored)
            except (LogError, LogFileError, _WrongError) as exc:
                wrong = str(exc)
        return Finding(log=block.log, games=len(stored), seal=block.seal, wrong=wrong)

    def _check(self, task: Task, deal: Any, block: StoredBlock, stored: Sequence[Played]) -> None:
        """Raises whatever is wrong first."""
        counted = self._logged(block)
        if len(counted) != len(stored):
            raise _WrongError(f"{len(counted)} games count in it, but {len(stored)} are stored")
        for played, logged in zip(stored, counted, strict=True):
            self._compare(played, logged)
            if deal is not None:
                self._check_origin(task, played.turn, deal, logged)

    def _logged(self, block: StoredBlock) -> list[LoggedGame]:
        """The games of a log that count, once it is found to be good."""
        assert block.log
        path = self._folder / block.log
        digest = sha256()
        games: list[LoggedGame] = []

        def lines() -> Iterator[bytes]:
            for line in read_lines(path):
                digest.update(line)
                yield line

        verify(lines(), block.seal, games.append)
        if digest.hexdigest() != block.sha256:
            raise _WrongError("its SHA-256 is not the stored one")
        return [game for game in games if game.result.void is UNSET]

    def _compare(self, played: Played, logged: LoggedGame) -> None:
        """A stored result must be what its log says."""
        names = [logged.header.bots[bot].name for bot in logged.line.seats]
        result = logged.result
        for what, stored, found in (
            ("bots", [self._event.names[bot] for bot in played.bots], names),
            ("scores", played.scores, result.scores),
            ("places", played.places, result.places),
            ("reason", played.reason, result.reason),
            ("verdicts", played.verdicts, result.verdicts),
        ):
            if stored != found:
                raise _WrongError(
                    f"game {logged.line.game}: the {what} stored are {stored}, in the log {found}"
                )

    def _check_origin(self, task: Task, turn: int, deal: Any, logged: LoggedGame) -> None:
        """Deal and salt must be those that the event's secret gives."""
        line = logged.line
        if bytes(line.deal) != msgspec.json.encode(deal):
            raise _WrongError(f"game {line.game}: the deal is not the one that the secret gives")
        secret = block_secret(self._event, task.block)
        if line.salt not in {chance.salt(secret, turn + 1, again) for again in range(ATTEMPTS)}:
            raise _WrongError(f"game {line.game}: the salt is not one that the secret gives")
