"""What the store holds, and what goes: as much as was asked for, never more"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.store import Store, StoreError
from mtprobe.store.database import Database
from mtprobe.store.rows import SCORE, TRANSLATION, Row, from_logprobs, from_text, key_of, today
from mtprobe.store.upkeep import (
    ROW_BYTES,
    Unwanted,
    all_rows,
    holdings,
    open_strictly,
    remove,
    shrink,
)
from tests.soak import times

MODELS = ("a", "a spans", "b:en→pt")


def row(model, number, days_ago, text="x"):
    return Row(model, TRANSLATION, key_of(str(number)), from_text(text), today() - days_ago)


rows = st.lists(
    st.builds(
        row, st.sampled_from(MODELS), st.integers(0, 50), st.integers(0, 40), st.text(st.characters(), max_size=30)
    ),
    max_size=40,
    unique_by=lambda one: (one.fingerprint, one.key),
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("stores")


def filled(folder, some):
    path = folder / "store.sqlite"
    for each in folder.iterdir():
        each.unlink()
    database = Database(path)
    database.add(some)
    return database


def size_of(one):
    return len(one.key) + len(one.value) + ROW_BYTES


def test_holdings_tell_rows_bytes_and_age_by_model(tmp_path):
    database = filled(tmp_path, [row("a", 1, 30), row("a", 2, 5), row("b", 1, 0, "long " * 50)])
    score = Row("a", SCORE, key_of("s", "t"), from_logprobs([-1.0, -2.0]), today() - 3)
    database.add([score])
    large, small = holdings(database)  # the largest first
    assert (large.fingerprint, large.translations, large.scores) == ("b", 1, 0)
    assert (small.fingerprint, small.translations, small.scores) == ("a", 2, 1)
    assert small.bytes == 2 * (16 + 1 + ROW_BYTES) + 16 + 16 + ROW_BYTES
    assert (small.oldest, small.newest, small.since) == (today() - 30, today() - 3, today())
    database.close()


@settings(max_examples=times(40, 1000))
@given(
    rows,
    st.none() | st.integers(0, 41),
    st.none() | st.sampled_from([["a"], ["b:*"], ["a", "b:en→pt"], ["*"]]),
    st.none() | st.integers(0, 3000),
)
def test_what_goes_is_what_was_asked_for(folder, some, days, models, size):
    database = filled(folder, some)
    if days is None and models is None and size is None:
        days = 7
    present = {one.fingerprint for one in some}
    named = {"a": {"a"}, "b:*": {"b:en→pt"}, "b:en→pt": {"b:en→pt"}, "*": set(MODELS)}
    if models and not all(named[each] & present for each in models):
        with pytest.raises(StoreError, match="has no model"):
            remove(database, Unwanted(models, days, size), dry=False)
        assert len(list(all_rows(database))) == len(some)
        database.close()
        return
    before = list(all_rows(database))
    asked = Unwanted(models or (), days, size)
    would = remove(database, asked, dry=True)
    assert list(all_rows(database)) == before
    assert remove(database, asked, dry=False) == would
    left = list(all_rows(database))
    gone = [one for one in before if one not in left]
    assert sum(one.rows for one in would) == len(gone)
    assert sum(one.bytes for one in would) == sum(map(size_of, gone))

    wanted = set().union(*(named[each] for each in models)) if models else set(MODELS)
    may_go = [
        one for one in before if one.fingerprint in wanted and (days is None or one.used < today() - days)
    ]
    assert all(one in may_go for one in gone)
    if size is None:
        assert gone == may_go
    else:
        total = sum(map(size_of, left))
        assert total <= size or len(gone) == len(may_go)
        if gone:
            assert total + max(map(size_of, gone)) > size  # the last one that went had to go
            assert max(one.used for one in gone) <= min(
                (one.used for one in may_go if one in left), default=1e9
            )
    assert {one.fingerprint for one in holdings(database)} == {one.fingerprint for one in left}
    assert shrink(database) is None
    assert list(all_rows(database)) == left
    database.close()


def test_to_ask_for_nothing_is_a_mistake(tmp_path):
    database = filled(tmp_path, [row("a", 1, 100)])
    with pytest.raises(StoreError, match="say what to remove"):
        remove(database, Unwanted(), dry=False)
    assert len(list(all_rows(database))) == 1
    database.close()


def test_a_model_that_is_not_there_is_a_mistake(tmp_path):
    database = filled(tmp_path, [row("demo:fp32", 1, 100)])
    with pytest.raises(StoreError, match='has no model "demo:fp23"; did you mean "demo:fp32"'):
        remove(database, Unwanted(["demo:fp23"]), dry=False)
    database.close()


def test_what_a_run_asked_for_today_is_not_old(tmp_path):
    database = filled(tmp_path, [row("a", 1, 100), row("a", 2, 100)])
    with Store(tmp_path / "store.sqlite") as store:
        assert store.translations("a", ["1"]) == {"1": "x"}
    (removed,) = remove(database, Unwanted(days=30), dry=False)
    assert removed.rows == 1
    assert [one.key for one in all_rows(database)] == [key_of("1")]
    database.close()


def test_what_is_used_while_it_is_to_be_removed_stays(tmp_path, monkeypatch):
    database = filled(tmp_path, [row("a", 1, 100), row("a", 2, 100)])

    def used_in_between(opened):
        with Store(tmp_path / "store.sqlite") as store:
            assert store.translations("a", ["1"]) == {"1": "x"}
        real(opened)

    from mtprobe.store import upkeep

    real = upkeep._carry_out
    monkeypatch.setattr(upkeep, "_carry_out", used_in_between)
    remove(database, Unwanted(days=30), dry=False)
    assert [one.key for one in all_rows(database)] == [key_of("1")]
    database.close()


def test_the_file_gets_smaller(tmp_path):
    database = filled(tmp_path, [row("a", number, number % 2 * 100, "x" * 500) for number in range(4000)])
    database.close()
    database = Database(database.path)
    before = database.path.stat().st_size
    remove(database, Unwanted(days=30), dry=False)
    assert shrink(database) is None
    assert database.path.stat().st_size < 0.6 * before
    database.close()


def test_a_store_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(StoreError, match="there is no store at"):
        open_strictly(tmp_path / "store.sqlite", to_write=False)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_is_an_error_and_left_alone(tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(StoreError, match="is damaged"):
        open_strictly(path, to_write=True)
    assert path.read_bytes() == b"nonsense" * 1000
    assert len(list(tmp_path.iterdir())) == 1
