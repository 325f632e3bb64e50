"""What is said about the game: facts for the bots, words for people."""

from collections.abc import Iterator
from operator import sub
from typing import Final, get_args

from msgspec import UNSET

from protocol.messages import Event, Moved, RoundBegan, Scored, TrickWon, TrumpSet
from referee.cards import NAMES, NUMBERS, SUITS
from referee.games.wizard.moves import BID, CARD_OF
from referee.games.wizard.shapes import Phase, State
from referee.games.wizard.tricks import NO_SUIT, SUIT_OF, joining

_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
VERBS: Final[tuple[str, ...]] = get_args(Phase)


def suit_name(suit: int) -> str | None:
    """`C`, `D`, `H`, `S`, or None."""
    return None if suit == NO_SUIT else SUITS[suit]


def refusal(state: State, action: str) -> str:
    """Why the action is not in the list."""
    if state.mover is None:
        return "game_over: the game has ended"
    verb = action.partition(" ")[0]
    if verb != state.phase and verb in VERBS:
        return f"wrong_phase: now say `{state.phase}`, not `{verb}`"
    if state.phase == "trump":
        return f"bad_suit: {action!r} names no suit; say `trump` and one of C D H S"
    if state.phase == "bid":
        return _bid_refusal(state, action)
    return _card_refusal(state, state.mover, action)


def _bid_refusal(state: State, action: str) -> str:
    cards = state.round.cards
    if action in BID[: cards + 1]:
        rule = state.options.bid_rule
        return f"bad_bid: the bids may not add up to the {cards} tricks (bid-rule = {rule})"
    return f"bad_bid: {action!r} is no bid; say `bid` and a whole number from 0 to {cards}"


def _card_refusal(state: State, seat: int, action: str) -> str:
    card = CARD_OF.get(action)
    if card is None:
        word = action.removeprefix("play ")
        return f"bad_card: {word!r} is no card; say `play` and a card"
    if not state.hands[seat] >> card & 1:
        return f"not_in_hand: seat {seat} does not hold {NAMES[card]}"
    suit = _SUIT_WORDS[state.led]
    return f"must_follow: {suit} were led and seat {seat} has some; {NAMES[card]} is none of them"


def facts(before: State, action: str, after: State) -> Iterator[Event]:
    """What an action settled, in the order of the table."""
    if before.phase == "trump":
        yield TrumpSet(suit=SUITS[after.trump])
    if before.phase != "play" or len(before.trick) + 1 < len(before.hands):
        return
    assert before.mover is not None
    _, power = joining(CARD_OF[action], before.trump, before.led, before.power)
    yield TrickWon(before.mover if power > before.power else before.winner)
    next_round = after.round.number > before.round.number
    if next_round or after.mover is None:
        yield Scored(tuple(map(sub, after.scores, before.scores)))
    if next_round:
        yield from _beginning(after)


def _beginning(state: State) -> Iterator[Event]:
    now, trump = state.round, suit_name(state.trump)
    upcard = UNSET if now.upcard is None else NAMES[now.upcard]
    yield RoundBegan(round=now.number, cards=now.cards, dealer=now.dealer, upcard=upcard)
    if state.phase != "trump":
        yield TrumpSet(suit=trump or UNSET)


def description(before: State, event: Event) -> str:
    """An event in plain words; facts that are nobody's have a subject of their own."""
    match event:
        case Moved(action=action):
            return _decision(before, action)
        case TrickWon(seat=seat):
            return "wins the trick" if seat == before.mover else f"seat {seat} wins the trick"
        case Scored(points=points):
            return f"round {before.round.number} scores {', '.join(f'{p:+}' for p in points)}"
        case RoundBegan(upcard=upcard):
            turned_up = "" if upcard is UNSET else f", {upcard} is turned up"
            return f"round {event.round}: seat {event.dealer} deals {event.cards} each{turned_up}"
        case TrumpSet(suit=suit) if before.phase != "trump":  # else the decision has said it
            return "no trump" if suit is UNSET else f"{_SUIT_WORDS[SUITS.index(suit)]} are trump"
    return ""


def _decision(before: State, action: str) -> str:
    verb, _, word = action.partition(" ")
    if verb == "trump":
        return f"names {_SUIT_WORDS[SUITS.index(word)]} as trump"
    if verb == "bid":
        return f"bids {word}"
    led, suit = before.led, SUIT_OF[NUMBERS[word]]
    if not before.trick:
        return f"leads {word}"
    if NO_SUIT in (led, suit):
        return f"plays {word}"
    if suit == led:
        return f"follows with {word}"
    return f"trumps with {word}" if suit == before.trump else f"discards {word}"
