"""The store: all or nothing, never twice, one writer, and a clear word when it cannot be used."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tournaments.errors import StoreError, StoreFullError
from tournaments.shapes import Played
from tournaments.store import (
    ATTEMPTS,
    FILE,
    Store,
    StoredBlock,
    reading,
    writing,
)

BLOCK = StoredBlock(key="b0", log="logs/x.jsonl", sha256="ab", seal="cd", voids=0, seconds=1.5)
WON = Played(
    block=0,
    turn=0,
    bots=(0, 1),
    scores=(1, 0),
    places=(1, 2),
    reason="out",
    verdicts=("ok", "ok"),
    faults=({}, {"illegal": 2}),
    slowest=(1.25, None),
)
LOST = replace(WON, turn=1, bots=(1, 0))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with writing(tmp_path) as store:
        store.add_event(
            1, id_="cup #1", league="{}", layer="posix", program="croupier 1", commitment="ef"
        )
        yield store


def test_what_was_committed_is_read_back_as_it_was(store: Store) -> None:
    store.commit(1, BLOCK, {"g0": WON, "g1": LOST})
    with reading(store.folder) as reader:  # while it is being written
        assert reader.keys(1) == {"b0"}
        assert reader.games(1) == {"b0": [WON, LOST]}
        assert list(reader.blocks(1)) == [BLOCK]
        assert reader.game_keys("b0") == ["g0", "g1"]
        (event,) = reader.events()
    assert (event.number, event.id, event.program) == (1, "cup #1", "croupier 1")


def test_the_first_result_of_a_game_stays_and_a_different_one_is_told(store: Store) -> None:
    assert store.commit(1, BLOCK, {"g0": WON, "g1": LOST}) == []
    other = replace(LOST, scores=(0, 1), places=(2, 1))
    assert store.commit(1, replace(BLOCK, seal="else"), {"g0": WON, "g1": other}) == ["g1"]
    assert store.games(1) == {"b0": [WON, LOST]}
    assert list(store.blocks(1)) == [BLOCK]


def test_times_are_no_difference_between_two_results_of_a_game(store: Store) -> None:
    store.commit(1, BLOCK, {"g0": WON})
    assert store.commit(1, BLOCK, {"g0": replace(WON, slowest=(9.0, None))}) == []


def test_results_of_two_events_are_not_mixed(store: Store) -> None:
    store.add_event(
        2, id_="cup #2", league="{}", layer="posix", program="croupier 1", commitment="ef"
    )
    store.commit(1, BLOCK, {"g0": WON})
    store.commit(2, replace(BLOCK, key="b1"), {"g1": LOST})
    assert store.games(1) == {"b0": [WON]}
    assert store.games(2) == {"b1": [LOST]}


def test_a_block_that_always_failed_is_unplayable_until_it_is_played(store: Store) -> None:
    for _ in range(ATTEMPTS - 1):
        store.fail(1, "b0", "no room")
    assert store.unplayable(1) == frozenset()
    store.fail(1, "b0", "no room")
    assert store.unplayable(1) == {"b0"}
    store.commit(1, BLOCK, {"g0": WON})
    assert store.unplayable(1) == frozenset()


def test_a_failed_commit_stores_nothing(store: Store) -> None:
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    many = {f"g{n}": replace(WON, turn=n, reason="x" * 500) for n in range(200)}
    with pytest.raises(StoreFullError, match=r"cannot write .*store\.sqlite: database or disk"):
        store.commit(1, BLOCK, many)
    assert store.keys(1) == set()
    assert store.games(1) == {}
    store._database.execute("PRAGMA max_page_count = 100000")
    assert store.commit(1, BLOCK, many) == []
    assert len(store.games(1)["b0"]) == 200


def test_a_second_writer_is_refused_by_name(store: Store) -> None:
    script = "import sys; from pathlib import Path; from tournaments.store import writing\n"
    script += "with writing(Path(sys.argv[1])): pass"
    done = subprocess.run(
        [sys.executable, "-c", script, str(store.folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "another tournament is being played into" in done.stderr
    assert "(process " in done.stderr


def test_the_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    with writing(tmp_path):
        pass
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("PRAGMA user_version = 9")
    database.close()
    for opened in (reading, writing):
        with (
            pytest.raises(StoreError, match="version 9 of the store; this program knows version 1"),
            opened(tmp_path),
        ):
            pass


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "version 0 of the store"), (b"no database at all, " * 99, "file is not a database")],
)
def test_what_is_no_store_is_not_read(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StoreError, match=said), reading(tmp_path):
        pass


def test_a_folder_without_a_store_is_no_run_folder(tmp_path: Path) -> None:
    with (
        pytest.raises(
            StoreError, match=r"is no run folder of a tournament: it has no store\.sqlite"
        ),
        reading(tmp_path),
    ):
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot make folder"), writing(tmp_path / "file"):
        pass
