"""Killed at any moment: what was reported as kept is there, and nothing is damaged"""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
import time
from contextlib import suppress

import pytest

from mtprobe.cli import main
from mtprobe.store import Store
from mtprobe.store.database import Database
from mtprobe.store.upkeep import Unwanted, all_rows, remove, shrink
from tests.soak import times
from tests.store.test_versions import VERSION_1, key_of

ROUNDS = times(12, 300)
FORK = multiprocessing.get_context("fork")

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def killed_after(seconds, work, *args):
    """What the process had said before it was killed."""
    here, there = FORK.Pipe(duplex=False)
    process = FORK.Process(target=work, args=(*args, there))
    process.start()
    there.close()
    time.sleep(seconds)
    process.kill()
    process.join()
    said = []
    with suppress(EOFError):
        while True:
            said.append(here.recv())
    here.close()
    return said


def is_sound(path):
    connection = sqlite3.connect(path)
    (answer,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return answer == "ok"


def made(round, number):
    return {f"{round}/{number}/{each}": f"translation {each} " * 20 for each in range(50)}


def _keep(path, round, pipe):
    number = 0
    while True:
        with Store(path) as store:
            for _ in range(5):
                store.add_translations("model", made(round, number))
                pipe.send(number)
                number += 1


@pytest.mark.slow
def test_what_was_kept_before_a_kill_is_there(tmp_path, caplog):
    path = tmp_path / "store.sqlite"
    chance = random.Random(3)
    kept = {}
    for round in range(ROUNDS):
        for number in killed_after(chance.uniform(0.01, 0.25), _keep, path, round):
            kept.update(made(round, number))
    assert kept
    with Store(path) as store:
        assert store.translations("model", list(kept)) == kept
    assert is_sound(path)
    assert caplog.messages == []
    assert [each.name for each in tmp_path.iterdir()] == ["store.sqlite"]


def _tidy(path, _pipe):
    database = Database(path)
    remove(database, Unwanted(["old"]), dry=False)
    shrink(database)


@pytest.mark.slow
def test_a_killed_gc_removes_no_more_than_it_was_asked(tmp_path):
    chance = random.Random(5)
    for round in range(times(4, 100)):
        path = tmp_path / f"{round}.sqlite"
        with Store(path) as store:
            for number in range(20):
                store.add_translations("old", made(0, number))
                store.add_translations("new", made(0, number))
        killed_after(chance.uniform(0.005, 0.08), _tidy, path)
        with Store(path) as store:
            for number in range(20):
                assert store.translations("new", list(made(0, number))) == made(0, number)
        assert is_sound(path)
        database = Database(path)
        remove(database, Unwanted(["new"]), dry=False)
        assert {row.fingerprint for row in all_rows(database)} <= {"old"}
        database.close()


def _bring(export, path, _pipe):
    main(["store", "import", str(export), "--store", str(path)])


@pytest.mark.slow
def test_a_killed_import_is_simply_done_again(tmp_path):
    here, export, there = (tmp_path / name for name in ("here.sqlite", "out.jsonl", "there.sqlite"))
    with Store(here) as store:
        for number in range(200):
            store.add_translations("model", made(0, number))
    assert main(["store", "export", str(export), "--store", str(here)]) == 0
    chance = random.Random(7)
    for _ in range(times(4, 100)):
        killed_after(chance.uniform(0.01, 0.6), _bring, export, there)
        if there.exists():
            assert is_sound(there)
    assert main(["store", "import", str(export), "--store", str(there)]) == 0
    databases = [Database(path) for path in (here, there)]
    first, second = (list(all_rows(database)) for database in databases)
    assert first == second
    for database in databases:
        database.close()


def _open(path, _pipe):
    Store(path).close()


@pytest.mark.slow
def test_a_store_of_version_1_is_taken_over_whole_or_not_at_all(tmp_path):
    chance = random.Random(11)
    rows = [(key_of(str(number)), f"text {number}") for number in range(20_000)]
    for round in range(times(4, 100)):
        path = tmp_path / f"{round}.sqlite"
        connection = sqlite3.connect(path)
        connection.executescript(VERSION_1)
        connection.execute("INSERT INTO models VALUES (1, 'a')")
        connection.executemany("INSERT INTO translations VALUES (1, ?, ?)", rows)
        connection.commit()
        connection.close()
        killed_after(chance.uniform(0.005, 0.15), _open, path)
        assert is_sound(path)
        with Store(path) as store:
            assert len(store.translations("a", [str(number) for number in range(20_000)])) == 20_000
        assert not list(tmp_path.glob("*damaged*"))
