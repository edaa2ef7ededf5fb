"""Rows of a damaged store that SQLite can still read are read, and nothing that was never written"""

from __future__ import annotations

import os
import random
import sqlite3
from pathlib import Path

import pytest

from mtprobe.store import Store, StoreError
from mtprobe.store.rows import SCORE, TRANSLATION, to_logprobs, to_text
from mtprobe.store.salvage import is_store_file, rows_of_file
from tests.soak import times
from tests.store import test_versions

# From rows of a few bytes to rows that go over several pages.
MADE = {f"source {number}": f"translation {number} " + "x" * (number * 37 % 9000) for number in range(600)}
SCORED = {(source, "target"): tuple(-1 / (place + 1) for place in range(number % 60)) for number, source in enumerate(MADE)}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.add_translations("translator", MADE)
        store.add_scores("scorer: en→pt", SCORED)
    return path


def found(path, models=()):
    """What is read is genuine; returns how much of it there is."""
    rows = {(row.fingerprint, row.kind, row.key): row for row in rows_of_file(path, models)}.values()
    texts = [to_text(row.value) for row in rows if row.kind == TRANSLATION]
    scores = [to_logprobs(row.value) for row in rows if row.kind == SCORE]
    assert {row.fingerprint for row in rows if row.kind == TRANSLATION} <= {"translator"}
    assert {row.fingerprint for row in rows if row.kind == SCORE} <= {"scorer: en→pt"}
    assert set(texts) <= set(MADE.values())
    assert set(scores) <= set(SCORED.values())
    return len(texts), len(scores)


def test_a_whole_store_is_read_and_left_as_it_is(path, caplog):
    before = path.read_bytes()
    assert found(path) == (600, 600)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
    assert caplog.messages == []


def test_what_is_only_in_the_log_is_read(path):
    with Store(path) as store:
        store.add_translations("translator", {"new": MADE["source 1"]})
        assert found(path) == (601, 600)


@pytest.mark.parametrize("start", [b"\0" * 4096, b"nonsense" * 512, b"\0" * 16])
def test_without_its_header_sqlite_reads_nothing(path, start, caplog):
    with path.open("r+b") as stream:
        stream.write(start)
    assert found(path) == (0, 0)
    assert "is damaged (file is not a database)" in caplog.text


@pytest.mark.parametrize(("share", "texts", "scores"), [(0.99, 0.9, 0.5), (0.9, 0.3, 0), (0.5, 0, 0)])
def test_rows_of_a_truncated_file_are_read_as_far_as_sqlite_reaches_them(path, share, texts, scores):
    os.truncate(path, int(path.stat().st_size * share))
    counts = found(path)
    assert counts[0] >= texts * 600
    assert counts[1] >= scores * 600


def _leaves(path):
    """The pages of the rows, without overflow pages."""
    raw = path.read_bytes()
    return [start for start in range(0, len(raw), 4096) if raw[start] == 0x0A]


@pytest.mark.parametrize("seed", range(times(5, 200)))
def test_pages_of_noise_lose_only_their_own_rows(path, seed):
    chance = random.Random(seed)
    leaves = _leaves(path)
    with path.open("r+b") as stream:
        for start in chance.sample(leaves, len(leaves) // 20):
            stream.seek(start)
            stream.write(chance.randbytes(4096))
    texts, scores = found(path)
    assert texts >= 0.85 * 600
    assert scores >= 0.85 * 600


def test_a_lost_table_of_models_is_made_up_for_by_models_of_the_importing_store(path):
    with path.open("r+b") as stream:
        stream.seek(4096)  # the table and its index are the first after the schema
        stream.write(random.Random(1).randbytes(2 * 4096))
    assert found(path) == (0, 0)
    assert found(path, ["scorer: en→pt", "another", "translator"]) == (600, 600)


@pytest.mark.parametrize("seed", range(times(10, 500)))
def test_bytes_changed_anywhere_make_no_row_up(path, seed):
    chance = random.Random(seed)
    with path.open("r+b") as stream:
        for _ in range(200):
            stream.seek(chance.randrange(path.stat().st_size))
            stream.write(chance.randbytes(1))
    found(path)


def test_noise_has_no_rows(tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(random.Random(1).randbytes(500_000))
    assert found(path) == (0, 0)


def test_a_log_without_its_database_cannot_be_read(path):
    with Store(path) as store:
        store.add_translations("translator", {"new": MADE["source 1"]})
        log = Path(f"{path}-wal").read_bytes()
    alone = path.with_name("store.sqlite.damaged-20260101-000000-wal")
    alone.write_bytes(log)
    with pytest.raises(StoreError, match="cannot be opened"):
        found(alone.with_name(alone.name.removesuffix("-wal")), ["translator"])


def test_a_store_of_version_1_is_read(tmp_path):
    path = test_versions.path.__wrapped__(tmp_path)
    before = path.read_bytes()
    rows = list(rows_of_file(path))
    assert {to_text(row.value) for row in rows if row.kind == TRANSLATION} == set(test_versions.MADE.values())
    assert [to_logprobs(row.value) for row in rows if row.kind == SCORE] == [(-0.5, -2.0)]
    assert path.read_bytes() == before


def test_another_applications_database_has_nothing_for_us(tmp_path):
    path = tmp_path / "app.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    with pytest.raises(StoreError, match="is the database of another application"):
        list(rows_of_file(path))


def test_a_store_is_known_by_its_content_or_its_name(path, tmp_path):
    renamed = path.rename(tmp_path / "backup")
    assert is_store_file(renamed)
    assert is_store_file(tmp_path / "store.sqlite.damaged-20260101-000000")
    (tmp_path / "export.jsonl").write_text("{}")
    assert not is_store_file(tmp_path / "export.jsonl")
    assert not is_store_file(tmp_path / "nothing.jsonl.gz")
