"""Wizard beside its rule cases: options, deals, views, events, words, and what can be guessed."""

from collections import Counter
from itertools import accumulate, permutations
from operator import and_
from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol.messages import Event, Moved, RoundBegan, Scored, TrickWon, TrumpSet
from referee.cards import NAMES, SUIT_BITS, SUITS, hand_from, names_in
from referee.game import DealError, Outcome
from referee.games.wizard import Deal, DealtRound, Options, State, View, Wizard
from referee.games.wizard.dealing import placed
from tests.laws.strategies import MATERIAL, lots, play_at_random

GAME: Final = Wizard()
TWO: Final = Options(rounds=(1, 2))
# Round 1: hearts are trump. Round 2: seat 1 deals, turns a wizard up and names the trump.
DEAL: Final = Deal(
    (
        DealtRound((("AC",), ("N1",), ("2H",)), "7H"),
        DealtRound((("2C", "W2"), ("KC", "3D"), ("5C", "N4")), "W1"),
    )
)
ACTIONS: Final = [
    *("bid 0", "bid 1", "bid 1", "play N1", "play 2H", "play AC"),
    *("trump D", "bid 1", "bid 1", "bid 2"),
    *("play 5C", "play 2C", "play KC", "play 3D", "play N4", "play W2"),
]


def steps(actions: list[str] = ACTIONS) -> list[tuple[State, str, State]]:
    state, taken = GAME.start(DEAL, 3, TWO), []
    for action in actions:
        after = GAME.play(state, action)
        taken.append((state, action, after))
        state = after
    return taken


@pytest.mark.parametrize(
    ("said", "stored"),
    [("all", "all"), ("quick", "quick"), ("3", (3,)), ("1,3,5", (1, 3, 5)), ("2, 2", (2, 2))],
)
def test_the_command_line_writes_rounds_with_commas_and_the_log_has_the_list(said, stored):
    options = msgspec.convert({"rounds": said, "bid_rule": "hook"}, Options, strict=False)
    assert options == Options(rounds=stored, bid_rule="hook")
    assert options.rounds == stored
    assert msgspec.json.decode(msgspec.json.encode(options), type=Options) == options


def test_a_log_writes_rounds_as_an_array():
    assert msgspec.json.decode(b'{"rounds":[1,3]}', type=Options) == Options(rounds="1,3")
    assert msgspec.json.encode(Options(rounds="1,3")) == b'{"bid_rule":"free","rounds":[1,3]}'


@pytest.mark.parametrize("wrong", ["", "some", "1,,2", "1.5", "-1", "0", "21", "1;2", [], [3, 21]])
def test_rounds_that_are_none_are_refused_with_what_they_may_be(wrong):
    expected = (
        r"^rounds is all, quick, or a list of round sizes like 1,3,5, each from 1 to 20, not "
    )
    with pytest.raises(msgspec.ValidationError, match=expected):
        msgspec.convert({"rounds": wrong}, Options, strict=False)


def test_a_round_that_the_pack_is_too_small_for_is_refused_with_the_most_it_can_be():
    options = Options(rounds=(1, 16))
    words = r"^rounds has a round of 16 cards, but 60 cards for 4 players are 15 each at most$"
    with pytest.raises(ValueError, match=words):
        GAME.deal(Random(1), 4, options)
    with pytest.raises(ValueError, match=words):
        GAME.start(DEAL, 4, options)


@pytest.mark.parametrize("seats", [2, 7])
def test_a_table_of_another_size_is_refused(seats):
    with pytest.raises(ValueError, match=rf"^Wizard is for 3 to 6 players, not {seats}$"):
        GAME.deal(Random(1), seats, Options())


@pytest.mark.parametrize(
    ("hands", "upcard", "words"),
    [
        ((("W2", "2C"), ("KC", "3D"), ("5C", "N4")), "W1", "the cards of a hand are not in order"),
        ((("2C", "W2"), ("KC", "3D"), ("5C", "N4")), "2C", "not different cards of the pack"),
        ((("2C", "W2"), ("KC", "3D"), ("5C", "N4")), None, "an upcard must be there unless"),
        ((("2C", "W2"), ("KC", "3D"), ("5C",)), "W1", "there must be 3 hands of 2 cards"),
        ((("2C", "W2"), ("KC", "3D")), "W1", "there must be 3 hands of 2 cards"),
        ((("2C", "W2"), ("KC", "3D"), ("5C", "N5")), "W1", "not different cards of the pack"),
    ],
)
def test_a_deal_that_cannot_be_is_refused_with_its_round(hands, upcard, words):
    deal = Deal((DEAL.rounds[0], DealtRound(hands, upcard)))
    with pytest.raises(DealError, match=rf"^round 2: .*{words}"):
        GAME.start(deal, 3, TWO)


