"""What the laws need to know of each game: a new game needs one entry in `MATERIAL`."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.cards import NAMES, names_in
from referee.game import Game, Outcome
from referee.games import GAMES, cuttle, svoyi_koziri, wizard
from referee.games.cuttle.cards import NAMES as CUTTLE_CARDS
from referee.games.cuttle.cards import names_of
from tests.rules.cuttle import places as cuttle_places

every_game = pytest.mark.parametrize("name", GAMES)
secrets = st.binary(min_size=32, max_size=32).map(bytes.hex)
lots = st.integers(0, 2**32 - 1)  # a seed of arbitrary choices
# For laws whose examples take long: there are many of them, and each looks at much.
fewer = settings(max_examples=max(20, settings().max_examples // 4))


class Material(NamedTuple):
    """One game's part of the laws."""

    options: st.SearchStrategy[Any]  # mostly small: a law that fails, fails on a small pack
    pack: Callable[[Any], Counter[str]]  # options -> every card once
    places: Callable[[Any], Counter[str]]  # state -> every card that lies anywhere
    spoil: Callable[[Random, Any, Any], Any]  # lot, deal, options -> a deal the rules cannot make
    near_misses: tuple[str, ...]  # what a confused bot might say
    ranks: Callable[[Outcome], tuple[int, ...]] = lambda outcome: outcome.scores  # more is better


def _svoyi_options() -> st.SearchStrategy[svoyi_koziri.Options]:
    return st.builds(
        svoyi_koziri.Options,
        cards=st.sampled_from([8, 8, 8, 12, 12, 16, 20, 24]),
        take=st.sampled_from(["forced", "free"]),
        after_take=st.sampled_from(["leader", "taker"]),
        repetition=st.sampled_from([0, 2, 3, 4]),
        max_plies=st.none() | st.integers(1, 60),
    )


def _svoyi_pack(options: svoyi_koziri.Options) -> Counter[str]:
    return Counter(names_in(svoyi_koziri.pack(options.cards)))


def _svoyi_places(state: svoyi_koziri.State) -> Counter[str]:
    first, second = map(names_in, state.hands)
    return Counter([*first, *second, *(NAMES[card] for card in state.pile)])


