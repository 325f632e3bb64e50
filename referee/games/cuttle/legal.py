"""What may be done, phase by phase, in canonical order. The one place that decides legality."""

from collections.abc import Callable
from itertools import combinations
from typing import Final

from referee.cards import bits_of
from referee.games.cuttle.cards import (
    ACE,
    COUNTER,
    FIVE,
    FOUR,
    JACK,
    JACK_ON,
    JACKS,
    NINE,
    ONE_OFF,
    ONE_OFF_AT,
    ONE_OFFS,
    PERMANENT,
    PERMANENTS,
    POINTS,
    SCUTTLE,
    SEVEN,
    SINKS,
    SIX,
    TAKE,
    THREE,
    THREES,
    TWO,
    TWOS,
    cards_in,
    rank_of,
    words,
)
from referee.games.cuttle.state import (
    Phase,
    State,
    pile_left,
    point_cards,
    queens,
    top_jacks,
)

_FIRST_JACK: Final = 4 * JACK  # all cards below it are number cards


def legal_actions(state: State) -> tuple[str, ...]:
    """All legal actions of the seat to move.

    Whoever asks for the list is likely to play next, which needs it again: the state keeps it.
    """
    kept: tuple[str, ...] | None = state.__dict__.get("legal")
    if kept is None:
        kept = state.__dict__["legal"] = tuple(_BY_PHASE[state.phase](state))
    return kept


def plays(state: State, playable: int) -> list[str]:
    """All ways for the turn player to play one of these cards.

    The same for a card from hand and for one turned up by a seven: there is no other list.
    """
    cards, theirs = cards_in(playable), _their_point_cards(state)
    numbers = [card for card in cards if card < _FIRST_JACK]
    legal = [POINTS[card] for card in numbers]
    # Hands are small: most lists have no use for most of these.
    if theirs:
        legal += _scuttles(state, numbers, theirs)
    if playable & PERMANENTS:
        legal += [PERMANENT[card] for card in cards if PERMANENTS >> card & 1]
    if theirs and playable & JACKS:
        legal += _jacks(state, cards, theirs)
    if playable & ONE_OFFS:
        legal += _one_offs(state, numbers)
    return legal


def _their_point_cards(state: State) -> list[int]:
    """The point cards that the opponent controls, in canonical order."""
    mine = state.turn_player
    return sorted([stack.card for stack in state.stacks if stack.controller != mine])


def two_targets(state: State) -> int:
    """Any card in play that is no point card, a jack only if it is the topmost."""
    mine, options = state.turn_player, state.options
    targets = _exposed(state, 0, shielded=True)
    if options.two_scope == "any":
        targets |= state.layouts[mine] | top_jacks(state, mine) | state.glasses[mine]
    return targets


def nine_targets(state: State) -> int:
    """The opponent's layout and topmost jacks, and any eight."""
    mine, options = state.turn_player, state.options
    more = point_cards(state, 1 - mine) if options.nine_points else 0
    targets = _exposed(state, more, shielded=options.queen_blocks_nine)
    return targets | (state.glasses[mine] if options.nine_scope == "any" else 0)


def may_counter(state: State) -> bool:
    """A queen protects her player's one-offs and twos from being countered."""
    return not (state.options.queen_blocks_counter and queens(state, 1 - state.to_move))


def may_draw(state: State) -> bool:
    """While the pile lasts, and not at the limit where that forbids drawing."""
    return bool(state.deck) and room(state) > 0


def room(state: State) -> int:
    """How many cards the turn player may still draw."""
    options = state.options
    if not options.hand_limit or options.limit_mode != "no_draw":
        return len(state.deck)
    return max(0, options.hand_limit - state.hands[state.turn_player].bit_count())


def fetchable(state: State) -> int:
    """What a three may take from the scrap: not itself, and threes only if the option says so."""
    scrap = bits_of(state.scrap) & ~(1 << state.pending.card if state.pending else 0)
    return scrap if state.options.three_for_three else scrap & ~THREES


