"""Events: keys and deals that stay as they are, whatever is added later."""

import pytest
from msgspec.structs import replace

from referee import chance
from tests.tournaments.leagues import league_of
from tournaments.errors import EventChangedError, StoreError
from tournaments.event import Event, Schedule, block_secret, in_schedule
from tournaments.league import League, from_json
from tournaments.opening import commitment, open_event, secret_file
from tournaments.shapes import Played
from tournaments.store import writing

R = "builtin:random"
THREE = ("a=" + R, "b=" + R, "c=" + R)
FOUR = ("a=" + R, "b=" + R, "d=" + R, "c=" + R)  # d came later, and stands before c


def event_of(league: League, secret: str = "5e" * 32) -> Event:
    return Event(number=1, id="Cup #1", league=league, secret=secret, layer="posix", program="")


def games_of(league: League) -> dict[str, tuple[bytes, str, list[str]]]:
    """By the key of each block: its deal, its secret, the keys of its games."""
    event = event_of(league)
    schedule = Schedule(event)
    return {
        task.key: (
            bytes(schedule.order(task, deal, {}).deal),
            block_secret(event, task.block),
            schedule.game_keys(task),
        )
        for task, deal in schedule.drawn()
    }


def test_every_game_has_a_key_of_its_own():
    games = games_of(league_of(deals=5))
    assert len(games) == 3 * 5
    keys = [key for _, _, of_block in games.values() for key in of_block]
    assert len(set(keys)) == len(keys) == 2 * 3 * 5


def test_a_bot_that_is_added_changes_nothing_of_what_the_others_play():
    before, after = games_of(league_of(THREE)), games_of(league_of((*THREE, "d=" + R)))
    assert before.items() <= after.items()
    assert len(after) == 6 * 2


def test_more_deals_change_nothing_of_the_first():
    assert games_of(league_of(deals=2)).items() <= games_of(league_of(deals=9)).items()


@pytest.mark.parametrize(
    "changed",
    [
        {"bots": ("a=" + R, "b=" + R, "x=" + R)},
        {"game": "cuttle"},
        {"options": type(league_of().options)(cards=24)},
    ],
)
def test_what_makes_a_game_another_one_makes_another_key(changed):
    before, after = games_of(league_of(THREE)), games_of(league_of(**{"bots": THREE, **changed}))
    common = before.keys() & after.keys()
    assert len(common) == (2 if "bots" in changed else 0)  # a and b still meet


def test_each_table_has_deals_of_its_own_unless_all_share_them():
    own = [deal for _, deal in Schedule(event_of(league_of(deals=3))).drawn()]
    assert own[0] != own[1]
    shared = [deal for _, deal in Schedule(event_of(league_of(deals=3, shared_deals=True))).drawn()]
    assert shared[0] == shared[1] == shared[2] != shared[3]


def test_a_table_is_never_dealt_the_same_twice():
    league = league_of(deals=64)  # there are 64 deals of 12 cards
    deals: dict[tuple[int, ...], list[object]] = {}
    for task, deal in Schedule(event_of(league)).drawn():
        deals.setdefault(task.block.table, []).append(deal)
    assert all(len({str(deal) for deal in dealt}) == 64 for dealt in deals.values())


def test_the_deals_come_from_the_secret():
    ours = [deal for _, deal in Schedule(event_of(league_of())).drawn()]
    theirs = [deal for _, deal in Schedule(event_of(league_of(), "6f" * 32)).drawn()]
    assert ours != theirs


def test_games_get_the_numbers_of_their_blocks_and_unplayable_ones_leave_no_gap():
    schedule = Schedule(event_of(league_of()))
    tasks = list(schedule.tasks())
    game = Played(
        block=99,
        turn=0,
        bots=(0, 1),
        scores=(1, 0),
        places=(1, 2),
        reason="out",
        verdicts=("ok", "ok"),
        faults=({}, {}),
    )
    stored = {tasks[0].key: [game], tasks[3].key: [game]}
    placed = in_schedule(schedule, stored, frozenset({tasks[1].key}))
    assert [played.block for played in placed] == [0, 2]


def test_an_event_begins_with_a_secret_that_only_its_owner_can_read(tmp_path):
    with writing(tmp_path) as store:
        event, words = open_event(store, league_of(seed=None), "posix")
        (row,) = store.events()
    path = secret_file(tmp_path, 1)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == f"{event.secret}\n"
    assert row.commitment == commitment(event.secret)
    assert words == f"event 1 begins; its deals are committed to: {row.commitment}"


def test_a_seed_gives_the_same_event_to_everybody(tmp_path):
    events = []
    for name in "ab":
        with writing(tmp_path / name) as store:
            events.append(open_event(store, league_of(seed=5), "posix")[0])
    assert events[0] == events[1]
    assert events[0].secret == chance.secret_from_seed(5)


def test_an_event_goes_on_with_the_secret_it_began_with(tmp_path):
    with writing(tmp_path) as store:
        first, _ = open_event(store, league_of(seed=None), "posix")
        again, words = open_event(store, league_of(seed=None), "posix")
    assert again == first
    assert words == "event 1 goes on"


def test_a_bot_that_is_added_gets_the_last_number(tmp_path):
    with writing(tmp_path) as store:
        open_event(store, league_of(THREE, anchor=2), "posix")
        event, words = open_event(store, league_of(FOUR, anchor=3), "posix")
        (row,) = store.events()
    assert event.names == ["a", "b", "c", "d"]
    assert event.league.anchor == 2
    assert from_json(row.league) == event.league
    assert words == "event 1 is extended with d"


@pytest.mark.parametrize(
    "changed",
    [{"bots": THREE[:2]}, {"game": "cuttle"}, {"restart": "game"}, {"seed": 8}, {"deals": 1}],
)
def test_a_changed_league_is_refused_and_nothing_is_lost(tmp_path, changed):
    with writing(tmp_path) as store:
        open_event(store, league_of(THREE), "posix")
        before = store.events()
        with pytest.raises(EventChangedError, match="--new-event"):
            open_event(store, league_of(**{"bots": THREE, **changed}), "posix")
        assert store.events() == before
        event, _ = open_event(store, league_of(**{"bots": THREE, **changed}), "posix", is_new=True)
        assert event.number == 2
        assert event.id == "Cup #2"


def test_another_layer_or_program_is_refused(tmp_path, monkeypatch):
    with writing(tmp_path) as store:
        open_event(store, league_of(), "posix")
        with pytest.raises(EventChangedError, match="began under posix, and this would be bwrap"):
            open_event(store, league_of(), "bwrap")
        monkeypatch.setattr("tournaments.opening.PROGRAM", "croupier 99")
        with pytest.raises(EventChangedError, match="began it, this is croupier 99"):
            open_event(store, league_of(), "posix")


@pytest.mark.parametrize("damage", ["gone", "another's"])
def test_without_its_secret_an_event_does_not_go_on(tmp_path, damage):
    with writing(tmp_path) as store:
        open_event(store, league_of(seed=None), "posix")
        path = secret_file(tmp_path, 1)
        path.unlink()
        if damage == "another's":
            path.write_text("0" * 64)
        with pytest.raises(StoreError, match="is missing or not that of event 1"):
            open_event(store, league_of(seed=None), "posix")


def test_keys_change_with_the_program_of_a_bot():
    league = league_of(THREE)
    other = replace(league, bots=(*league.bots[:2], replace(league.bots[2], version="abcd")))
    assert len(games_of(league).keys() & games_of(other).keys()) == 2
