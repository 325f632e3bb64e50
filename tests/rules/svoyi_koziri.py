"""What a case of Svoyi Koziri asks: for each kind, the facts that follow from its input."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final, TypeAlias

import pytest
from msgspec.structs import replace

from referee.cards import NAMES, NUMBERS, RANKS, SUITS, cards_in, hand_from, names_in
from referee.game import DealError, IllegalActionError
from referee.games.svoyi_koziri import (
    PLAN,
    TAKE,
    Deal,
    Options,
    Plan,
    State,
    SvoyiKoziri,
    at_lead,
    beats,
    deal_from_code,
    hands_from,
    mirror,
    own_cards,
    pack,
)
from referee.games.svoyi_koziri.moves import noted
from referee.games.svoyi_koziri.shapes import NO_POSITIONS, Position, Positions

Input: TypeAlias = Mapping[str, Any]
Facts: TypeAlias = dict[str, Any]

GAME: Final = SvoyiKoziri()
PACKS: Final = range(8, 53, 4)
BY_SEAT: Final = range(2)
OPTIONS: Final = ("cards", "take", "after_take", "repetition", "max_plies")


def pack_facts(given: Input) -> Facts:
    cards = names_in(pack(given["cards"]))
    ranks = "".join(rank for rank in RANKS if f"{rank}C" in cards)
    assert frozenset(cards) == {rank + suit for rank in ranks for suit in SUITS}
    return {
        "ranks_low_to_high": ranks,
        "ranks": frozenset(ranks),
        "per_player": len(cards) // 2,
        "cards": frozenset(cards),
        "size": len(cards),
    }


def mirror_facts(given: Input) -> Facts:
    return {"card": NAMES[mirror(NUMBERS[given["card"]], _plan(given))]}


def deal_facts(given: Input) -> Facts:
    cards, dealer = given["cards"], given.get("dealer", 0)
    plan = _seen_from(dealer, _plan(given))
    kept = _kept(given, plan)
    by_dealer = hands_from(kept, cards, plan)
    code = _code_of(kept, cards, plan)
    if plan == PLAN and dealer == 0:
        # The plan that is really played: the deal must also be one that a game starts from.
        state = GAME.start(deal_from_code(code, cards), 2, Options(cards=cards))
        assert state.hands == by_dealer
    hands = by_dealer if dealer == 0 else by_dealer[::-1]
    return {
        "hands": _hands(hands),
        "kept": frozenset(NAMES[card] for card in kept),
        "code": code,
        "leader": dealer,
    }


def deal_check_facts(given: Input) -> Facts:
    """Whether two hands are a deal, and of which code."""
    hands = given["hands"]
    cards = given.get("cards", sum(map(len, hands)))
    plan = _seen_from(given.get("dealer", 0), _plan(given))
    by_dealer = hands if given.get("dealer", 0) == 0 else hands[::-1]
    whole = names_in(pack(cards))
    if sorted(card for hand in hands for card in hand) != sorted(whole):
        return {"valid": False, "code": None}
    bits = (hand_from(by_dealer[0]), hand_from(by_dealer[1]))
    kept = {card for card in own_cards(cards, plan) if bits[0] >> card & 1}
    code = _code_of(kept, cards, plan)
    if "code" in given and _number(given["code"]) != code:
        return {"valid": False, "code": None}
    valid = hands_from(kept, cards, plan) == bits
    if plan == PLAN:
        assert valid == _starts(
            Deal(code=code, hands=(names_in(bits[0]), names_in(bits[1]))), cards
        )
    return {"valid": valid, "code": code if valid else None}


def beats_facts(given: Input) -> Facts:
    card, led, trump = given["card"], given["led"], given["own_trump"]
    return {"beats": beats(NUMBERS[card], NUMBERS[led], SUITS.index(trump))}


def legal_facts(given: Input) -> Facts:
    return _position_facts(_state(given))


def play_facts(given: Input) -> Facts:
    state = _state(given)
    for action in given.get("actions", ()):
        state = GAME.play(state, action)
    return _position_facts(state)


def refuse_facts(given: Input) -> Facts:
    """The first refused action, the verdict's word, and whether it left the state alone."""
    state = _state(given)
    for at, action in enumerate(given["actions"]):
        if action not in GAME.legal_actions(state):
            words = GAME.refusal(state, action)
            before = replace(state)
            with pytest.raises(IllegalActionError) as refused:
                GAME.play(state, action)
            assert (str(refused.value), state) == (words, before)
            return {"error": words.split(":")[0], "at": at}
        state = GAME.play(state, action)
    return {"error": None, "at": None}


