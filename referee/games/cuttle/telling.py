"""What happened, and how it is told: facts with who may see them, words for people, refusals."""

from collections.abc import Iterator
from typing import Final

from protocol.messages import Discarded, Drew, Event, Fact, Moved, Revealed, Took
from referee.cards import bits_of
from referee.game import Happening
from referee.games.cuttle.cards import (
    EIGHT,
    FIVE,
    JACK,
    NAMES,
    NINE,
    QUEEN,
    SEVEN,
    Move,
    names_in,
    names_of,
    parse,
    rank_of,
)
from referee.games.cuttle.effects import stepped
from referee.games.cuttle.state import Pending, State, holder, sees

_COURT: Final[dict[int, str]] = {JACK: "jack", QUEEN: "queen", QUEEN + 1: "king"}
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


def happenings(before: State, action: str, after: State) -> Iterator[Happening]:
    """The decision, then what came of it: turned up, discarded, taken, drawn."""
    seat, move = before.to_move, parse(action)
    assert move
    yield Happening(Moved(seat, action))
    resolved = _resolved(before, move)
    if resolved is not None and rank_of(resolved.card) == SEVEN:
        count = min(before.options.seven_reveal, len(before.deck))
        yield Happening(Revealed(names_of(before.deck[:count])))
    for loser, cards in _discards(before, move, after):
        yield Happening(Discarded(loser, cards))
    if move.verb == "take":
        yield Happening(Took(seat, names_of(move.cards)))
    if resolved is not None and rank_of(resolved.card) == NINE:
        assert resolved.target is not None
        yield Happening(Took(holder(before, resolved.target), (NAMES[resolved.target],)))
    yield from _draws(before, _drawn(before, move, after))


def _resolved(before: State, move: Move) -> Pending | None:
    """The one-off that takes effect by this decline."""
    if move.verb != "decline" or before.pending is None:
        return None
    return None if len(before.pending.counters) % 2 else before.pending


def _discards(before: State, move: Move, after: State) -> Iterator[tuple[int, tuple[str, ...]]]:
    """By seat, the cards that a rule sent to the scrap; those that the action names went by it."""
    if after.scrap == before.scrap:
        return
    own = move.cards[:1] if move.verb != "discard" else move.cards
    were = bits_of([*before.scrap, *own])
    gone = [card for card in after.scrap if not were >> card & 1]
    for seat in (0, 1):
        cards = [card for card in gone if holder(before, card) == seat]
        if cards:
            yield seat, names_of(cards)


def _drawn(before: State, move: Move, after: State) -> int:
    """How many cards the turn player has drawn, in his turn or by a five."""
    resolved = _resolved(before, move)
    by_five = before.phase == "five" or (resolved is not None and rank_of(resolved.card) == FIVE)
    return len(before.deck) - len(after.deck) if by_five or move.verb == "draw" else 0


def _draws(before: State, count: int) -> Iterator[Happening]:
    if not count:
        return
    seat = before.turn_player
    cards = names_in(bits_of(before.deck[:count]))  # the order is nobody's business
    if count <= before.known_top:
        yield Happening(Drew(seat=seat, count=count, cards=cards))
        return
    informed = {seat, 1 - seat} if sees(before, 1 - seat) else {seat}
    yield Happening(Drew(seat=seat, count=count, cards=cards), frozenset(informed))
    if len(informed) == 1:
        yield Happening(Drew(seat=seat, count=count), frozenset({1 - seat}))


def describe(before: State, event: Event) -> str:
    """The event in words, without its subject."""
    if isinstance(event, Moved):
        move = parse(event.action)
        return _words(before, move) + _ending(before, move) if move else f"says {event.action!r}"
    return _fact_words(before, event)


def _fact_words(before: State, event: Fact) -> str:
    match event:
        case Revealed(cards=cards):
            return f"{_listed(cards)} {'is' if len(cards) == 1 else 'are'} turned up"
        case Discarded(seat=seat, cards=cards):
            return f"{_who(before, seat)}loses {_listed(cards)}"
        case Took(seat=seat, cards=cards) if before.phase != "three":
            return f"{_who(before, seat)}gets {_listed(cards)} back"
        case Drew(cards=list() | tuple() as cards):  # the decision has said who draws how many
            return f"{'it is' if len(cards) == 1 else 'they are'} {_listed(cards)}"
        case _:
            return ""


def _who(before: State, seat: int) -> str:
    return "" if seat == before.to_move else f"seat {seat} "


def _words(before: State, move: Move) -> str:
    names = [NAMES[card] for card in move.cards]
    match move.verb, names:
        case "draw", _:
            return "draws a card"
        case "pass", _:
            return "passes"
        case "points", [card]:
            return f"plays {card} for points"
        case "scuttle", [card, target]:
            return f"scuttles {target} with {card}"
        case "permanent", [card]:
            return f"plays {card}" + (" as glasses" if rank_of(move.cards[0]) == EIGHT else "")
        case "jack", [card, target]:
            return f"plays {card} on {target}"
        case "oneoff", [card, *target]:
            aim = f" on {_spoken(move.cards[1])}" if target else ""
            return f"plays {card} as a one-off{aim}"
        case _:
            return _answer_words(before, move, names)


