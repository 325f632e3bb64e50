"""Built-in bots: functions from the lines of the server to the lines of a bot.

They get the same bytes as any other bot and know no more.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

from protocol.codec import encode
from protocol.messages import PROTOCOL, Action, BotHello
from referee.cards import RANKS

# From a turn's legal actions and state to one of the actions.
Policy: TypeAlias = Callable[[Sequence[str], Mapping[str, Any], Random], str]

_decode = msgspec.json.Decoder().decode


class BuiltinBot:
    """A policy that speaks the protocol."""

    def __init__(self, name: str, policy: Policy, version: str) -> None:
        self._name, self._policy, self._version = name, policy, version
        self._rng = Random(0)

    def __call__(self, line: bytes) -> bytes:
        message = _decode(line)
        kind = message["type"]
        if kind == "turn":
            action = self._policy(message["legal"], message["state"], self._rng)
            return encode(Action(id=message["id"], action=action))
        if kind == "hello":
            return encode(
                BotHello(
                    id=message["id"], protocol=PROTOCOL, name=self._name, version=self._version
                )
            )
        if kind == "start":
            self._rng = Random(message["seed"])
        return b""


def choose_random(legal: Sequence[str], state: Mapping[str, Any], rng: Random) -> str:
    """Any legal action."""
    return legal[int(rng.random() * len(legal))]


def choose_greedy(legal: Sequence[str], state: Mapping[str, Any], rng: Random) -> str:
    """The simple thing that a beginner would do; in a game without such advice, any action."""
    if "pile" in state:
        return _svoyi_greedy(legal, state)
    return choose_random(legal, state, rng)


def _svoyi_greedy(legal: Sequence[str], state: Mapping[str, Any]) -> str:
    """Beats as cheaply as it can; leads what cannot be beaten, else its lowest plain card."""
    if state["phase"] == "reply":
        own_trump = state["trumps"][1 - state["leader"]]
        return min(legal, key=lambda action: (action == "take", _price(action, own_trump)))
    seat = state["leader"]
    theirs, their_trump = state["hands"][1 - seat], state["trumps"][1 - seat]
    return min(
        legal,
        key=lambda action: (
            any(_beats(card, action[-2:], their_trump) for card in theirs),
            _price(action, state["trumps"][seat]),
        ),
    )


def _price(action: str, trump: str) -> tuple[bool, int]:
    return action[-1] == trump, RANKS.find(action[-2])


def _beats(card: str, led: str, trump: str) -> bool:
    if card[1] == led[1]:
        return RANKS.index(card[0]) > RANKS.index(led[0])
    return card[1] == trump


POLICIES: Final[dict[str, Policy]] = {"random": choose_random, "greedy": choose_greedy}
