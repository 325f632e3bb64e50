"""A whole game written down for a reader: what each seat was offered, chose, was told and could see.

First the game, its options and the deal, and what is to be seen before the first action. Then for
each step the seat and its phase, the legal list, the action, what was told to whom (in words, facts
also as a bot reads them), and what changed in the views, said once for all who see it:

    phase = "bid"             the field or element has this value now
    trick += [[1,"7H"]]       the list has these more at its end
    hand -= ["7H"]            the list has these no more; the others are in the same order
    pending is gone           the view has no such field any more

Last the outcome. So a change of the rules is a few lines in the comparison of two versions.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from protocol.messages import Moved
from referee.game import Game
from referee.games import GAMES

Views: TypeAlias = Mapping[str, Mapping[str, Any]]  # by viewer

_GONE: Final = object()


class Playthrough(NamedTuple):
    """Which game is played. `seed` decides the deal and every action."""

    game: str
    seed: int
    seats: int
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.game}_{self.seed}.txt"


def written(played: Playthrough) -> Iterator[str]:
    """The whole game, line by line."""
    game, lot = GAMES[played.game], Random(played.seed)
    options = msgspec.convert(played.options, game.options_type)
    deal = game.deal(lot, played.seats, options)
    state = game.start(deal, played.seats, options)
    views = _views(game, state, played.seats)
    yield f"{game.title}, {played.seats} seats, seed {played.seed}"
    yield f"options: {_json(options)}"
    yield from _dealt(deal)
    yield from _changes({viewer: {} for viewer in views}, views)
    step = 0
    while (seat := game.turn(state)) is not None:
        before, seen, step = state, views, step + 1
        legal = game.legal_actions(before)
        action = chosen(legal, lot)
        state = game.play(before, action)
        views = _views(game, state, played.seats)
        yield from ("", f"step {step}: seat {seat}, {seen[f'seat {seat}']['phase']}")
        yield f"  legal: {', '.join(legal)}"
        yield f"  plays: {action}"
        yield from _told(game, before, action, state)
        yield from _changes(seen, views)
    yield from ("", f"outcome: {_json(game.outcome(state))}")


def chosen(legal: Sequence[str], lot: Random) -> str:
    """A verb by lot, then an action with it: so what is rarely possible is not rarely done.

    Only `Random.random` gives the same numbers in every version of Python.
    """
    verbs = list(dict.fromkeys(_verb(action) for action in legal))
    verb = verbs[int(lot.random() * len(verbs))]
    actions = [action for action in legal if _verb(action) == verb]
    return actions[int(lot.random() * len(actions))]


def _verb(action: str) -> str:
    return action.partition(" ")[0]


def _dealt(deal: Any) -> Iterator[str]:
    """The deal, each of its rounds or hands on a line."""
    for field, value in msgspec.to_builtins(deal).items():
        nested = isinstance(value, list | tuple) and not isinstance(value[0], str)
        yield from (f"deal, {field}: {_json(part)}" for part in (value if nested else [value]))


def _views(game: Game[Any], state: Any, seats: int) -> Views:
    viewers = [*((f"seat {seat}", seat) for seat in range(seats)), ("spectators", None)]
    return {viewer: msgspec.to_builtins(game.view(state, seat)) for viewer, seat in viewers}


def _told(game: Game[Any], before: Any, action: str, after: Any) -> Iterator[str]:
    for happening in game.happenings(before, action, after):
        event, seen_by = happening.event, happening.seen_by
        who = "all" if seen_by is None else ", ".join(f"seat {seat}" for seat in sorted(seen_by))
        fact = "" if isinstance(event, Moved) else f"  {_json(event)}"
        yield f"  told to {who}: {game.describe(before, event) or '-'}{fact}"


def _changes(old: Views, new: Views) -> Iterator[str]:
    """What changed in the views; what the same viewers see is on one line."""
    viewers_of: dict[str, list[str]] = {}
    for viewer, view in new.items():
        for change in _between(old[viewer], view):
            viewers_of.setdefault(change, []).append(viewer)
    changes_of: dict[str, list[str]] = {}
    for change, viewers in viewers_of.items():
        who = "all" if len(viewers) == len(new) else ", ".join(viewers)
        changes_of.setdefault(who, []).append(change)
    for who in sorted(changes_of):
        yield f"  seen by {who}: {'; '.join(changes_of[who])}"


def _between(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for field in (*new, *(field for field in old if field not in new)):
        yield from _change(field, old.get(field, _GONE), new.get(field, _GONE))


def _change(name: str, old: Any, new: Any) -> Iterator[str]:
    if new is _GONE:
        yield f"{name} is gone"
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
        yield from _list_change(name, [*old], [*new])
    elif old != new:
        yield f"{name} = {_json(new)}"


def _list_change(name: str, old: list[Any], new: list[Any]) -> Iterator[str]:
    """Of lists of one length (by seat, mostly) only the elements that changed."""
    more = len(new) - len(old)
    if not more:
        for at, pair in enumerate(zip(old, new, strict=True)):
            yield from _change(f"{name}[{at}]", *pair)
    elif more > 0 and old == new[: len(old)]:
        yield f"{name} += {_json(new[len(old) :])}"
    elif new and new == [one for one in old if one in new]:
        yield f"{name} -= {_json([one for one in old if one not in new])}"
    else:
        yield f"{name} = {_json(new)}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
