"""Cuttle: looks one action ahead, and takes the one after which the table looks best.

A table is judged in points: how near each side is to its goal, what its permanents and cards are
worth, and how likely somebody wins with the next card. What is hidden is taken to be average.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from referee.builtin.question import Question
from referee.cards import bits_of
from referee.games.cuttle.cards import (
    ACE,
    EIGHT,
    FIVE,
    FOUR,
    JACK,
    JACKS,
    KING,
    KINGS,
    NAMES,
    NINE,
    NUMBER_CARDS,
    NUMBERS,
    PACK,
    QUEEN,
    SEVEN,
    SIX,
    THREE,
    TWO,
    TWOS,
    WORTH,
    bits_from,
    cards_in,
    parse,
    rank_of,
)
from referee.games.cuttle.view import PointStack, View

_WIN: Final = 1000.0
_NEXT: Final = 40.0  # a card that wins, for the side to move
_LATER: Final = 10.0  # the same for the other side: much may be done against it
_QUEEN: Final = 4.0
_GLASSES: Final = 1.5
# What a card is worth in the hand, ace to king; the cards that one does not see are average.
_IN_HAND: Final = (4.5, 6.0, 4.5, 4.5, 4.5, 5.5, 4.5, 4.5, 5.0, 6.0, 8.0, 5.0, 5.0)
_AVERAGE: Final = 4.5
_CROWD: Final = 4  # in a hand of so many cards a new one is worth half
_SEVEN: Final = 3.5  # a card for nothing, played at once, but not of one's choice
_REPLAY: Final = 0.5  # what is left of a permanent that must be played again
_ANSWERS: Final = 0.7  # how readily an opponent with a two counters


class _Side(msgspec.Struct, frozen=True):
    """What a player has; `hand` is what his cards are worth."""

    points: int
    kings: int
    queens: int
    glasses: int
    hand: float


_Table: TypeAlias = tuple[_Side, _Side]


def choose(question: Question) -> str:
    """One of the legal actions; of those that look the same, the first."""
    return max(question.legal, key=_Eye(question).value)


class _Eye:
    """What a seat sees, and what it makes of the actions."""

    def __init__(self, question: Question) -> None:
        view = msgspec.convert(question.state, View)
        assert view.hand is not UNSET
        self._view, self._me, self._them = view, question.seat, 1 - question.seat
        self._goals: Sequence[int] = question.options["king_goals"]
        self._hand = bits_from(view.hand)
        theirs = view.known[self._them] if view.opponent_hand is UNSET else view.opponent_hand
        self._known = bits_from(theirs)
        self._unknown = view.hand_sizes[self._them] - len(theirs)
        self._unseen = PACK & ~(self._hand | self._known | _open_cards(view))
        self._largest = [
            max([_worth(stack.card) for stack in stacks], default=0) for stacks in view.points
        ]
        self._now = self._side(0), self._side(1)
        self._judges: dict[str, Callable[..., float]] = {
            "draw": self._draw,
            "pass": self._pass,
            "points": self._points,
            "scuttle": self._scuttle,
            "permanent": self._permanent,
            "jack": self._jack,
            "oneoff": self._one_off,
            "decline": self._decline,
            "counter": self._counter,
            "take": self._take,
            "discard": self._discard,
        }
        self._effects: dict[int, Callable[..., _Table]] = {
            ACE: self._ace,
            TWO: self._two,
            THREE: self._three,
            FOUR: self._four,
            FIVE: self._five,
            SIX: self._six,
            SEVEN: self._seven,
            NINE: self._nine,
            JACK: self._jacked,
        }

    def value(self, action: str) -> float:
        """How good the table looks after the action."""
        move = parse(action)
        assert move
        return self._judges[move.verb](*move.cards)

    def _side(self, seat: int) -> _Side:
        view, size = self._view, self._view.hand_sizes[seat]
        known = self._hand if seat == self._me else self._known
        return _Side(
            points=view.scores[seat],
            kings=sum(card[0] == "K" for card in view.layouts[seat]),
            queens=sum(card[0] == "Q" for card in view.layouts[seat]),
            glasses=len(view.glasses[seat]),
            hand=_hand_worth(known) + _AVERAGE * (size - known.bit_count()),
        )

    def _draw(self) -> float:
        return self._judged(self._richer(self._me, 1), self._hand)

    def _pass(self) -> float:
        return self._judged(self._now, self._hand)

    def _points(self, card: int) -> float:
        return self._played(card, _scoring(self._now, self._me, WORTH[card]))

    def _scuttle(self, card: int, target: int) -> float:
        return self._played(card, _scoring(self._now, self._them, -WORTH[target]))

    def _permanent(self, card: int) -> float:
        return self._played(card, _laid(self._now, self._me, card, 1))

    def _jack(self, card: int, target: int) -> float:
        return self._played(card, self._jacked(self._me, target))

    def _one_off(self, card: int, *target: int) -> float:
        """It takes effect, or a two of the opponent is gone with it."""
        done = self._played(card, self._effect(self._me, card, *target))
        risk = 0.0 if self._now[self._me].queens else _ANSWERS * self._holds(TWOS)
        if not risk:
            return done
        countered = _gaining(self._now, self._them, -_IN_HAND[TWO])
        return (1 - risk) * done + risk * self._played(card, countered)

    def _decline(self) -> float:
        return self._judged(self._decided(0), self._hand)

    def _counter(self, card: int) -> float:
        return self._played(card, self._decided(1))

    def _take(self, card: int) -> float:
        table = _gaining(self._now, self._me, _IN_HAND[rank_of(card)])
        return self._judged(table, self._hand | 1 << card)

    def _discard(self, *cards: int) -> float:
        gone = bits_of(cards) & self._hand  # what a seven turned up is not in the hand
        table = _gaining(self._now, self._me, -_hand_worth(gone))
        return self._judged(table, self._hand & ~gone)

    def _decided(self, more: int) -> _Table:
        """The table when the counter window closes after so many twos more."""
        pending = self._view.pending
        assert pending is not UNSET
        if (len(pending.counters) + more) % 2:
            return self._now
        target = () if pending.target is UNSET else (NUMBERS[pending.target],)
        return self._effect(pending.seat, NUMBERS[pending.card], *target)

    def _effect(self, player: int, card: int, *target: int) -> _Table:
        """The table after a one-off."""
        return self._effects[rank_of(card)](player, *target)

    def _ace(self, _player: int) -> _Table:
        one, other = self._now
        return replace(one, points=0), replace(other, points=0)

    def _two(self, _player: int, target: int) -> _Table:
        return self._without(target)

    def _three(self, player: int) -> _Table:
        found = [_IN_HAND[rank_of(NUMBERS[card])] for card in self._view.scrap]
        return _gaining(self._now, player, max(found, default=0))

    def _four(self, player: int) -> _Table:
        count = min(2, self._view.hand_sizes[1 - player])
        return _gaining(self._now, 1 - player, -_AVERAGE * count)

    def _five(self, player: int) -> _Table:
        """Two cards more in the hand: in the other ruleset, too, which draws three and costs one."""
        return self._richer(player, 2)

    def _six(self, _player: int) -> _Table:
        """All permanents go, and every stack goes home."""
        points = [0, 0]
        for stack in (*self._view.points[0], *self._view.points[1]):
            points[stack.owner] += _worth(stack.card)
        one, other = [
            _Side(points=home, kings=0, queens=0, glasses=0, hand=side.hand)
            for side, home in zip(self._now, points, strict=True)
        ]
        return one, other

    def _seven(self, player: int) -> _Table:
        return _gaining(self._now, player, _SEVEN)

    def _nine(self, _player: int, target: int) -> _Table:
        worth = _REPLAY * _IN_HAND[rank_of(target)]
        return _gaining(self._without(target), self._place(target)[0], worth)

    def _jacked(self, player: int, target: int) -> _Table:
        return _stolen(self._now, player, WORTH[target])

    def _richer(self, player: int, cards: int) -> _Table:
        """The table when cards have been drawn."""
        worth = _AVERAGE / (1 + self._view.hand_sizes[player] / _CROWD)
        return _gaining(self._now, player, worth * min(cards, self._view.deck))

    def _without(self, target: int) -> _Table:
        """The table when a card has left it."""
        seat, stack = self._place(target)
        if stack is None:
            return _laid(self._now, seat, target, -1)
        if target == NUMBERS[stack.card]:
            return _scoring(self._now, seat, -WORTH[target])
        return _stolen(self._now, 1 - seat, _worth(stack.card))

    def _place(self, target: int) -> tuple[int, PointStack | None]:
        """The side of a card in play, and the stack that it is of."""
        name = NAMES[target]
        for seat, stacks in enumerate(self._view.points):
            for stack in stacks:
                if name in (stack.card, *stack.jacks):
                    return seat, stack
        return (0 if name in (*self._view.layouts[0], *self._view.glasses[0]) else 1), None

    def _played(self, card: int, table: _Table) -> float:
        """What the table is worth when this card has been played, from the hand or from the pile."""
        if self._hand >> card & 1:
            table = _gaining(table, self._me, -_IN_HAND[rank_of(card)])
        return self._judged(table, self._hand & ~(1 << card))

    def _judged(self, table: _Table, hand: int) -> float:
        """What the table is worth when this is the hand and the turn is over."""
        mine, theirs = table[self._me], table[self._them]
        if mine.points >= self._goal(mine):
            return _WIN
        if theirs.points >= self._goal(theirs):
            return -_WIN
        can_win = bool(hand & self._winners(mine, theirs, self._largest[self._them]))
        may_lose = self._holds(self._winners(theirs, mine, self._largest[self._me]))
        # Whose turn it was, in a counter window or after a four, decides who moves next.
        mine_next = self._view.turn_player != self._me
        my_weight, their_weight = (_NEXT, _LATER) if mine_next else (_LATER, _NEXT)
        certain = self._assets(mine) - self._assets(theirs)
        return certain + my_weight * can_win - their_weight * may_lose

    def _goal(self, side: _Side, more: int = 0) -> int:
        """The points that the side needs, or would need with so many kings more."""
        return self._goals[min(4, side.kings + more)]

    def _assets(self, side: _Side) -> float:
        """What is certain: the way to the goal counts most, and a second queen still a little."""
        permanents = _QUEEN * min(2, side.queens) + _GLASSES * min(1, side.glasses)
        return side.points - self._goal(side) + permanents + side.hand

    def _winners(self, side: _Side, other: _Side, largest: int) -> int:
        """The cards with which a side wins at once; `largest` is the other's highest point card."""
        need = self._goal(side) - side.points
        cards = NUMBER_CARDS & -1 << 4 * (need - 1)  # worth so much or more
        if side.points >= self._goal(side, 1):
            cards |= KINGS
        if not other.queens and min(largest, other.points) >= need:
            cards |= JACKS
        return cards

    def _holds(self, cards: int) -> float:
        """How likely the opponent holds one of these cards."""
        if self._known & cards:
            return 1.0
        share = (self._unseen & cards).bit_count() / max(1, self._unseen.bit_count())
        return 1 - pow(1 - share, self._unknown)