def test_a_deal_of_too_few_rounds_is_refused():
    with pytest.raises(DealError, match=r"^there are 1 rounds, not the 2 to play$"):
        GAME.start(Deal(DEAL.rounds[:1]), 3, TWO)


@pytest.mark.parametrize(("seats", "decisions"), [(3, 690), (4, 540), (5, 450), (6, 390)])
def test_a_whole_game_is_bids_and_cards_and_trumps_named_and_loses_no_card(seats, decisions):
    played = play_at_random(GAME, seats, Options(), Random(seats))
    named = sum(action.startswith("trump") for action in played.actions)
    assert len(played.steps) == decisions + named
    pack = Counter(NAMES)
    assert all(MATERIAL["wizard"].places(state) == pack for state in played.states)


def test_later_rounds_are_dealt_alike_whatever_was_played():
    deal = GAME.deal(Random(5), 4, Options(rounds="quick"))
    hands: list[set[Any]] = [set() for _ in deal.rounds]
    for lot in range(5):
        state, rng = GAME.start(deal, 4, Options(rounds="quick")), Random(lot)
        while state.mover is not None:
            hands[len(deal.rounds) - len(state.ahead) - 1].add(
                (state.round.hands, state.round.dealer)
            )
            state = GAME.play(state, rng.choice(GAME.legal_actions(state)))
    assert [len(seen) for seen in hands] == [1] * len(deal.rounds)


def test_a_view_is_what_is_public_and_the_seat_s_own_hand():
    state = steps()[11][2]  # 5C and 2C are on the table
    view = GAME.view(state, 1)
    assert view == View(
        phase="play",
        round=2,
        rounds=2,
        cards=2,
        dealer=1,
        upcard="W1",
        trump="D",
        hand=("KC", "3D"),
        bids=(1, 2, 1),
        won=(0, 0, 0),
        leader=2,
        trick=((2, "5C"), (0, "2C")),
        played=(),
        scores=(-10, 20, 30),
    )
    assert GAME.view(state, None) == replace(view, hand=msgspec.UNSET)


def test_a_finished_trick_is_in_the_view_of_its_round_only():
    after_five, after_six = steps()[12][2], steps()[5][2]
    assert GAME.view(after_five, 0).played == (((2, "5C"), (0, "2C"), (1, "KC")),)
    assert GAME.view(after_six, 0).played == ()


def test_before_the_trump_is_named_the_view_has_none():
    state = steps()[5][2]
    view = GAME.view(state, 1)
    assert (view.phase, view.upcard, view.trump, GAME.turn(state)) == ("trump", "W1", None, 1)


def test_events_are_the_decision_and_then_what_it_settled():
    facts: dict[int, list[Event]] = {
        0: [],
        5: [
            TrickWon(2),
            Scored((-10, 20, 30)),
            RoundBegan(round=2, cards=2, dealer=1, upcard="W1"),
        ],
        6: [TrumpSet(suit="D")],
        12: [TrickWon(1)],
        15: [TrickWon(0), Scored((30, -10, -10))],
    }
    for number, (before, action, after) in enumerate(steps()):
        events = [happening.event for happening in GAME.happenings(before, action, after)]
        assert before.mover is not None
        assert events == [Moved(before.mover, action), *facts.get(number, [])]


def test_a_round_without_trump_says_so_when_it_begins():
    whole = GAME.deal(Random(3), 6, Options(rounds=(1, 10)))
    state = GAME.start(whole, 6, Options(rounds=(1, 10)))
    state = replace(state, phase="play", mover=5, bids=(0,) * 6, leader=5, hands=(0,) * 5 + (1,))
    before = replace(state, leader=0, trick=((0, "W1"),) * 5, power=100, winner=0)
    after = GAME.play(before, "play 2C")
    *_, began, trump = [h.event for h in GAME.happenings(before, "play 2C", after)]
    assert (began, trump) == (RoundBegan(round=2, cards=10, dealer=1), TrumpSet())


