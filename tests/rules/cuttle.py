"""What a case of Cuttle asks: a position, actions with what they lead to, and the end of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import pytest

from referee.cards import cards_in
from referee.game import IllegalActionError
from referee.games.cuttle import Cuttle, Deal, Options, Stack, State
from referee.games.cuttle.cards import NUMBERS, bits_from, names_in, names_of
from referee.games.cuttle.effects import settled
from referee.games.cuttle.state import Pair, goal, scores, sees

Case: TypeAlias = Mapping[str, Any]

GAME: Final = Cuttle()
BY_SUIT: Final = sorted(NUMBERS.values(), key=lambda card: (card & 3, card >> 2))


def check_case(case: Case) -> None:
    """Plays the case; every fact that it expects on the way must be true."""
    options = Options(ruleset=case["rules"], **case.get("options", {}))
    first = state = position(case["setup"], options)
    why = case.get("why", "")
    _expect(case.get("expect_before", {}), first, first, why)
    for step in case["actions"]:
        if step.get("illegal"):
            refused(state, step["seat"], step["action"])
        else:
            assert GAME.turn(state) == step["seat"], why
            state = GAME.play(state, step["action"])
        _expect(step.get("expect", {}), first, state, why)
    _expect(case["expect"], first, state, why)


def refused(state: State, seat: int, action: str) -> None:
    """An action of a seat that is not to move counts as refused: the match never asks for it."""
    if GAME.turn(state) == seat:
        with pytest.raises(IllegalActionError):
            GAME.play(state, action)


def position(setup: Case, options: Options) -> State:
    """The position of a case; cards that it does not mention lie where `rest` says."""
    lot: dict[str, Any] = {"lot": 7} if options.four_mode == "random" else {}
    if "deal_from" in setup:
        return GAME.start(Deal(tuple(setup["deal_from"]), **lot), 2, options)
    state = State(
        options=options,
        hands=_pair(setup, "hands"),
        deck=_row(setup.get("deck", ())),
        stacks=_stacks(setup.get("points", ((), ()))),
        layouts=_pair(setup, "layouts"),
        glasses=_pair(setup, "glasses"),
        scrap=_row(setup.get("scrap", ())),
        turn_player=setup.get("turn", 0),
        to_move=setup.get("turn", 0),
        passes=setup.get("passes", 0),
        frozen=_pair(setup, "frozen"),
        **lot,
    )
    return settled(_with_the_rest(state, setup.get("rest", "deck")))


def places(state: State) -> list[int]:
    """Every card that lies anywhere, as often as it does."""
    sets = (*state.hands, *state.layouts, *state.glasses)
    on_table = [card for stack in state.stacks for card in stack.cards]
    rows = [*state.deck, *state.scrap, *state.revealed]
    return [*(card for cards in sets for card in cards_in(cards)), *on_table, *rows]


def _with_the_rest(state: State, where: str) -> State:
    there = set(places(state))
    rest = tuple(card for card in BY_SUIT if card not in there)
    row: dict[str, Any] = {where: (*getattr(state, where), *rest)}
    return State(**{name: getattr(state, name) for name in State.__struct_fields__} | row)


def _row(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(NUMBERS[name] for name in names)


def _pair(setup: Case, key: str) -> Pair:
    one, other = setup.get(key, ((), ()))
    return bits_from(one), bits_from(other)


def _stacks(points: Sequence[Sequence[Any]]) -> tuple[Stack, ...]:
    stacks = []
    for seat, side in enumerate(points):
        for shown in side:
            shown = _whole(shown, seat)
            stack = Stack(NUMBERS[shown["card"]], shown["owner"], _row(shown["jacks"]))
            assert stack.controller == seat
            stacks.append(stack)
    return tuple(stacks)


def _whole(shown: Any, seat: int) -> dict[str, Any]:
    """A plain code is an own card without jacks."""
    plain = {"owner": seat, "jacks": []}
    return {**plain, "card": shown} if isinstance(shown, str) else {**plain, **shown}


def _expect(expected: Case, first: State, state: State, why: str) -> None:
    facts = _facts(first, state)
    for key, value in expected.items():
        if key == "deck_top":
            assert list(facts["deck"])[: len(value)] == value, why
        elif key == "legal_includes":
            assert set(value) <= set(facts["legal"]), why
        elif key == "legal_excludes":
            assert not set(value) & set(facts["legal"]), why
        elif key == "points":
            sides = [[_whole(one, seat) for one in side] for seat, side in enumerate(value)]
            assert facts["points"] == [_by_card(side) for side in sides], why
        else:
            assert _shaped(facts[key]) == _shaped(value), why


def _shaped(value: Any) -> Any:
    """Lists of cards compare as sets; a set of sets by seat, its lists so."""
    if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple):
        return [_shaped(part) for part in value]
    if isinstance(value, frozenset | list | tuple) and all(isinstance(v, str) for v in value):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def _facts(first: State, state: State) -> dict[str, Any]:
    over = state.over is not None
    legal = GAME.legal_actions(state)
    scrapped, scrapped_first = set(names_of(state.scrap)), set(names_of(first.scrap))
    view = GAME.view(state, None)
    return {
        "hands": [names_in(hand) for hand in state.hands],
        "points": [
            _by_card([{"card": s.card, "owner": s.owner, "jacks": list(s.jacks)} for s in side])
            for side in view.points
        ],
        "layouts": view.layouts,
        "glasses": view.glasses,
        "deck": names_of(state.deck),
        "deck_size": len(state.deck),
        "scrap_added": frozenset(scrapped - scrapped_first),
        "scrap_removed": frozenset(scrapped_first - scrapped),
        "to_move": GAME.turn(state),
        "turn_player": state.turn_player,
        "phase": state.phase,
        "passes": state.passes,
        "scores": scores(state),
        "goals": (goal(state, 0), goal(state, 1)),
        "winner": "draw" if over and state.winner is None else state.winner,
        "reason": state.over,
        "revealed": view.revealed,
        "sees_opponent_hand": (sees(state, 0), sees(state, 1)),
        "frozen": view.frozen,
        "legal": legal,
        "legal_count": len(legal),
    }


def _by_card(side: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(side, key=lambda stack: str(stack["card"]))
