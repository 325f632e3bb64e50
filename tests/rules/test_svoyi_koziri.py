"""Rules of Svoyi Koziri that a person wrote down from the article, beside the case file."""

import pytest

from referee.cards import NAMES, NUMBERS, hand_from, names_in
from referee.game import DealError
from referee.games.svoyi_koziri import (
    Deal,
    Options,
    Plan,
    SvoyiKoziri,
    deal_from_code,
    deal_from_drawn,
    hands_from,
    own_cards,
)

GAME = SvoyiKoziri()
# "The article's example (24 cards): the dealer keeps KS QS JS JC TC 9C"
KEPT = ["KS", "QS", "JS", "JC", "TC", "9C"]
DEALER = ["KS", "QS", "JS", "JC", "TC", "9C", "AD", "TD", "9D", "AH", "KH", "QH"]
OTHER = ["KD", "QD", "JD", "JH", "TH", "9H", "AC", "KC", "QC", "AS", "TS", "9S"]
ARTICLE = Deal(code=0x1DC, hands=(names_in(hand_from(DEALER)), names_in(hand_from(OTHER))))


def test_the_article_s_example_is_the_deal_of_code_1dc():
    assert deal_from_code(0x1DC, 24) == ARTICLE


def test_the_dealer_s_own_cards_alone_make_the_article_s_deal():
    # The red cards that he turned up go back into the pack.
    turned_up = [*KEPT, "9D", "TD", "JD", "QH", "KH", "AH"]
    assert deal_from_drawn(map(NUMBERS.__getitem__, turned_up), 24) == ARTICLE


def test_own_cards_are_listed_trump_suit_low_to_high_then_plain_suit_low_to_high():
    listed = [NAMES[card] for card in own_cards(24)]
    assert listed == ["9S", "TS", "JS", "QS", "KS", "AS", "9C", "TC", "JC", "QC", "KC", "AC"]


def test_a_game_starts_from_the_article_s_deal_with_the_dealer_leading():
    state = GAME.start(ARTICLE, 2, Options(cards=24))
    assert (GAME.turn(state), names_in(state.hands[0]), names_in(state.hands[1])) == (
        0,
        *ARTICLE.hands,
    )


def test_the_article_s_printed_second_line_is_no_deal():
    # It swaps hearts and diamonds: KH QH TD 9D would exist twice.
    printed = ["KH", "QH", "JH", "JD", "TD", "9D", "AC", "KC", "QC", "AS", "9S", "TS"]
    deal = Deal(code=0x1DC, hands=(ARTICLE.hands[0], names_in(hand_from(printed))))
    with pytest.raises(DealError, match=r"^the hands are not those of code 476$"):
        GAME.start(deal, 2, Options(cards=24))


def test_the_hands_mirror_each_other_in_whatever_suits_the_players_own():
    # "Each player owns two suits and one of them is his trump": here spades with clubs, hearts with diamonds.
    plan = Plan(trump=(3, 2), plain=(0, 1))
    dealer, other = hands_from({NUMBERS["KS"], NUMBERS["AC"]}, 8, plan)
    assert names_in(dealer) == ("AC", "KD", "AH", "KS")
    assert names_in(other) == ("KC", "AD", "KH", "AS")


def test_there_is_one_deal_for_every_code_and_each_is_another():
    deals = {deal_from_code(code, 12) for code in range(1 << 6)}
    assert len(deals) == 64 == GAME.deal_count(Options(cards=12))
    for deal in deals:
        GAME.start(deal, 2, Options(cards=12))
