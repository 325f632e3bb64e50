"""Plays Svoyi Koziri by three rules of thumb, and the first legal action in any other game."""

import json
import sys
from typing import Any

RANKS = "23456789TJQKA"


def beats(card: str, led: str, trump: str) -> bool:
    """Whether a card beats the led one: higher in its suit, or a trump on another suit."""
    if card[1] == led[1]:
        return RANKS.index(card[0]) > RANKS.index(led[0])
    return card[1] == trump


def choose(legal: list[str], seat: int, state: dict[str, Any]) -> str:
    """Beat cheaply; lead what cannot be beaten, else what is worth least."""
    cards = [action.removeprefix("play ") for action in legal if action.startswith("play ")]
    if "trumps" not in state or not cards:  # another game, or nothing beats: take
        return legal[0]
    if state["phase"] == "lead":
        trump, hand = state["trumps"][1 - seat], state["hands"][1 - seat]
        # An opponent who cannot beat must take the pile, and the lead stays with us.
        cards = [led for led in cards if not any(beats(card, led, trump) for card in hand)] or cards
    mine = state["trumps"][seat]
    # Cheapest first: plain before trump, low before high; the first in the list breaks a tie.
    return "play " + min(cards, key=lambda card: (card[1] == mine, RANKS.index(card[0])))


def send(**message: object) -> None:
    """Write one line, and flush it: an answer that stays in the buffer never arrives."""
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line) if line.strip() else {}
        match message.get("type"):
            case "hello":
                send(type="hello", id=message["id"], protocol=1, name="greedy-py", version="1.0")
            case "turn":
                action = choose(message["legal"], message["seat"], message.get("state", {}))
                send(type="action", id=message["id"], action=action)
            case "bye":
                break
            case _:
                pass  # whatever else comes wants no answer
