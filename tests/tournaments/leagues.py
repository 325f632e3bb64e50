"""Leagues for tests, without a file."""

from collections.abc import Sequence
from typing import Any

from referee.bots import parse_bots
from referee.channels.watch import Budget
from referee.clock import Clock
from referee.conduct import Conduct
from referee.games import GAMES
from tournaments.league import League


def league_of(
    bots: Sequence[str] = ("a=builtin:random", "b=builtin:random", "c=builtin:random"),
    *,
    game: str = "svoyi-koziri",
    **more: Any,
) -> League:
    """A small league; whatever a League has can be given."""
    rules = GAMES[game]
    return League(
        **{
            "name": "Cup",
            "game": game,
            "options": rules.options_type(**({"cards": 12} if game == "svoyi-koziri" else {})),
            "seats": rules.seats.start,
            "format": "round-robin",
            "bots": tuple(parse_bots(bots)),
            "seeds": (),
            "deals": 2,
            "tables": None,
            "shared_deals": False,
            "restart": "game" if rules.hidden else "never",
            "start_ms": 5000,
            "clock": Clock(move_ms=1000),
            "conduct": Conduct(),
            "budget": Budget(),
            "ponder": False,
            "isolation": "posix",
            "keep_logs": "all",
            "seed": 7,
            "anchor": None,
            **more,
        }
    )