def test_the_naming_of_trump_and_the_last_card_of_a_round_are_interesting():
    interesting = [action for before, action, _ in steps() if GAME.interesting(before, action)]
    assert interesting == ["play AC", "trump D", "play W2"]


def test_the_totals_decide_and_a_forfeit_counts_only_finished_rounds():
    states = [after for _, _, after in steps()]
    assert GAME.outcome(states[-1]) == Outcome((20, 10, 20), (1, 3, 1), "complete")
    assert GAME.forfeit_scores(states[4], [0]) == (0, 0, 0)
    assert GAME.forfeit_scores(states[12], [0, 2]) == (-10, 20, 30)


def test_after_the_end_everything_is_refused():
    assert GAME.refusal(steps()[-1][2], "play 2C") == "game_over: the game has ended"


@given(seats=st.sampled_from(GAME.seats), options=MATERIAL["wizard"].options, lot=lots)
def test_another_truth_has_the_same_history_for_the_seat(seats, options, lot):
    """The whole game so far, replayed on the other truth's deal, looks the same to the seat."""
    rng = Random(lot)
    played = play_at_random(GAME, seats, options, rng)
    moment, seat = rng.randrange(len(played.states)), rng.randrange(seats)
    other = GAME.redeal(played.states[moment], seat, rng)
    state = GAME.start(_deal_with(played.deal, other), seats, options)
    for before, action, after in played.steps[:moment]:
        assert action in GAME.legal_actions(state)
        next_state = GAME.play(state, action)
        assert GAME.view(state, seat) == GAME.view(before, seat)
        assert GAME.happenings(state, action, next_state) == GAME.happenings(before, action, after)
        state = next_state
    assert state == other


def _deal_with(deal: Deal, state: State) -> Deal:
    """The deal with the round at hand and the later ones of this state."""
    other = [
        DealtRound(tuple(map(names_in, r.hands)), None if r.upcard is None else NAMES[r.upcard])
        for r in (state.round, *state.ahead)
    ]
    return Deal((*deal.rounds[: len(deal.rounds) - len(other)], *other))


def test_later_rounds_change_with_the_truth():
    state = GAME.start(GAME.deal(Random(1), 3, Options()), 3, Options())
    other = GAME.redeal(state, 0, Random(2))
    assert len(other.ahead) == 19
    assert all(r.hands[0] != s.hands[0] for r, s in zip(other.ahead, state.ahead, strict=True))


def test_who_did_not_follow_has_no_card_of_the_suit():
    state = GAME.play(steps()[9][2], "play 5C")
    state = replace(state, hands=(hand_from(["3C", "W2"]), *state.hands[1:]))
    view = GAME.view(state, 1)
    shown = replace(view, trick=((2, "5C"), (0, "9S")), cards=6)  # seat 0 has thrown off 9S
    clubs = SUIT_BITS[0]
    hands = [GAME.determinize(shown, 1, 3, TWO, Random(lot)).hands for lot in range(200)]
    assert {hand[0] & clubs for hand in hands} == {0}
    assert len({hand[2] & clubs for hand in hands}) > 20
    assert {hand[0].bit_count() for hand in hands} == {5}


def test_cards_that_only_one_distribution_allows_are_placed():
    clubs, diamonds, hearts, _ = SUIT_BITS
    cards = hand_from(["2C", "3C", "4C", "2D", "3D", "AD"])
    for lot in range(20):
        hands = placed(cards, (3, 3, 0), (clubs | hearts, diamonds, 0), Random(lot))
        assert hands == [cards & diamonds, cards & clubs, 0]


def test_a_place_that_would_leave_another_one_short_is_not_taken():
    """The hearts, barred to most, are placed first: seat 1 may hold them, but seat 0 needs both."""
    clubs, diamonds, hearts, spades = SUIT_BITS
    cards = hand_from(["2C", "3C", "2H", "3H", "2S", "3S"])
    for lot in range(20):
        barred = (clubs | diamonds | spades, 0, hearts, hearts)
        hands = placed(cards, (2, 2, 1, 1), barred, Random(lot))
        assert hands[0] == cards & hearts
        assert [hand.bit_count() for hand in hands] == [2, 2, 1, 1]