def same_position_facts(given: Input) -> Facts:
    shared = {key: value for key, value in given.items() if key not in ("a", "b")}
    one, other = (_state({**shared, **given[name]}) for name in ("a", "b"))
    same = (one.positions, one.trumps) == (other.positions, other.trumps)
    return {"same": same}


def is_symmetric(given: Input) -> bool:
    """Whether exchanging the seats, and every card with its mirror, commutes with the rules."""
    plan = _plan(given)
    state = _state(given)
    if "leader" not in given and "actions" not in given and "code" not in given:
        return state.hands[1] == _mirrored(state.hands[0], plan)
    other = _mirror_image(state, plan)
    for action in given.get("actions", ()):
        state = GAME.play(state, action)
        other = GAME.play(other, _mirrored_action(action, plan))
        if _position_facts(other) != _position_facts(_mirror_image(state, plan)):
            return False
    return _position_facts(other) == _position_facts(_mirror_image(state, plan))


KINDS: Final[dict[str, Callable[[Input], Facts | bool]]] = {
    "pack": pack_facts,
    "mirror": mirror_facts,
    "deal": deal_facts,
    "deal_check": deal_check_facts,
    "beats": beats_facts,
    "legal": legal_facts,
    "play": play_facts,
    "refuse": refuse_facts,
    "same_position": same_position_facts,
    "symmetry": is_symmetric,
}


def _number(written: int | str) -> int:
    return int(written, 0) if isinstance(written, str) else written


def _plan(given: Input) -> Plan:
    """The suits of a case, by seat; where only the trumps are named, the plain suits are the rest."""
    plan = given.get("plan") or {}
    trump = plan.get("trump") or given.get("trumps") or _suits(PLAN.trump)
    rest = [suit for suit in SUITS if suit not in trump]
    plain = plan.get("plain") or (_suits(PLAN.plain) if trump == _suits(PLAN.trump) else rest)
    return Plan(trump=_pair(map(SUITS.index, trump)), plain=_pair(map(SUITS.index, plain)))


def _suits(numbers: tuple[int, int]) -> list[str]:
    return [SUITS[number] for number in numbers]


def _pair(pair: Iterable[int]) -> tuple[int, int]:
    first, second = pair
    return first, second


def _seen_from(dealer: int, plan: Plan) -> Plan:
    """The plan with the dealer's suits first, as the functions of the deal want it."""
    return plan if dealer == 0 else Plan(trump=plan.trump[::-1], plain=plan.plain[::-1])


def _kept(given: Input, plan: Plan) -> set[int]:
    """The dealer's own cards that he keeps, from the code or from the cards turned up."""
    own = own_cards(given["cards"], plan)
    if "code" in given:
        code = _number(given["code"])
        assert 0 <= code < 1 << len(own)
        return {card for bit, card in enumerate(own) if code >> bit & 1}
    turned_up = {NUMBERS[name] for name in given.get("drawn", given.get("kept"))}
    return turned_up & set(own)


def _code_of(kept: set[int], cards: int, plan: Plan) -> int:
    return sum(1 << bit for bit, card in enumerate(own_cards(cards, plan)) if card in kept)


def _starts(deal: Deal, cards: int) -> bool:
    try:
        GAME.start(deal, 2, Options(cards=cards))
    except DealError:
        return False
    return True


def _hands(hands: tuple[int, int]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(names_in(hand)) for hand in hands)


