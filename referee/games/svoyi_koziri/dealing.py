"""Deals: drawn by lot, and named by a code."""

from collections.abc import Iterable

from referee.cards import RANKS, SUIT_BITS, bits_of, cards_in, names_in, suit_of
from referee.games.svoyi_koziri.shapes import PLAN, Deal, Plan


def pack(cards: int) -> int:
    """The pack of this size as bits: its highest ranks in all four suits."""
    per_suit = bits_of(range(len(RANKS) - cards // 4, len(RANKS)))
    return sum(per_suit << (13 * suit) for suit in range(4))


def mirror(card: int, plan: Plan = PLAN) -> int:
    """Trump to trump, plain to plain, same rank."""
    suits = {plan.trump[0]: plan.trump[1], plan.plain[0]: plan.plain[1]}
    suits |= {theirs: ours for ours, theirs in suits.items()}
    return suits[suit_of(card)] * 13 + card % 13


def own_cards(cards: int, plan: Plan = PLAN) -> list[int]:
    """The dealer's own suits in the order of the deal code."""
    whole = pack(cards)
    return [
        card
        for suit in (plan.trump[0], plan.plain[0])
        for card in cards_in(whole & SUIT_BITS[suit])
    ]


def hands_from(kept: Iterable[int], cards: int, plan: Plan = PLAN) -> tuple[int, int]:
    """Both hands when the dealer has kept these of his own cards."""
    own = set(own_cards(cards, plan))
    kept = set(kept)
    assert kept <= own
    dealer = kept | {mirror(card, plan) for card in own - kept}
    return bits_of(dealer), bits_of(mirror(card, plan) for card in dealer)


def deal_from_code(code: int, cards: int) -> Deal:
    """The deal of this code."""
    own = own_cards(cards)
    hands = hands_from((card for bit, card in enumerate(own) if code >> bit & 1), cards)
    return Deal(code=code, hands=(names_in(hands[0]), names_in(hands[1])))


def deal_from_drawn(drawn: Iterable[int], cards: int) -> Deal:
    """The deal when the dealer turned up these cards: those of the other's suits go back."""
    own, turned_up = own_cards(cards), set(drawn)
    return deal_from_code(sum(1 << bit for bit, card in enumerate(own) if card in turned_up), cards)
