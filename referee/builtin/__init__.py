"""Built-in bots: functions from the lines of the server to the lines of a bot.

They get the same bytes as any other bot and know no more.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

from protocol.codec import encode
from protocol.messages import PROTOCOL, Action, BotHello
from referee.builtin import cuttle, svoyi_koziri, wizard
from referee.builtin.question import Question

# From a question to one of its legal actions.
Policy: TypeAlias = Callable[[Question, Random], str]

_decode = msgspec.json.Decoder().decode


class BuiltinBot:
    """A policy that speaks the protocol."""

    def __init__(self, name: str, policy: Policy, version: str) -> None:
        self._name, self._policy, self._version = name, policy, version
        self._rng = Random(0)
        self._start: dict[str, Any] = {}

    def __call__(self, line: bytes) -> bytes:
        message = _decode(line)
        kind = message["type"]
        if kind == "turn":
            action = self._policy(_question(self._start, message), self._rng)
            return encode(Action(id=message["id"], action=action))
        if kind == "hello":
            return encode(
                BotHello(
                    id=message["id"], protocol=PROTOCOL, name=self._name, version=self._version
                )
            )
        if kind == "start":
            self._start = message
            self._rng = Random(message["seed"])
        return b""


def _question(start: dict[str, Any], turn: dict[str, Any]) -> Question:
    return Question(start["rules"], start["options"], turn["seat"], turn["legal"], turn["state"])


def choose_random(question: Question, rng: Random) -> str:
    """Any legal action."""
    legal = question.legal
    return legal[int(rng.random() * len(legal))]


_ADVICE: Final[dict[str, Callable[[Question], str]]] = {
    "cuttle": cuttle.choose,
    "svoyi-koziri": svoyi_koziri.choose,
    "wizard": wizard.choose,
}


def choose_greedy(question: Question, rng: Random) -> str:
    """The simple thing that a beginner would do; in a game without such advice, any action."""
    advice = _ADVICE.get(question.rules)
    return advice(question) if advice else choose_random(question, rng)


POLICIES: Final[dict[str, Policy]] = {"random": choose_random, "greedy": choose_greedy}