def _svoyi_spoil(
    lot: Random, deal: svoyi_koziri.Deal, options: svoyi_koziri.Options
) -> svoyi_koziri.Deal:
    mine, yours = map(list, deal.hands)
    at, to = lot.randrange(len(mine)), lot.randrange(len(yours))
    match lot.choice(["swap", "order", "code", "code out of range", "short", "no such card"]):
        case "swap":
            mine[at], yours[to] = yours[to], mine[at]
        case "order":
            mine[0], mine[-1] = mine[-1], mine[0]
        case "code":
            return replace(deal, code=deal.code ^ 1 << lot.randrange(options.cards // 2))
        case "code out of range":
            return replace(deal, code=lot.choice([-1, 1 << options.cards // 2, 2**70]))
        case "short":
            del yours[to]
        case _:
            mine[at] = "XX"
    return replace(deal, hands=(tuple(mine), tuple(yours)))


def _wizard_options() -> st.SearchStrategy[wizard.Options]:
    few = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)
    return st.builds(
        wizard.Options,
        bid_rule=st.sampled_from(["free", "hook", "canadian"]),
        # Ten cards are all of the pack for six players; whole games come with other laws.
        rounds=st.one_of(few, few, few, st.sampled_from([(10,), (9, 10), "1, 2,3"])),
    )


def _wizard_pack(options: wizard.Options) -> Counter[str]:
    return Counter(NAMES)


def _wizard_places(state: wizard.State) -> Counter[str]:
    """Hands, trick, tricks taken, upcard, and the rest that was not dealt."""
    dealt = state.round
    upcard = [] if dealt.upcard is None else [NAMES[dealt.upcard]]
    rest = Counter(NAMES) - Counter([*upcard, *(c for hand in dealt.hands for c in names_in(hand))])
    return Counter(
        [
            *(card for hand in state.hands for card in names_in(hand)),
            *(card for trick in (state.trick, *state.played) for _, card in trick),
            *upcard,
            *rest.elements(),
        ]
    )


def _wizard_spoil(lot: Random, deal: wizard.Deal, options: wizard.Options) -> wizard.Deal:
    rounds = list(deal.rounds)
    at = lot.randrange(len(rounds))
    hands, upcard = [list(hand) for hand in rounds[at].hands], rounds[at].upcard
    match lot.choice(["twice", "short", "no such card", "seat", "upcard", "fewer", "more"]):
        case "twice":
            hands[0][0] = hands[1][0]
        case "short":
            del hands[-1][-1]
        case "no such card":
            hands[1][-1] = "XX"
        case "seat":
            hands.append([])
        case "upcard":
            upcard = None if upcard else hands[0][0]
        case "fewer":
            del rounds[at]
            return replace(deal, rounds=tuple(rounds))
        case _:
            return replace(deal, rounds=(*rounds, rounds[at]))
    rounds[at] = wizard.DealtRound(tuple(map(tuple, hands)), upcard)
    return replace(deal, rounds=tuple(rounds))


def cuttle_options() -> st.SearchStrategy[cuttle.Options]:
    goals = [(21, 14, 10, 7, 5), (21, 14, 10, 5, 0), (12, 9, 6, 3, 0), (40, 30, 20, 10, 10)]
    own: dict[str, st.SearchStrategy[Any]] = {
        "suit_order": st.sampled_from(["CDHS", "SHDC"]),
        "two_scope": st.sampled_from(["any", "opponent"]),
        "queen_blocks_counter": st.booleans(),
        "three_for_three": st.booleans(),
        "four_mode": st.sampled_from(["choice", "random"]),
        "five": st.tuples(st.integers(0, 2), st.integers(1, 4)),
        "seven_reveal": st.integers(1, 2),
        "nine_points": st.booleans(),
        "nine_scope": st.sampled_from(["any", "opponent"]),
        "nine_freeze": st.booleans(),
        "queen_blocks_nine": st.booleans(),
        "queen_protects_glasses": st.booleans(),
        "king_goals": st.sampled_from(goals),
        "jack_counterable": st.booleans(),
        "hand_limit": st.sampled_from([0, 4, 6, 8]),
        "limit_mode": st.sampled_from(["discard_down", "no_draw"]),
        "empty_pile_reveals": st.booleans(),
        "stalemate_passes": st.integers(1, 4),
        "max_turns": st.sampled_from([5, 30, 400]),
    }
    rulesets = st.sampled_from(["classic", "cuttle.cards"])
    some: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
        {"ruleset": rulesets}, optional=own
    )
    return some.map(lambda given: cuttle.Options(**given))


def _cuttle_places(state: cuttle.State) -> Counter[str]:
    return Counter(names_of(cuttle_places(state)))


def _cuttle_spoil(lot: Random, deal: cuttle.Deal, options: cuttle.Options) -> cuttle.Deal:
    deck = list(deal.deck)
    match lot.choice(["twice", "short", "no such card", "lot"]):
        case "twice":
            deck[0] = deck[-1]
        case "short":
            deck.pop()
        case "no such card":
            deck[lot.randrange(len(deck))] = "W1"
        case _:
            wrong = lot.choice([-1, 2**53, msgspec.UNSET])
            return replace(deal, lot=wrong if options.four_mode == "random" else 0)
    return replace(deal, deck=tuple(deck))


def _cuttle_ranks(outcome: Outcome) -> tuple[int, ...]:
    """Kings lower the goal: the winner may have fewer points, and a draw may be uneven."""
    if outcome.reason != "points":
        return (0, 0)
    return tuple(2 - place for place in outcome.places)


CUTTLE_SAID: Final = (
    *(
        f"{verb} {card}"
        for verb in ("points", "oneoff", "counter", "take")
        for card in CUTTLE_CARDS
    ),
    *(
        "draw",
        "pass",
        "decline",
        "discard 4C 4C",
        "discard",
        "scuttle KC 4D",
        "jack JC",
        "POINTS 4C",
    ),
)

MATERIAL: Final[dict[str, Material]] = {
    "svoyi-koziri": Material(
        options=_svoyi_options(),
        pack=_svoyi_pack,
        places=_svoyi_places,
        spoil=_svoyi_spoil,
        near_misses=(*(f"play {card}" for card in NAMES), "take", "play", "play 10C", "TAKE"),
    ),
    "wizard": Material(
        options=_wizard_options(),
        pack=_wizard_pack,
        places=_wizard_places,
        spoil=_wizard_spoil,
        near_misses=(
            *(f"play {card}" for card in NAMES),
            *(f"bid {tricks}" for tricks in (*range(-1, 22), "", "1.5", "02")),
            *(f"trump {suit}" for suit in (*"CDHSN", "none", "hearts")),
            "pass",
        ),
    ),
    "cuttle": Material(
        options=cuttle_options(),
        pack=lambda options: Counter(CUTTLE_CARDS),
        places=_cuttle_places,
        spoil=_cuttle_spoil,
        near_misses=CUTTLE_SAID,
        ranks=_cuttle_ranks,
    ),
}


class Played(NamedTuple):
    """A whole game at random: the deal, and every state with the action that was taken in it."""

    game: Game[Any]
    seats: int
    options: Any
    deal: Any
    steps: list[tuple[Any, str, Any]]
    last: Any

    @property
    def actions(self) -> list[str]:
        return [action for _, action, _ in self.steps]

    @property
    def states(self) -> list[Any]:
        return [*(before for before, _, _ in self.steps), self.last]


def play_at_random(game: Game[Any], seats: int, options: Any, lot: Random) -> Played:
    deal = game.deal(lot, seats, options)
    state = game.start(deal, seats, options)
    steps = []
    while game.turn(state) is not None:
        before, action = state, lot.choice(game.legal_actions(state))
        state = game.play(before, action)
        steps.append((before, action, state))
    return Played(game, seats, options, deal, steps, state)


def games(name: str) -> st.SearchStrategy[Played]:
    """Whole games at random."""
    return st.builds(
        play_at_random,
        st.just(GAMES[name]),
        st.sampled_from(GAMES[name].seats),
        MATERIAL[name].options,
        lots.map(Random),
    )


def near_misses(played: Played, lot: Random) -> Iterator[tuple[Any, str]]:
    """For some states, the last among them, an action that is not legal there."""
    for state in (*lot.choices(played.states, k=15), played.last):
        legal = played.game.legal_actions(state)
        wrong = [said for said in MATERIAL[played.game.name].near_misses if said not in legal]
        yield state, lot.choice(wrong)