def _exposed(state: State, more: int, *, shielded: bool) -> int:
    """The opponent's cards that may be targeted: with one queen only she, with more none."""
    theirs = 1 - state.turn_player
    shielding = queens(state, theirs) if shielded else 0
    eights = state.glasses[theirs]
    protected = eights if state.options.queen_protects_glasses else 0
    if shielding:
        return eights & ~protected | (shielding if shielding.bit_count() == 1 else 0)
    return eights | state.layouts[theirs] | top_jacks(state, theirs) | more


def _scuttles(state: State, numbers: list[int], theirs: list[int]) -> list[str]:
    sinks = SINKS[state.options.suit_order]
    return [
        SCUTTLE[card][target] for card in numbers for target in theirs if sinks[card] >> target & 1
    ]


def _jacks(state: State, cards: tuple[int, ...], theirs: list[int]) -> list[str]:
    if queens(state, 1 - state.turn_player):
        return []
    return [JACK_ON[card][target] for card in cards if JACKS >> card & 1 for target in theirs]


def _one_offs(state: State, numbers: list[int]) -> list[str]:
    legal: list[str] = []
    for card in numbers:
        rank = rank_of(card)
        if rank in _TARGETS:
            aimed = ONE_OFF_AT[card]
            legal += [aimed[target] for target in cards_in(_TARGETS[rank](state))]
        elif rank in _MAY_ANNOUNCE and _MAY_ANNOUNCE[rank](state):
            legal.append(ONE_OFF[card])
    return legal


def _always(state: State) -> bool:
    return True


def _scrap_holds_a_card(state: State) -> bool:
    """Pending is here at most the seven that turned the three up: that one may be fetched."""
    if state.options.three_for_three:
        return bool(state.scrap)
    return any(not THREES >> card & 1 for card in state.scrap)


def _opponent_holds_a_card(state: State) -> bool:
    return state.hands[1 - state.turn_player] != 0


def _pile_holds_a_card(state: State) -> bool:
    return pile_left(state) > 0


# Judged when the one-off is announced, and never again.
_MAY_ANNOUNCE: Final[dict[int, Callable[[State], bool]]] = {
    ACE: _always,
    THREE: _scrap_holds_a_card,
    FOUR: _opponent_holds_a_card,
    FIVE: _pile_holds_a_card,
    SIX: _always,
    SEVEN: _pile_holds_a_card,
}
_TARGETS: Final[dict[int, Callable[[State], int]]] = {TWO: two_targets, NINE: nine_targets}


def _main(state: State) -> list[str]:
    seat = state.turn_player
    played = plays(state, state.hands[seat] & ~state.frozen[seat])
    if may_draw(state):
        return ["draw", *played]
    # At the limit without drawing, a hand of jacks may leave nothing else.
    return ["pass", *played] if not state.deck or not played else played


def _counter(state: State) -> list[str]:
    twos = state.hands[state.to_move] & TWOS if may_counter(state) else 0
    return ["decline", *[COUNTER[card] for card in cards_in(twos)]]


def _three(state: State) -> list[str]:
    return [TAKE[card] for card in cards_in(fetchable(state))]


def _discards(state: State, count: int) -> list[str]:
    """All ways to discard so many cards, or the whole hand if it is smaller."""
    hand = list(cards_in(state.hands[state.to_move]))
    return [words("discard", cards) for cards in combinations(hand, min(count, len(hand)))]


def _four(state: State) -> list[str]:
    return _discards(state, 2)


def _five(state: State) -> list[str]:
    return _discards(state, state.options.five[0])


def _limit(state: State) -> list[str]:
    return _discards(state, state.hands[state.to_move].bit_count() - state.options.hand_limit)


def _seven(state: State) -> list[str]:
    """Two jacks that cannot be played: one of them is discarded."""
    return plays(state, bits_of(state.revealed)) or [
        words("discard", [card]) for card in sorted(state.revealed)
    ]


def _over(state: State) -> list[str]:
    return []


_BY_PHASE: Final[dict[Phase, Callable[[State], list[str]]]] = {
    "main": _main,
    "counter": _counter,
    "three": _three,
    "four": _four,
    "five": _five,
    "seven": _seven,
    "limit": _limit,
    "over": _over,
}