def test_a_place_that_was_not_taken_gets_no_more_than_it_needs():
    """Seats 1 and 2 may hold all cards; what seat 1 is refused must not count as wanted twice."""
    clubs, diamonds, hearts, spades = SUIT_BITS
    cards = hand_from(["2C", "3C", "2H", "3H", "2S", "3S"])
    for lot in range(40):
        barred = (clubs | diamonds | spades, 0, 0, hearts)
        hands = placed(cards, (2, 2, 1, 1), barred, Random(lot))
        assert [hand.bit_count() for hand in hands] == [2, 2, 1, 1]


def test_when_all_cards_are_dealt_all_are_in_a_guessed_deal():
    options = Options(rounds=(10,))
    view = GAME.view(GAME.start(GAME.deal(Random(1), 6, options), 6, options), 2)
    for lot in range(5):
        made = GAME.determinize(view, 2, 6, options, Random(lot))
        assert sum(made.hands) == (1 << len(NAMES)) - 1
        assert [hand.bit_count() for hand in made.hands] == [10] * 6


def test_before_a_card_is_played_each_unseen_one_may_be_in_any_other_hand():
    options = Options(rounds=(10,))
    state = GAME.start(GAME.deal(Random(1), 3, options), 3, options)
    upcard = state.round.upcard
    assert upcard is not None
    unseen = (1 << len(NAMES)) - 1 & ~state.hands[0] & ~(1 << upcard)
    view, possible = GAME.view(state, 0), [0, 0, 0]
    for lot in range(100):
        hands = GAME.determinize(view, 0, 3, options, Random(lot)).hands
        possible = [seen | hand for seen, hand in zip(possible, hands, strict=True)]
    assert possible == [state.hands[0], unseen, unseen]


@pytest.mark.parametrize(
    ("needs", "barred"),
    [
        ((2, 1, 2), ("", "", "")),
        ((2, 1, 2), ("C", "", "")),
        ((1, 2, 2), ("C", "C", "")),
        ((2, 1, 2), ("C", "D", "")),
        ((2, 2, 1), ("C", "DH", "")),
    ],
)
def test_all_distributions_that_can_be_are_equally_likely(needs, barred):
    cards = ("2C", "3C", "2D", "3H", "W1")
    bars = [sum(SUIT_BITS[SUITS.index(suit)] for suit in suits) for suits in barred]
    cuts = {_cut(order, needs) for order in permutations(cards)}
    possible = {hands for hands in cuts if not any(map(and_, hands, bars))}
    rng, expected = Random(2), 400
    found = Counter(
        tuple(placed(hand_from(cards), needs, bars, rng)) for _ in range(expected * len(possible))
    )
    assert found.keys() == possible
    assert sum((n - expected) ** 2 / expected for n in found.values()) < 2.5 * len(possible)


def _cut(order: tuple[str, ...], needs: tuple[int, ...]) -> tuple[int, ...]:
    ends = list(accumulate(needs))
    return tuple(hand_from(order[end - n : end]) for n, end in zip(needs, ends, strict=True))


def test_the_largest_round_of_three_players_may_be_listed():
    assert Options(rounds="20").rounds == (20,)
    assert len(GAME.deal(Random(1), 3, Options(rounds=(20,))).rounds[0].hands[0]) == 20


def test_canadian_binds_a_dealer_who_leads_alone_though_two_are_second():
    state = GAME.start(DEAL, 3, Options(rounds=(1, 2), bid_rule="canadian"))
    for action in ("bid 0", "bid 0"):
        state = GAME.play(state, action)
    dealer = state.round.dealer
    for scores, bound in (((30, 10, 10), True), ((30, 30, 10), False), ((10, 30, 10), False)):
        order = tuple(scores[(seat - dealer) % 3] for seat in range(3))
        legal = GAME.legal_actions(replace(state, scores=order))
        assert ("bid 1" not in legal) == bound


def test_a_round_is_counted_for_who_made_the_bid_and_other_events_for_nobody():
    assert GAME.tallied(Scored((20, -10, 30))) == (True, False, True)
    assert GAME.tallied(TrickWon(0)) == ()


def test_a_refused_bid_says_whether_it_is_none_or_the_one_that_the_hook_forbids():
    state = GAME.start(DEAL, 3, replace(TWO, bid_rule="hook"))
    for action in ("bid 0", "bid 0"):
        state = GAME.play(state, action)
    assert GAME.refusal(state, "bid 1").startswith("bad_bid: the bids may not add up to")
    assert GAME.refusal(state, "bid 2").startswith("bad_bid: 'bid 2' is no bid;")
