"""A league that has begun and its file of today: the same, more of it, or another one. Pure."""

from typing import Any, TypeAlias

import msgspec

from referee.bots import BotSpec
from tournaments.league import League


class Same(msgspec.Struct, frozen=True):
    """Nothing that decides games has changed."""


class Extension(msgspec.Struct, frozen=True):
    """There is more to play, and all that was played still counts; `words` say what."""

    words: str


class Changed(msgspec.Struct, frozen=True):
    """Other games would be played; one line for each change."""

    lines: tuple[str, ...]


Amendment: TypeAlias = Same | Extension | Changed


def amendment(old: League, new: League) -> Amendment:
    """What has become of a league. Its name, `anchor`, `keep-logs` and the order of bots are free."""
    names = [bot.name for bot in old.bots]
    added = [bot.name for bot in new.bots if bot.name not in names]
    lines = [*_changed_keys(old, new), *_changed_bots(old, new)]
    if added and new.tables is not None:
        lines.append(f"bots: {', '.join(added)} would change the choice of tables (`tables`)")
    if new.deals < old.deals:
        lines.append(f"deals: {old.deals} before, {new.deals} now; they can only become more")
    if lines:
        return Changed(tuple(lines))
    more = [f"with {', '.join(added)}"] if added else []
    if new.deals > old.deals:
        more.append(f"to {new.deals} deals at each table ({old.deals} before)")
    return Extension(" and ".join(more)) if more else Same()


def merged(old: League, new: League) -> League:
    """The league of today with its bots numbered as before; who has come is the last."""
    known = {bot.name: number for number, bot in enumerate(old.bots)}
    order = sorted(
        range(len(new.bots)), key=lambda bot: (known.get(new.bots[bot].name, len(known)), bot)
    )
    number_of = {bot: number for number, bot in enumerate(order)}
    return msgspec.structs.replace(
        new,
        bots=tuple(new.bots[bot] for bot in order),
        seeds=tuple(sorted(number_of[bot] for bot in new.seeds)),
        anchor=None if new.anchor is None else number_of[new.anchor],
    )


def _changed_keys(old: League, new: League) -> list[str]:
    before, now = _keys_of(old), _keys_of(new)
    return [
        f"{key}: {_word(value)} before, {_word(now.get(key))} now"
        for key, value in before.items()
        if value != now.get(key)
    ]


def _keys_of(league: League) -> dict[str, Any]:
    """What decides games, bots and deals aside, by the keys of the file."""
    options = msgspec.to_builtins(league.options)
    return {
        "game": league.game,
        "seats": league.seats,
        "format": league.format,
        "tables": league.tables,
        "shared-deals": league.shared_deals,
        "restart": league.restart,
        "seed": league.seed,
        "ponder": league.ponder,
        **{f"options.{key.replace('_', '-')}": value for key, value in options.items()},
        "limits.start-ms": league.start_ms,
        "limits.move-ms": league.clock.move_ms,
        "limits.game-ms": league.clock.bank_ms,
        "limits.increment-ms": league.clock.increment_ms,
        "limits.margin-ms": league.clock.margin_ms,
        "limits.memory-mb": league.budget.memory_mb,
        "limits.processes": league.budget.processes,
        "limits.on-fault": league.conduct.on_fault,
        "limits.max-faults": league.conduct.max_faults,
    }


def _changed_bots(old: League, new: League) -> list[str]:
    now = {bot.name: number for number, bot in enumerate(new.bots)}
    lines = []
    for number, bot in enumerate(old.bots):
        if bot.name not in now:
            lines.append(f"bots: {bot.name} is gone")
            continue
        other = new.bots[now[bot.name]]
        if _is_another(bot, other):
            lines.append(
                f"bots: {bot.name} is another program ({_program(bot)} before, {_program(other)} now)"
            )
        if (number in old.seeds) != (now[bot.name] in new.seeds):
            lines.append(f"bots: {bot.name} is {'no' if number in old.seeds else 'a'} seed now")
    return lines


def _is_another(old: BotSpec, new: BotSpec) -> bool:
    """A folder that was moved is the same program; other bytes or other arguments are not."""
    if (old.version, old.builtin) != (new.version, new.builtin):
        return True
    return old.argv != new.argv and old.spec != new.spec


def _program(bot: BotSpec) -> str:
    return f"{bot.spec} {bot.version or ''}".strip()


def _word(value: Any) -> str:
    return "none" if value is None else str(value)
