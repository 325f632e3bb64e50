"""Laws of the lot: deals are fair, never repeated too early, and only the secret decides them."""

from itertools import islice
from random import Random
from statistics import fmean, variance

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import chance
from referee.games import GAMES
from referee.games.svoyi_koziri import Options, SvoyiKoziri
from tests.laws.strategies import MATERIAL, every_game, secrets

SVOYI = SvoyiKoziri()
numbers = st.integers(0, 10**6)
# Of seed 7: the secret's beginning, the salt of game 1, the seed of its seat 0, the first deal codes.
PINNED = ("631e750e42a83282", "2be22038d663b1258f16736a6e71918f", 1479174652, [1224, 2302, 339])


@every_game
@given(data=st.data(), secret=secrets)
def test_the_same_secret_gives_the_same_deals_and_each_of_them_starts_a_game(name, data, secret):
    game, options = GAMES[name], data.draw(MATERIAL[name].options)
    seats = data.draw(st.sampled_from(game.seats))
    first, again = (list(islice(chance.deals(game, seats, options, secret), 5)) for _ in range(2))
    assert first == again
    for deal in first:
        game.start(deal, seats, options)


@every_game
@given(secret=secrets, other=secrets)
def test_another_secret_gives_other_deals(name, secret, other):
    game = GAMES[name]
    options, seats = game.options_type(), game.seats.start
    ours, theirs = (
        list(islice(chance.deals(game, seats, options, key), 4)) for key in (secret, other)
    )
    assert (ours == theirs) == (secret == other)


@given(secret=secrets)
@settings(max_examples=3)  # finding that no deal is left takes thousands of draws
def test_no_deal_of_a_small_pack_comes_twice_before_all_have_come(secret):
    codes = [deal.code for deal in islice(_deals(8, secret), 32)]
    for start in (0, 16):
        assert sorted(codes[start : start + 16]) == list(range(16))


@pytest.mark.parametrize("seed", [0, 5, 18])
def test_no_deal_of_twelve_cards_comes_twice_before_all_have_come(seed):
    codes = [deal.code for deal in islice(_deals(12, chance.secret_from_seed(seed)), 64)]
    assert sorted(codes) == list(range(64))


@given(secret=secrets, game=numbers, seat=st.integers(0, 5))
def test_everything_drawn_for_a_game_has_a_lot_of_its_own(secret, game, seat):
    salts = {chance.salt(secret, game), chance.salt(secret, game + 1)}
    seeds = {
        chance.bot_seed(secret, number, place)
        for number in (game, game + 1)
        for place in (seat, seat + 1)
    }
    assert (len(salts), len(seeds)) == (2, 4)
    assert all(len(bytes.fromhex(salt)) == 16 for salt in salts)
    assert all(0 <= seed < 2**31 for seed in seeds)


@given(secret=secrets, bot=st.text(max_size=20))
def test_a_hash_seed_fits_python_and_belongs_to_the_bot(secret, bot):
    seed = chance.hash_seed(secret, bot)
    assert 0 <= seed < 2**32
    assert seed == chance.hash_seed(secret, bot) != chance.hash_seed(secret, bot + "2")


def test_the_secret_of_a_seed_is_256_bits_and_no_other_seed_s():
    keys = [chance.secret_from_seed(seed) for seed in range(100)]
    assert {len(bytes.fromhex(key)) for key in keys} == {32}
    assert len(set(keys)) == 100


def test_the_lot_never_changes():
    # Published logs are recomputed from their secrets: these values must stay.
    secret = chance.secret_from_seed(7)
    codes = [deal.code for deal in islice(_deals(24, secret), 3)]
    drawn = (secret[:16], chance.salt(secret, 1), chance.bot_seed(secret, 1, 0), codes)
    assert drawn == PINNED


@pytest.mark.parametrize("cards", [8, 24, 32])
def test_the_dealer_keeps_as_many_own_cards_as_half_a_shuffled_pack_has(cards):
    """Hypergeometric, not a coin for each card: about half the variance of coins."""
    rng, half = Random(1), cards // 2
    kept = [SVOYI.deal(rng, 2, Options(cards=cards)).code.bit_count() for _ in range(4000)]
    expected = half / 4 * half / (cards - 1)
    assert fmean(kept) == pytest.approx(half / 2, rel=0.02)
    assert variance(kept) == pytest.approx(expected, rel=0.1)


def test_every_own_card_is_kept_about_every_second_time():
    rng = Random(2)
    codes = [SVOYI.deal(rng, 2, Options(cards=24)).code for _ in range(4000)]
    shares = [fmean(code >> bit & 1 for code in codes) for bit in range(12)]
    assert shares == pytest.approx([0.5] * 12, abs=0.04)


def _deals(cards, secret):
    return chance.deals(SVOYI, 2, Options(cards=cards), secret)
