"""Who meets whom, on which deal, in which seats. Pure: the same event gives the same schedule again.

Blocks come deal by deal, so that a table that is half done says something about everybody. A game's key
names all that makes it this game, and neither time nor place nor attempt: whatever is added to an
event, the keys of what was there stay as they are.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import combinations
from typing import Any, TypeAlias

from tournaments.shapes import Block

Table: TypeAlias = tuple[int, ...]


class ScheduleError(ValueError):
    """There is no such schedule; the message says why."""


def circle_rounds(count: int) -> list[list[tuple[int, int]]]:
    """Everybody against everybody by the circle method: in a round nobody plays twice.

    The first bot stays, the others go round; an odd number of bots leaves one out in each round.

    >>> circle_rounds(4)
    [[(0, 3), (1, 2)], [(0, 2), (3, 1)], [(0, 1), (2, 3)]]
    """
    places: list[int | None] = [*range(count), *([None] if count % 2 else [])]
    half = len(places) // 2
    rounds = []
    for _ in range(len(places) - 1):
        facing = zip(places[:half], reversed(places[half:]), strict=True)
        rounds.append([(a, b) for a, b in facing if a is not None and b is not None])
        places = [places[0], places[-1], *places[1:-1]]
    return rounds


def neighbour_orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """Cyclic orders in which each bot has every other one on its left equally often.

    Odd numbers of seats, which must be prime, need one order for each step around the circle. Even ones
    need twice as many: one bot stays, the others zigzag (Walecki), and each order is also reversed.

    >>> neighbour_orders(3)
    ((0, 1, 2), (0, 2, 1))
    """
    if seats == 2:
        return ((0, 1),)
    if seats % 2:
        if any(seats % divisor == 0 for divisor in range(3, seats, 2)):
            raise ScheduleError(f"there is no balanced order of {seats} seats here")
        return tuple(
            tuple(step * seat % seats for seat in range(seats)) for step in range(1, seats)
        )
    circle = seats - 1
    zigzag = [(place + 1) // 2 * (1 if place % 2 else -1) % circle for place in range(circle)]
    turned = [(0, *((place + shift) % circle + 1 for place in zigzag)) for shift in range(circle)]
    return tuple(order for way in turned for order in (way, (0, *reversed(way[1:]))))


def all_tables(count: int, seats: int) -> list[Table]:
    """Every table that these bots can form; two by two in the order of the circle method."""
    if seats == 2:
        pairs = (pair for circle in circle_rounds(count) for pair in circle)
        return [(min(pair), max(pair)) for pair in pairs]
    return list(combinations(range(count), seats))


def gauntlet_tables(seeds: Sequence[int], field: Sequence[int], seats: int) -> list[Table]:
    """Each seed with every choice of opponents from the field."""
    return [
        tuple(sorted((seed, *others)))
        for others in combinations(field, seats - 1)
        for seed in seeds
    ]


def blocks(tables: Sequence[Table], deals: int) -> Iterator[Block]:
    """All blocks, deal by deal. From deal to deal the bots get other neighbours."""
    for deal in range(deals):
        for table in tables:
            yield block(table, deal)


def block(table: Table, deal: int) -> Block:
    """One table, one deal, all rotations of the order that the deal's number gives."""
    orders = neighbour_orders(len(table))
    first = [table[place] for place in orders[deal % len(orders)]]
    rotations = (tuple(first[turn:] + first[:turn]) for turn in range(len(first)))
    return Block(table=tuple(sorted(table)), deal=deal, seatings=tuple(rotations))


def canonical(spec: Mapping[str, Any]) -> str:
    """JSON with sorted keys, without spaces, UTF-8: one text for one meaning."""
    return json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def game_key(spec: Mapping[str, Any]) -> str:
    """32 hexadecimal digits that name a game: BLAKE2b-128 of the canonical text."""
    return blake2b(canonical(spec).encode(), digest_size=16).hexdigest()