def _answer_words(before: State, move: Move, names: list[str]) -> str:
    match move.verb:
        case "counter":
            return f"counters {_against(before)} with {names[0]}"
        case "take":
            return f"takes {names[0]} from the scrap"
        case "discard":
            count = _drawn(before, move, stepped(before, move))
            return f"discards {_listed(names)}" + (f" and draws {_counted(count)}" if count else "")
        case _:
            return f"does not counter {_against(before)}{_decided(before, move)}"


def _against(before: State) -> str:
    """The card that is to be countered now: the last two, or the one-off itself."""
    assert before.pending
    return NAMES[(before.pending.card, *before.pending.counters)[-1]]


def _decided(before: State, move: Move) -> str:
    """What comes of the one-off when the window closes, as far as no fact tells it."""
    assert before.pending
    card, twos = NAMES[before.pending.card], len(before.pending.counters)
    if twos % 2:
        return f", so {card} does nothing"
    effect = f", so {card} takes effect" if twos else ""
    count = _drawn(before, move, stepped(before, move))
    return effect + (f", and seat {before.turn_player} draws {_counted(count)}" if count else "")


def _counted(cards: int) -> str:
    return "a card" if cards == 1 else f"{cards} cards"


def _ending(before: State, move: Move) -> str:
    winner = stepped(before, move).winner
    if winner is None:
        return ""
    return " and wins" if winner == before.to_move else f", and seat {winner} wins"


def _spoken(card: int) -> str:
    court = _COURT.get(rank_of(card))
    return f"the {court} of {_SUITS[card & 3]}" if court else NAMES[card]


def _listed(cards: object) -> str:
    assert isinstance(cards, list | tuple)
    *most, last = cards
    return f"{', '.join(most)} and {last}" if most else str(last)


def is_interesting(before: State, action: str) -> bool:
    """One-offs, counters, scuttles, jacks, and what ends the game."""
    move = parse(action)
    assert move
    return move.verb in ("oneoff", "counter", "scuttle", "jack") or bool(stepped(before, move).over)


# What each phase wants to hear.
_WANTED: Final[dict[str, tuple[str, ...]]] = {
    "main": ("draw", "pass", "points", "scuttle", "permanent", "jack", "oneoff"),
    "counter": ("decline", "counter"),
    "three": ("take",),
    "four": ("discard",),
    "five": ("discard",),
    "seven": ("points", "scuttle", "permanent", "jack", "oneoff", "discard"),
    "limit": ("discard",),
}
_CANNOT: Final[dict[str, str]] = {
    "draw": "cannot_draw: the draw pile is empty, or your hand is at its limit",
    "pass": "cannot_pass: one may pass only when there is nothing to draw",
    "points": "bad_use: only A to T are played for points",
    "scuttle": "bad_target: a scuttle takes A to T, and a lower point card that the opponent controls",
    "permanent": "bad_use: only 8, Q and K are laid as permanents",
    "jack": "bad_target: a jack goes on a point card that the opponent controls, if he has no queen",
    "oneoff": "bad_one_off: the card has no such one-off, nothing to act on, or no such legal target",
    "counter": "barred: only a two counters, and none a card of a player with a queen",
    "take": "not_in_scrap: a three takes another card that lies in the scrap",
    "discard": "bad_discard: name as many different cards as are asked for, in order A to K, C D H S",
}


def refusal(state: State, action: str) -> str:
    """Why an action is not legal, said from what its seat knows."""
    if state.phase == "over":
        return "game_over: the game has ended"
    move = parse(action)
    if move is None:
        return f"bad_action: {action!r} is no verb of Cuttle with the cards it wants"
    if move.verb not in _WANTED[state.phase]:
        return f"wrong_phase: now it is {' or '.join(_WANTED[state.phase])}"
    return _source_trouble(state, move) or _CANNOT[move.verb]


def _source_trouble(state: State, move: Move) -> str:
    """What is wrong with where the played cards come from; empty: nothing."""
    if move.verb in ("draw", "pass", "decline", "take"):
        return ""
    cards = bits_of(move.cards if move.verb == "discard" else move.cards[:1])
    if state.phase == "seven":
        turned_up = _listed(names_of(state.revealed))
        return f"not_revealed: play {turned_up}" if cards & ~bits_of(state.revealed) else ""
    if missing := cards & ~state.hands[state.to_move]:
        return f"not_in_hand: seat {state.to_move} does not hold {_listed(names_in(missing))}"
    if state.phase == "main" and cards & state.frozen[state.to_move]:
        return f"frozen: {_listed(names_in(cards))} came back by a nine and rests this turn"
    return ""
