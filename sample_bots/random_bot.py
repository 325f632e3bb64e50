"""Plays a random legal action of any game. Standard library only."""

import json
import random
import sys


def send(**message: object) -> None:
    """Write one line, and flush it: an answer that stays in the buffer never arrives."""
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    rng = random.Random(0)
    for line in sys.stdin:
        message = json.loads(line) if line.strip() else {}
        match message.get("type"):
            case "hello":
                send(type="hello", id=message["id"], protocol=1, name="random-py", version="1.0")
            case "start":
                rng = random.Random(message["seed"])  # the same seed plays the same game again
            case "turn":
                send(type="action", id=message["id"], action=rng.choice(message["legal"]))
            case "bye":
                break
            case _:
                pass  # whatever else comes wants no answer
