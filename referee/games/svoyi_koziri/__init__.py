"""Rules of Svoyi Koziri, also known as Challenge. Pure: values in, values out.

Two players, all cards open. The leader leads any card; the other must beat it (a higher card of
its suit, or his own trump on another suit) or take the whole pile. Who is out of cards first wins.
"""

from referee.games.svoyi_koziri.dealing import (
    deal_from_code,
    deal_from_drawn,
    hands_from,
    mirror,
    own_cards,
    pack,
)
from referee.games.svoyi_koziri.game import SvoyiKoziri
from referee.games.svoyi_koziri.moves import PLAY, TAKE, at_lead, beating, beats
from referee.games.svoyi_koziri.shapes import PLAN, PLIES_PER_CARD, Deal, Options, Plan, State, View

__all__ = [
    "PLAN",
    "PLAY",
    "PLIES_PER_CARD",
    "TAKE",
    "Deal",
    "Options",
    "Plan",
    "State",
    "SvoyiKoziri",
    "View",
    "at_lead",
    "beating",
    "beats",
    "deal_from_code",
    "deal_from_drawn",
    "hands_from",
    "mirror",
    "own_cards",
    "pack",
]