def _open_cards(view: View) -> int:
    """What lies face up for all: on the table, in the scrap, on top of the pile."""
    stacks = [stack for side in view.points for stack in side]
    rows: list[Sequence[str]] = [view.scrap, view.revealed, view.deck_top]
    rows += [*view.layouts, *view.glasses, *((stack.card, *stack.jacks) for stack in stacks)]
    return bits_from([card for row in rows for card in row])


def _worth(card: str) -> int:
    return WORTH[NUMBERS[card]]


def _hand_worth(cards: int) -> float:
    return sum([_IN_HAND[rank_of(card)] for card in cards_in(cards)])


def _put(table: _Table, seat: int, side: _Side) -> _Table:
    return (side, table[1]) if seat == 0 else (table[0], side)


def _scoring(table: _Table, seat: int, points: int) -> _Table:
    side = table[seat]
    return _put(table, seat, replace(side, points=side.points + points))


def _gaining(table: _Table, seat: int, worth: float) -> _Table:
    side = table[seat]
    return _put(table, seat, replace(side, hand=side.hand + worth))


def _stolen(table: _Table, seat: int, points: int) -> _Table:
    """Point cards of the other side have come over to this one."""
    return _scoring(_scoring(table, seat, points), 1 - seat, -points)


def _laid(table: _Table, seat: int, card: int, count: int) -> _Table:
    """A side with one more (1) or fewer (-1) permanent of this kind."""
    side, rank = table[seat], rank_of(card)
    if rank == KING:
        return _put(table, seat, replace(side, kings=side.kings + count))
    if rank == QUEEN:
        return _put(table, seat, replace(side, queens=side.queens + count))
    assert rank == EIGHT
    return _put(table, seat, replace(side, glasses=side.glasses + count))
