"""Stores of earlier versions are taken over, whole or not at all"""

from __future__ import annotations

import sqlite3
from array import array

import pytest

from mtprobe.store import Store
from mtprobe.store.rows import key_of
from tests.store.test_trouble import files_of_at_most

VERSION_1 = """
CREATE TABLE models (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE);
CREATE TABLE translations (
    model INTEGER NOT NULL REFERENCES models, key BLOB NOT NULL, text TEXT NOT NULL, PRIMARY KEY (model, key)
) WITHOUT ROWID;
CREATE TABLE scores (
    model INTEGER NOT NULL REFERENCES models, key BLOB NOT NULL, logprobs BLOB NOT NULL, PRIMARY KEY (model, key)
) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
MADE = {f"source {number}": f"médico {number}" for number in range(2000)}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(VERSION_1)
    connection.executemany("INSERT INTO models VALUES (?, ?)", [(1, "a"), (2, "b")])
    connection.executemany(
        "INSERT INTO translations VALUES (1, ?, ?)", [(key_of(source), text) for source, text in MADE.items()]
    )
    connection.execute(
        "INSERT INTO scores VALUES (2, ?, ?)", (key_of("one", "um"), array("d", [-0.5, -2.0]).tobytes())
    )
    connection.commit()
    connection.close()
    return path


def test_a_store_of_version_1_is_taken_over(path, caplog):
    for _ in range(2):
        with Store(path) as store:
            assert store.translations("a", list(MADE)) == MADE
            assert store.translations("b", list(MADE)) == {}
            assert store.scores("b", [("one", "um")]) == {("one", "um"): (-0.5, -2.0)}
    assert caplog.messages == []


def test_an_empty_file_is_a_store_in_the_making(tmp_path):
    path = tmp_path / "store.sqlite"
    path.touch()
    with Store(path) as store:
        store.add_translations("a", {"one": "um"})
    with Store(path) as store:
        assert store.translations("a", ["one"]) == {"one": "um"}
    assert [found.name for found in tmp_path.iterdir()] == ["store.sqlite"]


def test_a_disk_that_is_too_full_to_take_it_over_leaves_it_as_it_was(path, caplog):
    with files_of_at_most(30_000), Store(path) as store:
        assert store.translations("a", list(MADE)) == {}
    assert "cannot be stored" in caplog.messages[0]
    assert list(path.parent.glob("*damaged*")) == []
    with Store(path) as store:
        assert store.translations("a", list(MADE)) == MADE
