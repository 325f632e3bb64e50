"""What an action does: from a state and a legal move to the next state.

A turn: the turn player's action, if it is announced its counter window, its effect with whatever is
to be decided for it, `_finished` (who has won? who holds too much?), and `_turn_over`.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Final, TypeAlias

from msgspec.structs import replace

from referee.cards import bits_of, cards_in
from referee.games.cuttle.cards import (
    ACE,
    EIGHT,
    FIVE,
    FOUR,
    JACK,
    NINE,
    SEVEN,
    SIX,
    THREE,
    TWO,
    Move,
    rank_of,
)
from referee.games.cuttle.legal import plays, room
from referee.games.cuttle.state import (
    Pair,
    Pending,
    Reason,
    Stack,
    State,
    goal,
    holder,
    put,
    scores,
    sees,
)

Ending: TypeAlias = tuple[Reason, int | None]

LOTS: Final = 1 << 53  # what a JSON number holds exactly


def stepped(state: State, move: Move) -> State:
    """The state after a legal move."""
    return settled(_BY_VERB[move.verb](state, move))


def settled(state: State) -> State:
    """The state with what is known about the cards of a hand, and only of those."""
    one, other = state.hands
    seen_one, seen_other = state.seen
    if sees(state, 1):
        seen_one |= one
    if sees(state, 0):
        seen_other |= other
    return replace(
        state,
        known=(state.known[0] & one, state.known[1] & other),
        seen=(seen_one & one, seen_other & other),
        frozen=(state.frozen[0] & one, state.frozen[1] & other),
    )


def drawn_at_random(state: State, hand: int, count: int) -> tuple[tuple[int, ...], int]:
    """So many cards of a hand by the lot of the deal, and the lot of the next draw.

    Only `Random.random` gives the same numbers in every version of Python.
    """
    assert state.lot is not None
    chance, cards = Random(state.lot), list(cards_in(hand))
    drawn = [cards.pop(int(chance.random() * len(cards))) for _ in range(min(count, len(cards)))]
    return tuple(sorted(drawn)), int(chance.random() * LOTS)


def ending(state: State) -> Ending | None:
    """Why the game ends when this turn does, and who has won it."""
    points = scores(state)
    # Both at once cannot arise from play; for a made-up position the turn player comes first.
    for seat in (state.turn_player, 1 - state.turn_player):
        if points[seat] >= goal(state, seat):
            return "points", seat
    if state.passes >= state.options.stalemate_passes:
        return "stalemate", None
    return ("turn_limit", None) if state.turn >= state.options.max_turns else None


def _scrapped(state: State, cards: Iterable[int]) -> State:
    return replace(state, scrap=(*state.scrap, *cards))


def _in_hand(state: State, seat: int, card: int) -> State:
    """The card in a hand, where all know that it is."""
    bit = 1 << card
    return replace(
        state,
        hands=put(state.hands, seat, state.hands[seat] | bit),
        known=put(state.known, seat, state.known[seat] | bit),
    )


def _out_of_hand(state: State, seat: int, cards: Iterable[int]) -> State:
    return replace(state, hands=put(state.hands, seat, state.hands[seat] & ~bits_of(cards)))


def _played(state: State, card: int) -> State:
    """The card has left the turn player's hand, or the pile by way of a seven.

    Of two cards that a seven turned up the other one goes back on top before anything else.
    """
    state = replace(state, passes=0, pending=None)
    if card not in state.revealed:
        return _out_of_hand(state, state.turn_player, [card])
    back = tuple([other for other in state.revealed if other != card])
    known_top = state.known_top + len(back)
    return replace(state, revealed=(), deck=(*back, *state.deck), known_top=known_top)


def _drawn(state: State, count: int) -> State:
    """The turn player has drawn; a card that lay face up before is known in his hand."""
    seat = state.turn_player
    cards, known = bits_of(state.deck[:count]), bits_of(state.deck[: min(count, state.known_top)])
    return replace(
        state,
        deck=state.deck[count:],
        known_top=max(0, state.known_top - count),
        hands=put(state.hands, seat, state.hands[seat] | cards),
        known=put(state.known, seat, state.known[seat] | known),
    )


def _lifted(state: State, card: int) -> State:
    """The card has left the table; jacks that lay on a point card are scrapped."""
    bit = 1 << card
    layouts, glasses = _without(state.layouts, bit), _without(state.glasses, bit)
    stacks, jacks = [], []
    for stack in state.stacks:
        if stack.card == card:
            jacks = [*stack.jacks]
        elif stack.jacks[-1:] == (card,):
            stacks.append(replace(stack, jacks=stack.jacks[:-1]))
        else:
            stacks.append(stack)
    state = replace(state, layouts=layouts, glasses=glasses, stacks=tuple(stacks))
    return _scrapped(state, jacks)


def _without(pair: Pair, bit: int) -> Pair:
    return pair[0] & ~bit, pair[1] & ~bit


def _jacked(state: State, jack: int, target: int) -> State:
    stacks = [
        replace(stack, jacks=(*stack.jacks, jack)) if stack.card == target else stack
        for stack in state.stacks
    ]
    return replace(state, stacks=tuple(stacks))


def _finished(state: State, fresh: int = 0) -> State:
    """The action has done what it does. `fresh` are own cards that it has just frozen."""
    seat, end = state.turn_player, ending(state)
    frozen = put(state.frozen, seat, fresh)
    if _holds_too_much(state) and not (end and end[0] == "points"):
        return replace(state, phase="limit", to_move=seat, pending=None, frozen=frozen)
    return _turn_over(state, end, frozen)


def _holds_too_much(state: State) -> bool:
    """Whether the turn player has to discard at the end of his turn."""
    limit = state.options.hand_limit
    if not limit or state.options.limit_mode != "discard_down":
        return False
    return state.hands[state.turn_player].bit_count() > limit


def _turn_over(state: State, end: Ending | None, frozen: Pair) -> State:
    if end:
        over, winner = end
        return replace(state, phase="over", over=over, winner=winner, pending=None, frozen=frozen)
    seat = 1 - state.turn_player
    return replace(
        state,
        phase="main",
        turn=state.turn + 1,
        turn_player=seat,
        to_move=seat,
        pending=None,
        frozen=frozen,
    )


def _draw(state: State, move: Move) -> State:
    return _finished(_drawn(replace(state, passes=0), 1))


def _pass(state: State, move: Move) -> State:
    return _finished(replace(state, passes=state.passes + 1))


def _points(state: State, move: Move) -> State:
    (card,) = move.cards
    laid = Stack(card, state.turn_player)
    return _finished(replace(_played(state, card), stacks=(*state.stacks, laid)))


def _scuttle(state: State, move: Move) -> State:
    card, target = move.cards
    state = _scrapped(_played(state, card), [card, target])
    return _finished(_lifted(state, target))


def _permanent(state: State, move: Move) -> State:
    (card,) = move.cards
    seat, state = state.turn_player, _played(state, card)
    if rank_of(card) == EIGHT:
        laid = replace(state, glasses=put(state.glasses, seat, state.glasses[seat] | 1 << card))
    else:
        laid = replace(state, layouts=put(state.layouts, seat, state.layouts[seat] | 1 << card))
    return _finished(laid)


def _jack(state: State, move: Move) -> State:
    if state.options.jack_counterable:
        return _one_off(state, move)
    card, target = move.cards
    return _finished(_jacked(_played(state, card), card, target))


def _one_off(state: State, move: Move) -> State:
    """Announced: the card lies in the scrap at once, and the other player may counter."""
    card, *target = move.cards
    seat = state.turn_player
    return replace(
        _scrapped(_played(state, card), [card]),
        phase="counter",
        to_move=1 - seat,
        pending=Pending(card, seat, target[0] if target else None),
    )


def _counter(state: State, move: Move) -> State:
    pending = state.pending
    assert pending
    pending = replace(pending, counters=(*pending.counters, *move.cards))
    state = _scrapped(_out_of_hand(state, state.to_move, move.cards), move.cards)
    return replace(state, pending=pending, to_move=1 - state.to_move)


def _decline(state: State, move: Move) -> State:
    """The window closes: an odd number of twos has cancelled the one-off."""
    pending = state.pending
    assert pending
    if len(pending.counters) % 2:
        return _finished(state)
    return _EFFECTS[rank_of(pending.card)](state, pending)


def _take(state: State, move: Move) -> State:
    (card,) = move.cards
    scrap = tuple([other for other in state.scrap if other != card])
    return _finished(_in_hand(replace(state, scrap=scrap), state.turn_player, card))


def _discard(state: State, move: Move) -> State:
    if state.phase == "seven":
        return _finished(_scrapped(_played(state, move.cards[0]), move.cards))
    state = _scrapped(_out_of_hand(state, state.to_move, move.cards), move.cards)
    if state.phase == "five":
        return _five_drawn(state)
    if state.phase == "limit":  # what this turn has frozen stays so
        return _turn_over(state, ending(state), state.frozen)
    return _finished(state)


def _ace(state: State, pending: Pending) -> State:
    cards = [card for stack in state.stacks for card in stack.cards]
    return _finished(replace(_scrapped(state, cards), stacks=()))


def _two(state: State, pending: Pending) -> State:
    assert pending.target is not None
    return _finished(_scrapped(_lifted(state, pending.target), [pending.target]))


def _three(state: State, pending: Pending) -> State:
    return replace(state, phase="three", to_move=state.turn_player)


def _four(state: State, pending: Pending) -> State:
    """The opponent may have lost his last card in the counter window: then nothing happens."""
    victim = 1 - state.turn_player
    if not state.hands[victim]:
        return _finished(state)
    if state.options.four_mode == "choice":
        return replace(state, phase="four", to_move=victim)
    cards, lot = drawn_at_random(state, state.hands[victim], 2)
    state = _scrapped(_out_of_hand(state, victim, cards), cards)
    return _finished(replace(state, lot=lot))


def _five(state: State, pending: Pending) -> State:
    if state.options.five[0] and state.hands[state.turn_player]:
        return replace(state, phase="five", to_move=state.turn_player)
    return _five_drawn(state)


def _five_drawn(state: State) -> State:
    return _finished(_drawn(state, min(state.options.five[1], len(state.deck), room(state))))


def _six(state: State, pending: Pending) -> State:
    swept = [
        *cards_in(state.layouts[0] | state.layouts[1] | state.glasses[0] | state.glasses[1]),
        *(jack for stack in state.stacks for jack in stack.jacks),
    ]
    bare = tuple([Stack(stack.card, stack.owner) for stack in state.stacks])
    return _finished(replace(_scrapped(state, swept), layouts=(0, 0), glasses=(0, 0), stacks=bare))


def _seven(state: State, pending: Pending) -> State:
    """A single jack that cannot be played is discarded without asking."""
    count = min(state.options.seven_reveal, len(state.deck))
    revealed = state.deck[:count]
    known_top = max(0, state.known_top - count)
    state = replace(state, revealed=revealed, deck=state.deck[count:], known_top=known_top)
    if count == 1 and not plays(state, bits_of(revealed)):
        return _finished(_scrapped(replace(state, revealed=()), revealed))
    return replace(state, phase="seven", to_move=state.turn_player)


def _nine(state: State, pending: Pending) -> State:
    """Back to the hand of who controls it, which is who played it unless it is a stolen point card."""
    target = pending.target
    assert target is not None
    seat = holder(state, target)
    fresh = 1 << target if state.options.nine_freeze else 0
    state = _in_hand(_lifted(state, target), seat, target)
    if seat == state.turn_player:
        return _finished(state, fresh)
    return _finished(replace(state, frozen=put(state.frozen, seat, state.frozen[seat] | fresh)))


def _jack_lands(state: State, pending: Pending) -> State:
    """Only under `jack_counterable`: an announced jack waits in the scrap like any one-off."""
    assert pending.target is not None
    scrap = tuple([card for card in state.scrap if card != pending.card])
    return _finished(_jacked(replace(state, scrap=scrap), pending.card, pending.target))


_EFFECTS: Final[dict[int, Callable[[State, Pending], State]]] = {
    ACE: _ace,
    TWO: _two,
    THREE: _three,
    FOUR: _four,
    FIVE: _five,
    SIX: _six,
    SEVEN: _seven,
    NINE: _nine,
    JACK: _jack_lands,
}
_BY_VERB: Final[dict[str, Callable[[State, Move], State]]] = {
    "draw": _draw,
    "pass": _pass,
    "points": _points,
    "scuttle": _scuttle,
    "permanent": _permanent,
    "jack": _jack,
    "oneoff": _one_off,
    "decline": _decline,
    "counter": _counter,
    "take": _take,
    "discard": _discard,
}
