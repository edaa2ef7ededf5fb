"""A full disk, a folder that may not be written to: they cost the store, not the run, and are told once"""

from __future__ import annotations

import resource
import sqlite3
from contextlib import contextmanager

import pytest

from mtprobe.store import Store, StoreError
from mtprobe.store.database import Database
from tests.store.rights import as_nobody, own_folder  # noqa: F401 - a fixture

MADE = {f"source {number}": f"translation {number} " + "x" * 200 for number in range(3000)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


@contextmanager
def files_of_at_most(size):
    """As on a full disk: whatever would grow a file beyond that fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def add_in_chunks(store):
    sources = list(MADE)
    for start in range(0, len(sources), 100):
        store.add_translations("model", {source: MADE[source] for source in sources[start : start + 100]})


def test_a_store_that_has_reached_its_limit_takes_no_more_and_keeps_what_it_has(path, caplog):
    with Store(path, limit=200_000) as store:
        add_in_chunks(store)
        assert store.translations("model", list(MADE)) == MADE  # this process knows them
        assert ["database or disk is full" in told for told in caplog.messages] == [True]
        assert "mtprobe store gc" in caplog.text
    assert "could not be stored" in caplog.messages[1]
    assert path.stat().st_size <= 200_000
    with Store(path) as store:
        kept = store.translations("model", list(MADE))
        assert 300 <= len(kept) < 1000
        assert kept.items() <= MADE.items()
        assert f"{len(MADE) - len(kept):,} translations" in caplog.messages[1]
        add_in_chunks(store)
    assert len(caplog.messages) == 2
    with Store(path) as store:
        assert store.translations("model", list(MADE)) == MADE


def test_the_limit_may_come_from_the_environment(path, monkeypatch, caplog):
    monkeypatch.setenv("MTPROBE_STORE_LIMIT", "100kB")
    with Store(path) as store:
        add_in_chunks(store)
    assert "full" in caplog.text
    assert path.stat().st_size <= 100_000
    monkeypatch.setenv("MTPROBE_STORE_LIMIT", "plenty")
    with pytest.raises(StoreError, match='MTPROBE_STORE_LIMIT: "plenty" is not a size'):
        Store(path)


@pytest.mark.parametrize("size", [0, 1, 5000, 40_000, 300_000])
def test_a_full_disk_loses_only_what_does_not_fit(path, size, caplog):
    with files_of_at_most(size), Store(path) as store:
        add_in_chunks(store)
        assert store.translations("model", list(MADE)) == MADE
    assert len(caplog.messages) == 2
    assert "cannot be stored" in caplog.messages[0]
    with Store(path) as store:
        assert store.translations("model", list(MADE)).items() <= MADE.items()
        add_in_chunks(store)
        assert store.translations("model", list(MADE)) == MADE
    assert len(caplog.messages) == 2
    assert not list(path.parent.glob("*.damaged-*"))


def test_what_could_not_be_written_is_written_when_there_is_room_again(path, caplog):
    with Store(path) as store:
        with files_of_at_most(100_000):
            add_in_chunks(store)
        store.add_translations("model", {"one": "um"})
    assert len(caplog.messages) == 1
    with Store(path) as store:
        assert store.translations("model", [*MADE, "one"]) == {**MADE, "one": "um"}


def test_room_at_the_very_end_is_enough(path):
    store = Store(path)
    with files_of_at_most(100_000):
        add_in_chunks(store)
    store.close()
    with Store(path) as store:
        assert store.translations("model", list(MADE)) == MADE


def test_a_store_that_could_not_be_made_at_first_is_made_when_there_is_room(path, caplog):
    with files_of_at_most(0):
        store = Store(path)
        add_in_chunks(store)
    store.close()
    assert len(caplog.messages) == 1
    with Store(path) as store:
        assert store.translations("model", list(MADE)) == MADE


def test_a_lock_that_is_not_given_back_costs_nothing_either(path, monkeypatch, caplog):
    monkeypatch.setattr("mtprobe.store.lock.WAIT_SECONDS", 0.1)
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Store(path) as store:
        store.add_translations("model", {"one": "um"})
        assert store.translations("model", ["one"]) == {"one": "um"}
        assert "database is locked" in caplog.text
        other.execute("ROLLBACK")
    other.close()
    with Store(path) as store:
        assert store.translations("model", ["one"]) == {"one": "um"}


def test_a_store_in_a_folder_that_may_only_be_read_is_read(own_folder, caplog):  # noqa: F811
    path = own_folder / "store.sqlite"
    with as_nobody():
        with Store(path) as store:
            store.add_translations("model", MADE)
        own_folder.chmod(0o500)
        before = path.read_bytes()
        with Store(path) as store:
            assert store.translations("model", list(MADE)) == MADE
            store.add_translations("model", {"one": "um"})
            store.add_translations("model", {"two": "dois"})
            assert store.translations("model", ["one", "two"]) == {"one": "um", "two": "dois"}
    assert path.read_bytes() == before
    assert len(caplog.messages) == 2
    assert "2 translations and scores of this run could not be stored" in caplog.messages[1]


def test_a_file_that_may_only_be_read_is_read(own_folder, caplog):  # noqa: F811
    path = own_folder / "store.sqlite"
    with as_nobody():
        with Store(path) as store:
            store.add_translations("model", MADE)
        path.chmod(0o400)
        with Store(path) as store:
            store.add_translations("model", {"one": "um"})
            assert store.translations("model", [*MADE, "one"]) == {**MADE, "one": "um"}
    assert [name.name for name in own_folder.iterdir() if "damaged" in name.name] == []
    assert "readonly" in caplog.messages[0]


def test_a_folder_that_may_not_be_written_to_costs_the_store_only(own_folder, caplog):  # noqa: F811
    own_folder.chmod(0o500)
    with as_nobody(), Store(own_folder / "kept" / "store.sqlite") as store:
        store.add_translations("model", {"one": "um"})
        assert store.translations("model", ["one", "two"]) == {"one": "um"}
    assert "Permission denied" in caplog.messages[0]
    assert "1 translations" in caplog.messages[1]


def test_what_waits_is_bounded(path, monkeypatch, caplog):
    monkeypatch.setattr("mtprobe.store.keeping._MOST_WAITING", 500)
    with files_of_at_most(0), Store(path) as store:
        add_in_chunks(store)
        assert len(store.translations("model", list(MADE))) == 500
    assert "3,000 translations and scores" in caplog.messages[1]


def test_a_translation_that_is_too_long_stands_in_nobodys_way(path, monkeypatch, caplog):
    monkeypatch.setattr("mtprobe.store.keeping._LONGEST", 1000)
    with Store(path) as store:
        store.add_translations("model", {"one": "um", "many": "muitos " * 1000, "two": "dois"})
    assert "1 translations and scores of this run could not be stored" in caplog.messages[0]
    with Store(path) as store:
        assert store.translations("model", ["one", "many", "two"]) == {"one": "um", "two": "dois"}


def test_a_mistake_of_ours_is_no_trouble(path, monkeypatch):
    def wrong(self, *_):
        self.connection.execute("SELECT nonsense")

    monkeypatch.setattr(Database, "find", wrong)
    with Store(path) as store, pytest.raises(sqlite3.OperationalError, match="no such column"):
        store.translations("model", ["one"])
    assert [found.name for found in path.parent.iterdir()] == ["store.sqlite"]
