"""Deals: drawn by lot, read from a log, and guessed by one who sees a part of them."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import and_
from random import Random
from typing import Final

from msgspec import UNSET

from referee.cards import NAMES, NUMBERS, SUIT_BITS, SUITS, bits_of, cards_in, hand_from, names_in
from referee.game import DealError
from referee.games.wizard.shapes import (
    DealtRound,
    Options,
    Round,
    State,
    View,
    round_sizes,
)
from referee.games.wizard.tricks import FOLLOWING, NO_SUIT, PACK, SUIT_OF, standing

_WHOLE_PACK: Final = (1 << PACK) - 1
_SWAPS: Final = 8  # for each card


def drawn(rng: Random, number: int, cards: int, seats: int) -> Round:
    """A round from a fresh shuffle."""
    pack = list(range(PACK))
    rng.shuffle(pack)
    hands = tuple([bits_of(pack[cards * seat : cards * (seat + 1)]) for seat in range(seats)])
    upcard = pack[cards * seats] if cards * seats < PACK else None
    return Round(number, cards, (number - 1) % seats, hands, upcard)


def dealt(cards: Round) -> DealtRound:
    """The round as it is logged."""
    upcard = None if cards.upcard is None else NAMES[cards.upcard]
    return DealtRound(tuple(map(names_in, cards.hands)), upcard)


def round_from(dealt: DealtRound, number: int, cards: int, seats: int) -> Round:
    """The round as logged; raises `DealError` for one that the rules cannot have dealt."""
    upcards = () if dealt.upcard is None else (dealt.upcard,)
    named = [*(name for hand in dealt.hands for name in hand), *upcards]
    if not NUMBERS.keys() >= set(named) or len(set(named)) != len(named):
        raise DealError(f"round {number}: the cards are not different cards of the pack")
    if [len(hand) for hand in dealt.hands] != [cards] * seats:
        raise DealError(f"round {number}: there must be {seats} hands of {cards} cards")
    if len(upcards) != (cards * seats < PACK):
        raise DealError(f"round {number}: an upcard must be there unless all cards are dealt")
    hands = tuple(map(hand_from, dealt.hands))
    if tuple(map(names_in, hands)) != dealt.hands:
        raise DealError(f"round {number}: the cards of a hand are not in order")
    upcard = None if dealt.upcard is None else NUMBERS[dealt.upcard]
    return Round(number, cards, (number - 1) % seats, hands, upcard)


def determinized(view: View, seat: int, seats: int, options: Options, rng: Random) -> State:
    """A state that the seat may be in, as `Wizard.determinize` promises."""
    assert view.hand is not UNSET
    played, barred = _shown_by(view, seats)
    own = hand_from(view.hand)
    upcard = None if view.upcard is UNSET else NUMBERS[view.upcard]
    seen = sum(played, own) | (0 if upcard is None else 1 << upcard)
    needs = [view.cards - cards.bit_count() for cards in played]
    needs[seat] = 0
    rest = PACK - seen.bit_count() - sum(needs)
    hands = placed(_WHOLE_PACK & ~seen, (*needs, rest), (*barred, 0), rng)[:seats]
    hands[seat] = own
    was_dealt = tuple([hand | cards for hand, cards in zip(hands, played, strict=True)])
    sizes = round_sizes(options, seats)
    trump = NO_SUIT if view.trump is None else SUITS.index(view.trump)
    led, power, winner = standing([NUMBERS[name] for _, name in view.trick], trump)
    return State(
        options=options,
        rounds=view.rounds,
        ahead=tuple(
            [drawn(rng, n, sizes[n - 1], seats) for n in range(view.round + 1, len(sizes) + 1)]
        ),
        round=Round(view.round, view.cards, view.dealer, was_dealt, upcard),
        phase=view.phase,
        mover=_mover(view, seats),
        hands=tuple(hands),
        trump=trump,
        bids=tuple(view.bids),
        won=tuple(view.won),
        leader=view.leader,
        trick=tuple(view.trick),
        led=led,
        power=power,
        winner=(view.leader + winner) % seats,
        played=tuple(map(tuple, view.played)),
        scores=tuple(view.scores),
    )


def _mover(view: View, seats: int) -> int | None:
    if view.phase == "trump":
        return view.dealer
    if view.phase == "bid":
        return (view.leader + sum(bid is not None for bid in view.bids)) % seats
    over = len(view.played) == view.cards  # within the game, the next round would have begun
    return None if over else (view.leader + len(view.trick)) % seats


def _shown_by(view: View, seats: int) -> tuple[list[int], list[int]]:
    """What each seat has played in this round, and the suits that it has shown to lack."""
    played, barred = [0] * seats, [0] * seats
    for trick in (*view.played, view.trick):
        cards = [NUMBERS[name] for _, name in trick]
        for nth, (player, _) in enumerate(trick):
            led, card = standing(cards[:nth], NO_SUIT)[0], cards[nth]
            played[player] |= 1 << card
            if SUIT_OF[card] not in (led, NO_SUIT):
                barred[player] |= FOLLOWING[led]
    return played, barred


def placed(cards: int, needs: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """As many cards to each place as it needs, none that is barred to it, and none left over."""
    wanting, hands = list(needs), [0] * len(needs)
    tight = _tight_groups(barred)
    for card in _most_barred_first(cards, barred, rng):
        cards ^= 1 << card
        place = _place_for(card, cards, wanting, barred, tight, rng)
        hands[place] |= 1 << card
    free = list(cards_in(cards))
    rng.shuffle(free)
    for place, count in enumerate(wanting):
        hands[place] |= bits_of(free[:count])
        del free[:count]
    assert not free
    return _swapped(hands, barred, rng) if tight else hands


def _swapped(hands: Sequence[int], barred: Sequence[int], rng: Random) -> list[int]:
    """The hands after many swaps of two cards, which make all distributions alike in the long run."""
    owned = [(place, 1 << card) for place, hand in enumerate(hands) for card in cards_in(hand)]
    places, cards = [place for place, _ in owned], [card for _, card in owned]
    chance, count = rng.random, len(owned)
    for _ in range(_SWAPS * count):
        i, j = int(chance() * count), int(chance() * count)
        if not (cards[j] & barred[places[i]] or cards[i] & barred[places[j]]):
            cards[i], cards[j] = cards[j], cards[i]
    swapped = [0] * len(hands)
    for place, card in zip(places, cards, strict=True):
        swapped[place] |= card
    return swapped


def _most_barred_first(cards: int, barred: Sequence[int], rng: Random) -> list[int]:
    """The cards that are barred to some place, those of a suit in random order."""
    closed = {suit: sum(bool(bars & suit) for bars in barred) for suit in SUIT_BITS}
    restricted: list[int] = []
    for suit in sorted(filter(closed.get, closed), key=closed.__getitem__, reverse=True):
        of_suit = list(cards_in(cards & suit))
        rng.shuffle(of_suit)
        restricted += of_suit
    return restricted


def _place_for(
    card: int,
    left: int,
    wanting: list[int],
    barred: Sequence[int],
    tight: Sequence[tuple[tuple[int, ...], int]],
    rng: Random,
) -> int:
    """A place for the card, its want counted down, so that the cards left can still be placed."""
    chances = [0 if bars >> card & 1 else want for bars, want in zip(barred, wanting, strict=True)]
    while True:
        (place,) = rng.choices(range(len(chances)), chances)
        wanting[place] -= 1
        if all(
            sum([wanting[member] for member in group]) <= (left & open_to).bit_count()
            for group, open_to in tight
        ):
            return place
        wanting[place] += 1
        chances[place] = 0


def _tight_groups(barred: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """Each group of places to which some cards are barred alike, and the cards open to the group.

    The cards can be placed as long as no such group wants more than is open to it (Hall).
    """
    places = [place for place, bars in enumerate(barred) if bars]
    groups = [group for size in range(len(places)) for group in combinations(places, size + 1)]
    bars = [reduce(and_, [barred[place] for place in group]) for group in groups]
    return [(group, ~common) for group, common in zip(groups, bars, strict=True) if common]
