"""Sample bots: each one is a single file that runs by itself and imports nothing of Croupier."""

from pathlib import Path

NAMES = ("random_bot.py", "random_bot.js", "random_bot.c", "greedy_bot.py")


def path_of(name: str) -> Path:
    """The file of a sample bot, one of `NAMES`."""
    return Path(__file__).with_name(name)
