"""Cuttle as a beginner plays it: looks one action ahead and counts what it gains.

Everything is said in points of the table. A card is worth what it does, a draw is worth a little,
and points weigh more the nearer their player is to the goal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from referee.builtin.question import Question

RANKS: Final = "A23456789TJQK"
WIN: Final = 1000.0
DRAW: Final = 2.2
QUEEN: Final = 3.5
GLASSES: Final = 1.5
SCRAPPED_CARD: Final = 1.2  # what it costs to use a card up
TWO_IN_HAND: Final = 4.0
MAY_BE_COUNTERED: Final = 0.8
RETURNED: Final = 0.6  # of what a card is worth that only goes back to a hand
DISCARDED: Final = 1.6  # for each card that a four costs
NEEDED_TO_COUNTER: Final = 4.0


def choose(question: Question) -> str:
    """One of the legal actions: the best of those that look the same is the first."""
    table = _Table(question)
    return max(question.legal, key=table.value)


class _Table:
    """What a seat sees, and what it makes of it."""

    def __init__(self, question: Question) -> None:
        state = question.state
        self.state = state
        self.me, self.them = question.seat, 1 - question.seat
        self.hand: Sequence[str] = state["hand"]
        self.goals_by_kings: Sequence[int] = question.options["king_goals"]
        self._judges: dict[str, Callable[..., float]] = {
            "points": lambda card: self._points(self.me, _worth(card)),
            "scuttle": self._scuttle,
            "permanent": lambda card: self._permanent(self.me, card),
            "jack": lambda _, target: self._stolen(self.me, target) - SCRAPPED_CARD,
            "oneoff": self._one_off,
            "counter": lambda _: self._pending_harm() - NEEDED_TO_COUNTER,
            "take": self._card,
            "discard": lambda *cards: -sum(map(self._card, cards)),
            "draw": lambda: DRAW - 0.2 * len(self.hand),
        }

    def value(self, action: str) -> float:
        """How much better the table looks after the action, for this seat."""
        verb, *cards = action.split()
        judge = self._judges.get(verb)
        return judge(*cards) if judge else 0.0  # decline, pass

    def _scuttle(self, card: str, victim: str) -> float:
        return self._gone(self.them, victim) - self._card(card) / 2

    def _one_off(self, card: str, target: str | None = None) -> float:
        return self._effect(self.me, card, target) * self._success() - SCRAPPED_CARD

    def _points(self, seat: int, worth: int) -> float:
        """What points more are worth to a seat."""
        score: int = self.state["scores"][seat]
        goal: int = self.state["goals"][seat]
        return WIN if score + worth >= goal else worth * self._weight(seat)

    def _weight(self, seat: int) -> float:
        score: int = self.state["scores"][seat]
        goal: int = self.state["goals"][seat]
        return 0.6 + score / max(1, goal)

    def _stack(self, card: str) -> tuple[int, Mapping[str, Any]] | None:
        """Who controls a point card, and the stack."""
        for seat in (0, 1):
            for stack in self.state["points"][seat]:
                if card == stack["card"] or card in stack["jacks"]:
                    return seat, stack
        return None

    def _gone(self, seat: int, card: str) -> float:
        """What it is worth that a seat loses a point card."""
        threat = 2.0 if self.state["goals"][seat] - self.state["scores"][seat] <= 10 else 0.0
        return _worth(card) * self._weight(seat) + threat

    def _stolen(self, seat: int, card: str) -> float:
        """What it is worth to a seat to get a point card from the other."""
        return self._points(seat, _worth(card)) + self._gone(1 - seat, card)

    def _permanent(self, seat: int, card: str) -> float:
        """What a permanent is worth to the seat that lays it."""
        if card[0] == "K":
            return self._king(seat, 1)
        if card[0] == "Q":
            mine = len(self.state["points"][seat]) + len(self.state["layouts"][seat])
            return QUEEN + 0.4 * mine
        return GLASSES

    def _king(self, seat: int, more: int) -> float:
        """What a king more or less does to the goal."""
        kings = sum(card[0] == "K" for card in self.state["layouts"][seat])
        now: int = self.state["goals"][seat]
        then: int = self.goals_by_kings[min(4, max(0, kings + more))]
        if self.state["scores"][seat] >= then:
            return WIN
        return abs(now - then) * 0.9 * self._weight(seat)

    def _laid(self, card: str) -> float:
        """What it is worth to this seat that a permanent, or a jack, is removed."""
        for seat, sign in ((self.them, 1.0), (self.me, -1.0)):
            if card in self.state["layouts"][seat]:
                return sign * (self._king(seat, -1) if card[0] == "K" else QUEEN)
            if card in self.state["glasses"][seat]:
                return sign * GLASSES
        found = self._stack(card)
        if found is None:
            return 0.0
        seat, stack = found
        if card == stack["card"]:
            return self._gone(seat, card) if seat == self.them else -self._gone(seat, card)
        # Without its topmost jack a stack changes sides.
        return self._stolen(self.me, stack["card"]) if seat == self.them else -WIN

    def _effect(self, player: int, card: str, target: str | None) -> float:
        """What a one-off does for its player."""
        sign = 1.0 if player == self.me else -1.0
        other = 1 - player
        match card[0]:
            case "A":
                return self._all_points(other) - self._all_points(player)
            case "2":
                return sign * self._laid(target or "")
            case "9":
                return sign * self._laid(target or "") * RETURNED
            case "6":
                return self._all_permanents(other) - self._all_permanents(player)
            case "3":
                others = (found for found in self.state["scrap"] if found != card)
                return 0.7 * max((self._card(found, player) for found in others), default=0.0)
            case "4":
                held: int = self.state["hand_sizes"][other]
                return DISCARDED * min(2, held)
            case "5" | "7":
                return 1.7 * DRAW
            case _:
                return 0.0

    def _all_points(self, seat: int) -> float:
        return sum(self._gone(seat, stack["card"]) for stack in self.state["points"][seat])

    def _all_permanents(self, seat: int) -> float:
        laid = sum(
            self._king(seat, -1) if card[0] == "K" else QUEEN
            for card in self.state["layouts"][seat]
        )
        jacks = sum(
            2 * self._gone(seat, stack["card"])
            for stack in self.state["points"][seat]
            if len(stack["jacks"]) % 2
        )
        return laid + jacks + GLASSES * len(self.state["glasses"][seat])

    def _success(self) -> float:
        """How likely a one-off of ours is not countered."""
        mine = any(card[0] == "Q" for card in self.state["layouts"][self.me])
        return 1.0 if mine or not self.state["hand_sizes"][self.them] else MAY_BE_COUNTERED

    def _pending_harm(self) -> float:
        """What a two saves us: the one-off that is about to happen, or ours that is about not to."""
        pending = self.state["pending"]
        effect = self._effect(pending["seat"], pending["card"], pending.get("target"))
        if pending["card"][0] == "J" and pending.get("target"):
            effect = self._stolen(pending["seat"], pending["target"])
        return effect

    def _card(self, card: str, seat: int | None = None) -> float:
        """What a card is worth in the hand, ours if no other is named."""
        seat, rank = self.me if seat is None else seat, card[0]
        if rank == "K":
            return self._king(seat, 1)
        if rank == "J":
            theirs = self.state["points"][1 - seat]
            return max([3.0, *(self._stolen(seat, stack["card"]) for stack in theirs)])
        if rank in "2Q":
            return TWO_IN_HAND if rank == "2" else QUEEN
        worth = self._points(seat, _worth(card)) * 0.8
        return max(worth, self._effect(seat, card, None) if rank in "A6" else 0.0)


def _worth(card: str) -> int:
    """In points: an ace is one."""
    return RANKS.index(card[0]) + 1
