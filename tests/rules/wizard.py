"""What a case of Wizard asks: for each kind, the facts that follow from its input."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import pytest
from msgspec.structs import replace

from protocol.messages import Scored, TrickWon
from referee.cards import NAMES, NUMBERS, SUITS, hand_from, names_in
from referee.game import IllegalActionError, OptionsError
from referee.games.wizard import Options, Round, State, Wizard
from referee.games.wizard.moves import begun
from referee.games.wizard.shapes import round_sizes
from referee.games.wizard.tricks import NO_SUIT, PACK, places, points, standing

Input: TypeAlias = Mapping[str, Any]
Facts: TypeAlias = dict[str, Any]

GAME: Final = Wizard()


def trick_facts(given: Input) -> Facts:
    cards = [NUMBERS[name] for name in given["cards"]]
    led, _, winner = standing(cards, _suit(given["trump"]))
    return {
        "winner_index": winner,
        "winner_seat": (given["leader"] + winner) % given["players"],
        "led_suit": _name(led),
    }


def legal_facts(given: Input) -> Facts:
    """In hand order, as the page wants the list."""
    cards = [_word(action) for action in GAME.legal_actions(_playing(given))]
    assert cards == sorted(cards, key=NAMES.index)
    return {"legal": frozenset(cards)}


def refuse_facts(given: Input) -> Facts:
    """The verdict's word; a refused action changes nothing."""
    state = {"play": _playing, "bid": _bidding, "trump": _naming}[given["phase"]](given)
    before = repr(state)
    assert given["action"] not in GAME.legal_actions(state)
    with pytest.raises(IllegalActionError) as refused:
        GAME.play(state, given["action"])
    assert repr(state) == before
    return {"error": str(refused.value).partition(":")[0]}


def bids_facts(given: Input) -> Facts:
    legal = [int(_word(action)) for action in GAME.legal_actions(_bidding(given))]
    assert legal == sorted(legal)
    return {"legal": frozenset(legal)}


def score_facts(given: Input) -> Facts:
    return {"points": points(given["bid"], given["won"])}


def trump_facts(given: Input) -> Facts:
    hands = [()] * given["players"]
    if given["upcard"] is None:
        assert given["round"] * given["players"] == PACK
    state = _begun(given["dealer"], given["round"], hands, given["upcard"])
    naming = state.phase == "trump"
    return {"trump": _name(state.trump), "chooser": state.mover if naming else None}


def trump_choice_facts(given: Input) -> Facts:
    return {"legal": frozenset(map(_word, GAME.legal_actions(_naming(given))))}


def rounds_facts(given: Input) -> Facts:
    players = given["players"]
    try:
        sizes = round_sizes(_options(given), players)
    except OptionsError:
        return {"error": "rounds" if players in GAME.seats else "players"}
    return {
        "rounds": len(sizes),
        "sizes": tuple(sizes),
        "cards_in_last_round": sizes[-1],
        "undealt_in_last_round": PACK - players * sizes[-1],
    }


def undealt_facts(given: Input) -> Facts:
    return {"undealt": PACK - given["players"] * given["round"]}


def seats_facts(given: Input) -> Facts:
    """Who does what, seen in a round that is bid and led."""
    players, number = given["players"], given["round"]
    dealer = (given["first_dealer"] + number - 1) % players
    state = _begun(dealer, number, [()] * players, "N1")
    bidders = []
    while state.phase == "bid":
        bidders.append(state.mover)
        state = GAME.play(state, "bid 0")
    return {
        "dealer": dealer,
        "first_bidder": bidders[0],
        "last_bidder": bidders[-1],
        "first_leader": state.mover,
    }


def final_facts(given: Input) -> Facts:
    ranks = places(given["scores"])
    return {
        "winners": frozenset(seat for seat, rank in enumerate(ranks) if rank == 1),
        "ranks": ranks,
    }


def round_facts(given: Input) -> Facts:
    """A whole round played out."""
    state = _begun(given["dealer"], given["round"], given["hands"], given["upcard"])
    if given["named_trump"] is not None:
        assert GAME.turn(state) == given["dealer"]
        state = GAME.play(state, f"trump {given['named_trump']}")
    trump = state.trump
    for seat, bid in given["bids"]:
        assert GAME.turn(state) == seat
        state = GAME.play(state, f"bid {bid}")
    facts: list[Any] = []
    for seat, card in given["plays"]:
        before = state
        assert GAME.turn(before) == seat
        state = GAME.play(before, f"play {card}")
        facts += [h.event for h in GAME.happenings(before, f"play {card}", state)]
    assert GAME.turn(state) is None
    (scored,) = (fact for fact in facts if isinstance(fact, Scored))
    return {
        "trump": _name(trump),
        "trick_winners": tuple(fact.seat for fact in facts if isinstance(fact, TrickWon)),
        "won": state.won,
        "points": scored.points,
        "places": GAME.outcome(state).places,
    }


KINDS: Final[dict[str, Callable[[Input], Facts | bool]]] = {
    "trick": trick_facts,
    "legal": legal_facts,
    "refuse": refuse_facts,
    "bids": bids_facts,
    "score": score_facts,
    "trump": trump_facts,
    "trump_choice": trump_choice_facts,
    "rounds": rounds_facts,
    "undealt": undealt_facts,
    "seats": seats_facts,
    "final": final_facts,
    "round": round_facts,
}


def _word(action: str) -> str:
    return action.partition(" ")[2]


def _suit(name: str | None) -> int:
    return NO_SUIT if name is None else SUITS.index(name)


def _name(suit: int) -> str | None:
    return None if suit == NO_SUIT else SUITS[suit]


def _options(given: Input) -> Options:
    return Options(bid_rule=given.get("rule", "free"), rounds=given.get("option", "all"))


def _begun(
    dealer: int, number: int, hands: Sequence[Sequence[str]], upcard: str | None, **more: Any
) -> State:
    """A round as the case places it: dealer, hands and upcard need not be those of a deal."""
    turned_up = None if upcard is None else NUMBERS[upcard]
    now = Round(number, number, dealer, tuple(map(hand_from, hands)), turned_up)
    scores = tuple(more.get("scores") or (0,) * len(hands))
    return begun(more.get("options") or Options(), number, now, (), scores)


def _playing(given: Input) -> State:
    """Seat 2 of 6 holds the hand; before it, the trick was played from whoever led it."""
    hand, cards = hand_from(given["hand"]), given["trick"]
    leader = (2 - len(cards)) % 6
    led, power, winner = standing([NUMBERS[name] for name in cards], _suit(given["trump"]))
    return replace(
        _begun(0, len(given["hand"]), [(), (), names_in(hand), (), (), ()], "N4"),
        phase="play",
        mover=2,
        trump=_suit(given["trump"]),
        leader=leader,
        trick=tuple(((leader + nth) % 6, name) for nth, name in enumerate(cards)),
        led=led,
        power=power,
        winner=(leader + winner) % 6,
    )


def _bidding(given: Input) -> State:
    players, dealer = given["players"], given.get("dealer", 0)
    upcard = None if given["round"] * players == PACK else "N1"
    more = {"scores": given.get("scores"), "options": _options(given)}
    state = _begun(dealer, given["round"], [()] * players, upcard, **more)
    for bid in given["bids_so_far"]:
        state = GAME.play(state, f"bid {bid}")
    return state


def _naming(given: Input) -> State:
    return _begun(0, 1, [["2C"], ["3C"], ["4C"]], "W1")
