"""Everything that is drawn by lot comes from one 256-bit run secret, by labelled hashes.

Deals, salts and bot seeds have labels of their own, so that knowing one tells nothing of another,
and a game's draw does not depend on what was played before it.
"""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from random import Random
from typing import Any, Final

import msgspec

from referee.game import Game

# After so many draws without a new deal, all deals of a small pack are taken to have been seen. What
# comes less often than once in 2,000 draws may be missed then, and the next round of deals begins.
_ATTEMPTS: Final = 20_000


def secret_from_seed(seed: int) -> str:
    """The run secret of an operator's seed: whoever knows the seed can recompute every deal."""
    return blake2b(f"croupier seed {seed}".encode(), digest_size=32).hexdigest()


def part(secret: str, label: str) -> str:
    """A secret of its own for a part of what is played: whoever knows it knows nothing of other parts."""
    return _digest(secret, f"part {label}").hex()


def _digest(secret: str, label: str, size: int = 32) -> bytes:
    return blake2b(label.encode(), key=bytes.fromhex(secret), digest_size=size).digest()


def salt(secret: str, game: int, attempt: int = 0) -> str:
    """32 hexadecimal digits, fresh for every game, one that is played again included."""
    again = f" {attempt}" if attempt else ""
    return _digest(secret, f"salt {game}{again}", 16).hex()


def bot_seed(secret: str, game: int, seat: int) -> int:
    """0 … 2^31 - 1: the bot's own, unrelated to the deal."""
    return int.from_bytes(_digest(secret, f"bot {game} {seat}", 4)) & 0x7FFF_FFFF


def hash_seed(secret: str, bot: str) -> int:
    """A value for PYTHONHASHSEED, so that a bot that iterates over sets repeats itself."""
    return int.from_bytes(_digest(secret, f"hash {bot}", 4))


def deals(game: Game[Any], seats: int, options: Any, secret: str) -> Iterator[Any]:
    """Deals without end, without replacement: two programs without chance in them would repeat the
    same game on the same deal.

    None comes twice before all have come, but for deals so rare that 20,000 draws miss them.
    """
    size = game.deal_count(options)
    seen: set[bytes] = set()
    for number in count():
        if len(seen) == size:
            seen.clear()
        attempts = (
            _nth_deal(game, seats, options, secret, f"{number} {n}") for n in range(_ATTEMPTS)
        )
        fresh = ((key, deal) for key, deal in attempts if key not in seen)
        found = next(fresh, None)
        if found is None:
            seen.clear()
            found = _nth_deal(game, seats, options, secret, f"{number} 0")
        seen.add(found[0])
        yield found[1]


def _nth_deal(
    game: Game[Any], seats: int, options: Any, secret: str, label: str
) -> tuple[bytes, Any]:
    rng = Random(int.from_bytes(_digest(secret, f"deal {label}")))
    deal = game.deal(rng, seats, options)
    return blake2b(msgspec.json.encode(deal), digest_size=16).digest(), deal
