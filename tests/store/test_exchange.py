"""Export and import: movable, merging, idempotent; a bad file is a located error and loses nothing"""

from __future__ import annotations

import gzip
import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.store import StoreError
from mtprobe.store.database import Database
from mtprobe.store.exchange import SkippedLines, read_rows, write_rows
from mtprobe.store.rows import SCORE, TRANSLATION, Row, from_logprobs, from_text, key_of, today
from mtprobe.store.upkeep import all_rows, merge
from tests.soak import times

texts = st.text(st.characters(), max_size=20)
keys = st.builds(key_of, texts)
days = st.integers(0, 20_000)
rows = st.lists(
    st.builds(Row, texts, st.just(TRANSLATION), keys, st.builds(from_text, texts), days)
    | st.builds(Row, texts, st.just(SCORE), keys, st.builds(from_logprobs, st.lists(st.floats(), max_size=5)), days),
    max_size=20,
    unique_by=lambda row: (row.fingerprint, row.kind, row.key),
)  # fmt: skip


def some_rows(count):
    return [
        Row("a", TRANSLATION, key_of(str(number)), from_text(f"text {number}"), today())
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("exports")


def store(folder, name, content):
    for each in folder.glob(f"{name}*"):
        each.unlink()
    database = Database(folder / name)
    database.add(content)
    return database


@settings(max_examples=times(20, 500))
@given(rows, st.sampled_from(["export.jsonl", "export.jsonl.gz"]))
def test_what_is_exported_and_imported_is_the_same_to_the_byte(folder, content, name):
    database = store(folder, "here.sqlite", content)
    write_rows(folder / name, all_rows(database))
    other = store(folder, "there.sqlite", [])
    assert merge(other, read_rows(folder / name)).new == len(content)
    assert list(all_rows(other)) == list(all_rows(database))
    write_rows(folder / "again.gz" if name.endswith(".gz") else folder / "again.jsonl", all_rows(other))
    again = folder / ("again.gz" if name.endswith(".gz") else "again.jsonl")
    assert again.read_bytes() == (folder / name).read_bytes()
    database.close()
    other.close()


@settings(max_examples=times(20, 500))
@given(rows, rows)
def test_a_merge_has_all_rows_of_both_and_doing_it_twice_changes_nothing(folder, mine, theirs):
    database = store(folder, "here.sqlite", mine)
    write_rows(folder / "theirs.jsonl", theirs)
    merge(database, read_rows(folder / "theirs.jsonl"))
    once = list(all_rows(database))
    places = {(row.fingerprint, row.kind, row.key): row for row in once}
    assert places.keys() == {(row.fingerprint, row.kind, row.key) for row in (*mine, *theirs)}
    for row in mine:
        assert places[row.fingerprint, row.kind, row.key].value == row.value  # what is here stays
    again = merge(database, read_rows(folder / "theirs.jsonl"))
    assert again.new == 0
    assert list(all_rows(database)) == once
    database.close()


def test_rows_that_differ_are_counted_and_the_later_use_counts(tmp_path):
    mine = Row("a", TRANSLATION, key_of("1"), b"mine", today() - 9)
    theirs = Row("a", TRANSLATION, key_of("1"), b"theirs", today() - 1)
    database = store(tmp_path, "here.sqlite", [mine])
    counts = merge(database, [theirs])
    assert (counts.new, counts.known, counts.differing) == (0, 1, 1)
    assert list(all_rows(database)) == [Row("a", TRANSLATION, key_of("1"), b"mine", today() - 1)]
    database.close()


def test_a_row_that_is_damaged_here_is_replaced(tmp_path):
    good = Row("a", TRANSLATION, key_of("1"), b"good", today())
    database = store(tmp_path, "here.sqlite", [good])
    database.connection.execute("UPDATE kept SET value = CAST('evil' AS BLOB)")
    assert merge(database, [good]).new == 1
    assert list(all_rows(database)) == [good]
    database.close()


def test_infinities_survive(tmp_path):
    row = Row("a", SCORE, key_of("1", "2"), from_logprobs([-math.inf, -0.0, 5e-324]), today())
    write_rows(tmp_path / "export.jsonl", [row])
    assert list(read_rows(tmp_path / "export.jsonl")) == [row]
    for line in (tmp_path / "export.jsonl").read_text().splitlines():
        json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_a_date_of_tomorrow_is_one_of_today(tmp_path):
    write_rows(tmp_path / "export.jsonl", [Row("a", TRANSLATION, key_of("1"), b"x", today() + 1000)])
    (row,) = read_rows(tmp_path / "export.jsonl")
    assert row.used == today()


@pytest.mark.parametrize("name", ["export.jsonl", "export.jsonl.gz"])
def test_a_file_that_is_cut_off_anywhere_is_an_error_with_its_line(tmp_path, name):
    path = tmp_path / name
    write_rows(path, some_rows(20))
    whole = path.read_bytes()
    for length in range(0, len(whole) - 1, times(7, 1)):
        path.write_bytes(whole[:length])
        with pytest.raises(StoreError) as raised:
            list(read_rows(path))
        assert str(raised.value).startswith(f"{path}:")
        skipped = SkippedLines()
        try:
            found = list(read_rows(path, skipped))
        except StoreError:
            continue  # not even its header is left
        assert found == some_rows(20)[: len(found)]
        assert skipped.lines >= 1
        if name == "export.jsonl":
            assert len(found) >= whole[:length].count(b"\n") - 1


def test_a_changed_byte_is_an_error_or_changes_nothing(tmp_path):
    path = tmp_path / "export.jsonl"
    write_rows(path, some_rows(5))
    whole = path.read_bytes()
    chance = random.Random(4)
    errors = 0
    for place in range(0, len(whole), times(3, 1)):
        changed = bytearray(whole)
        changed[place] = chance.randrange(256)
        path.write_bytes(bytes(changed))
        try:
            found = list(read_rows(path))
        except StoreError:
            errors += 1
        else:
            assert [(row.fingerprint, row.kind, row.key, row.value) for row in found] == [
                (row.fingerprint, row.kind, row.key, row.value) for row in some_rows(5)
            ]
    assert errors > 0.8 * len(whole) / times(3, 1)


BAD = {
    "nothing": (b"", ": is empty"),
    "a text": (b"Dear diary,\ntoday\n", ":1: not an export"),
    "another JSON": (b'{"kind": "run", "version": "1.5"}\n', ":1: not an export"),
    "a newer version": (
        b'{"mtprobe": "store", "version": 9}\n',
        ":1: format version 9; this mtprobe reads",
    ),
    "bytes": (bytes(range(256)), ":1: not an export"),
    "nested deeply": (b'{"mtprobe":"store","version":1}\n' + b"[" * 100_000, ":2: not valid JSON"),
    "a list": (b'{"mtprobe":"store","version":1}\n[]\n', ":2: not a row"),
    "no key": (
        b'{"mtprobe":"store","version":1}\n{"model":"a","kind":"translation","text":"x"}\n',
        ":2: used is missing",
    ),
    "rows that are missing": (
        b'{"mtprobe":"store","version":1}\n{"end":7}\n',
        ":2: 0 rows, but 7",
    ),
    "more after the end": (
        b'{"mtprobe":"store","version":1}\n{"end":0}\n{"end":0}\n',
        ":3: the file goes on after its end",
    ),
}


@pytest.mark.parametrize("content, says", BAD.values(), ids=BAD)
@pytest.mark.parametrize("packed", [False, True])
def test_a_foreign_file_is_an_error_with_its_line(tmp_path, content, says, packed):
    path = tmp_path / "export.jsonl"
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(StoreError) as raised:
        list(read_rows(path))
    assert str(raised.value).startswith(f"{path}{says}")


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(StoreError, match="cannot be read: No such file"):
        list(read_rows(tmp_path / "nothing.jsonl"))


def test_an_export_that_fails_leaves_the_old_one(tmp_path):
    path = tmp_path / "export.jsonl"
    write_rows(path, some_rows(3))
    before = path.read_bytes()

    def interrupted():
        yield from some_rows(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rows(path, interrupted())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