def _state(given: Input) -> State:
    """The position of a case: it need not be a whole pack, nor have come about in a game."""
    hands = _dealt(given)
    pile = tuple(NUMBERS[name] for name in given.get("pile") or ())
    led = given.get("led")
    state = State(
        options=_options(given, hands, pile),
        trumps=_plan(given).trump,
        leader=given.get("leader", given.get("dealer", 0)),
        hands=hands,
        pile=pile,
        led=None if led is None else NUMBERS[led],
        plies=given.get("plies") or 0,
    )
    seen = given.get("seen") or 1
    position = (*_hands_at_lead(state), state.leader)
    if state.led is not None:
        return replace(state, positions=_noted([position] * seen), occurrences=seen)
    return at_lead(replace(state, positions=_noted([position] * (seen - 1))))


def _noted(positions: Iterable[Position]) -> Positions:
    return reduce(noted, positions, NO_POSITIONS)


def _dealt(given: Input) -> tuple[int, int]:
    if "hands" in given:
        return _pair(hand_from(hand) for hand in given["hands"])
    dealer = given.get("dealer", 0)
    plan = _seen_from(dealer, _plan(given))
    hands = hands_from(_kept(given, plan), given["cards"], plan)
    return hands if dealer == 0 else hands[::-1]


def _hands_at_lead(state: State) -> tuple[int, int]:
    """The hands when the card on top of the pile was not yet led."""
    led = 0 if state.led is None else 1 << state.led
    return _pair(
        hand | (led if seat == state.leader else 0)
        for seat, hand in zip(BY_SEAT, state.hands, strict=True)
    )


def _options(given: Input, hands: tuple[int, int], pile: tuple[int, ...]) -> Options:
    """The options of a case; the pack is the smallest that has all its cards."""
    there = hands[0] | hands[1] | sum(1 << card for card in pile)
    smallest = next(cards for cards in PACKS if not there & ~pack(cards))
    named = {key: given[key] for key in OPTIONS if given.get(key) is not None}
    return Options(**{"cards": smallest, **named})


def _position_facts(state: State) -> Facts:
    seat = GAME.turn(state)
    legal = GAME.legal_actions(state)
    outcome = GAME.outcome(state) if state.over else None
    drawn = outcome is None or outcome.places == (1, 1)
    view = GAME.view(state, None)
    return {
        "hands": _hands(state.hands),
        "pile": tuple(NAMES[card] for card in state.pile),
        "led": None if state.led is None else NAMES[state.led],
        "leader": state.leader,
        "turn": seat,
        "phase": None if state.over else view.phase,
        "play": frozenset(action.removeprefix("play ") for action in legal if action != TAKE),
        "take": TAKE in legal,
        "actions": frozenset(legal),
        "legal": frozenset(legal),
        "over": state.over,
        "winner": None if outcome is None or drawn else outcome.places.index(1),
        "scores": None if outcome is None else outcome.scores,
        "places": None if outcome is None else outcome.places,
        "plies": state.plies,
        "position_count": view.position_count,
    }


def _mirrored(hand: int, plan: Plan) -> int:
    return sum(1 << mirror(card, plan) for card in cards_in(hand))


def _mirrored_action(action: str, plan: Plan) -> str:
    if action == TAKE:
        return TAKE
    return f"play {NAMES[mirror(NUMBERS[action.removeprefix('play ')], plan)]}"


def _mirror_image(state: State, plan: Plan) -> State:
    """The position seen from the other side of the table: own trump becomes own trump.

    The trumps stay, because the seats are exchanged together with the suits.
    """
    return replace(
        state,
        leader=1 - state.leader,
        hands=_pair(_mirrored(hand, plan) for hand in reversed(state.hands)),
        pile=tuple(mirror(card, plan) for card in state.pile),
        led=None if state.led is None else mirror(state.led, plan),
        positions=_noted(
            (_mirrored(second, plan), _mirrored(first, plan), 1 - leader)
            for alike in state.positions
            for first, second, leader in alike
        ),
    )
