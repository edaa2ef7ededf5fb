"""Another process keeps the store locked: it is waited for once, said once, and costs the run nothing else"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from mtprobe.store import Store

WAIT = 1.0
BLOCKS = 6

HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(sys.argv[2])
print("locked", flush=True)
sys.stdin.read()
connection.execute("ROLLBACK")
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.add_translations("model", {"old": "velho"})
    return path


@contextmanager
def locked_by_another_process(path, statement="BEGIN IMMEDIATE"):
    """Yields what ends the lock."""
    words = [sys.executable, "-c", HOLDER, str(path), statement]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "locked\n"

        def release():
            holder.stdin.close()
            holder.wait()

        try:
            yield release
        finally:
            holder.kill()


def blocks():
    return [{f"source {number}": f"translation {number}"} for number in range(BLOCKS)]


def expected():
    return {source: text for block in blocks() for source, text in block.items()}


def add_and_read(store):
    """As a run does: it looks, translates and adds, block by block. Returns the seconds that it took."""
    began = time.monotonic()
    for block in blocks():
        assert store.translations("model", ["old", *block]) == {"old": "velho"}
        store.add_translations("model", block)
        assert store.translations("model", list(block)) == block
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_lock_is_waited_for_once_and_said_once(path, statement, caplog):
    with locked_by_another_process(path, statement):
        store = Store(path, wait=WAIT)
        assert WAIT * 0.9 < add_and_read(store) < WAIT * 4  # and not six times that
        began = time.monotonic()
        store.close()
        assert time.monotonic() - began < WAIT * 4
    assert len(caplog.messages) == 2
    assert "database is locked" in caplog.messages[0]
    assert "another process holds its lock" in caplog.messages[0]
    assert f"{BLOCKS} translations and scores of this run could not be stored" in caplog.messages[1]


@pytest.mark.slow
def test_rows_wait_in_memory_until_the_lock_is_released(path, caplog):
    with locked_by_another_process(path) as release:
        store = Store(path, wait=WAIT)
        add_and_read(store)
        release()
        store.add_translations("model", {"last": "último"})
        with Store(path) as other:  # all of them are on disk
            assert other.translations("model", list(expected())) == expected()
        store.close()
    assert len(caplog.messages) == 1


@pytest.mark.slow
def test_a_lock_that_is_released_at_the_very_end_loses_nothing(path, caplog):
    with locked_by_another_process(path) as release:
        store = Store(path, wait=WAIT)
        add_and_read(store)
        release()
        store.close()
    with Store(path) as other:
        assert other.translations("model", list(expected())) == expected()
    assert len(caplog.messages) == 1


@pytest.mark.slow
def test_a_lock_that_comes_again_is_waited_for_again(path):
    store = Store(path, wait=WAIT)
    with locked_by_another_process(path) as release:
        store.add_translations("model", {"one": "um"})
        release()
    store.add_translations("model", {"two": "dois"})
    with locked_by_another_process(path):
        began = time.monotonic()
        store.add_translations("model", {"three": "três"})
        assert time.monotonic() - began > WAIT * 0.9
        began = time.monotonic()
        store.add_translations("model", {"four": "quatro"})
        assert time.monotonic() - began < WAIT * 0.9
    store.close()
    with Store(path) as other:
        assert len(other.translations("model", ["one", "two", "three", "four"])) == 4


@pytest.mark.slow
def test_rows_of_an_earlier_day_are_read_at_once(path, monkeypatch):
    """They are marked as used, which is not worth a wait."""
    monkeypatch.setattr("mtprobe.store.database.today", lambda: 10**6)
    with locked_by_another_process(path):
        store = Store(path, wait=30)
        began = time.monotonic()
        assert store.translations("model", ["old"]) == {"old": "velho"}
        assert time.monotonic() - began < 10
        store._patience.lose()
        store.close()


@pytest.mark.slow
def test_a_store_that_cannot_even_be_created_is_waited_for_once(tmp_path, caplog):
    """Its folder is locked while it is created."""
    path = tmp_path / "new" / "store.sqlite"
    path.parent.mkdir()
    folder = os.open(path.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        began = time.monotonic()
        store = Store(path, wait=WAIT)
        for block in blocks():
            store._next_try = 0.0
            store.add_translations("model", block)
        assert time.monotonic() - began < WAIT * 4
    finally:
        os.close(folder)
    store.close()
    assert len(caplog.messages) == 1
    with Store(path) as other:
        assert other.translations("model", list(expected())) == expected()
