"""Svoyi Koziri as a beginner plays it."""

from referee.builtin.question import Question
from referee.cards import RANKS


def choose(question: Question) -> str:
    """Beats as cheaply as it can; leads what cannot be beaten, else its lowest plain card."""
    legal, state = question.legal, question.state
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
