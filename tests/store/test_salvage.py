"""What can still be read of a damaged store is read, and nothing that was never written"""

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
def test_without_its_first_page_all_rows_are_found(path, start, caplog):
    with path.open("r+b") as stream:
        stream.write(start)
    assert found(path) == (600, 600)
    assert "pages are looked through one by one" in caplog.text


@pytest.mark.parametrize("share", [0.9, 0.5, 0.1])
def test_of_a_truncated_file_what_is_there_is_found(path, share):
    os.truncate(path, int(path.stat().st_size * share))
    texts, _ = found(path)
    assert texts >= 0.5 * share * 600


@pytest.mark.parametrize("seed", range(times(5, 200)))
def test_pages_of_noise_take_only_their_own_rows(path, seed):
    chance = random.Random(seed)
    pages = path.stat().st_size // 4096
    spoilt = chance.sample(range(4, pages), pages // 20)
    with path.open("r+b") as stream:
        for page in spoilt:
            stream.seek(page * 4096)
            stream.write(chance.randbytes(4096))
    texts, scores = found(path)
    assert texts >= 0.75 * 600
    assert scores >= 0.75 * 600


@pytest.mark.parametrize("seed", range(times(10, 500)))
def test_bytes_changed_anywhere_make_no_row_up(path, seed):
    chance = random.Random(seed)
    with path.open("r+b") as stream:
        for _ in range(200):
            stream.seek(chance.randrange(path.stat().st_size))
            stream.write(chance.randbytes(1))
    texts, scores = found(path)
    assert texts + scores > 600


def test_noise_has_no_rows(tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(random.Random(1).randbytes(500_000))
    assert found(path) == (0, 0)


def test_a_log_alone_has_its_rows(path):
    with Store(path) as store:
        store.add_translations("translator", {f"{source}!": text for source, text in MADE.items()})
        log = Path(f"{path}-wal").read_bytes()
    alone = path.with_name("store.sqlite.damaged-20260101-000000-wal")
    alone.write_bytes(log)
    whole = alone.with_name(alone.name.removesuffix("-wal"))
    assert found(whole) == (0, 0)  # its model's name is not in it
    texts, _ = found(whole, ["scorer: en→pt", "translator"])
    assert texts >= 590
    assert found(alone, ["translator"])[0] == texts


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
