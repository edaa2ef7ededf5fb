from __future__ import annotations

import multiprocessing
import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtprobe.store import Store, StoreError
from tests.soak import times

ROWS = times(50, 20_000)

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(
    st.dictionaries(texts, texts, max_size=5),
    st.dictionaries(st.tuples(texts, texts), st.lists(st.floats(-100, 0), min_size=1)),
)
def test_what_was_kept_comes_back_the_same(tmp_path, translations, scores):
    with Store(tmp_path / "store.sqlite") as store:
        store.add_translations("model", translations)
        store.add_scores("model", scores)
    with Store(tmp_path / "store.sqlite") as store:
        assert store.translations("model", list(translations)) == translations
        assert store.scores("model", list(scores)) == {pair: tuple(values) for pair, values in scores.items()}


def test_one_model_never_gets_anothers_outputs(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        store.add_translations("a", {"one": "um"})
        assert store.translations("b", ["one"]) == {}


def test_pairs_are_told_apart_where_their_texts_join(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        store.add_scores("m", {("ab", "c"): [-1.0]})
        assert store.scores("m", [("a", "bc")]) == {}


def test_thousands_of_keys_are_found_in_one_call(tmp_path):
    made = {f"s{number}": f"t{number}" for number in range(5000)}
    with Store(tmp_path / "store.sqlite") as store:
        store.add_translations("m", made)
        assert store.translations("m", list(made)) == made


def _write(path: Path, worker: int) -> None:
    with Store(path) as store:
        for number in range(ROWS):
            store.add_translations("m", {f"{worker}-{number}": "x"})


def test_workers_write_side_by_side_and_lose_nothing(tmp_path):
    path = tmp_path / "store.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(path, worker)) for worker in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    with Store(path) as store:
        assert len(store.translations("m", [f"{w}-{n}" for w in range(4) for n in range(ROWS)])) == 4 * ROWS


def _open(path: Path, moment: float) -> None:
    while time.time() < moment:
        pass
    Store(path).close()


def test_workers_may_all_be_the_first_to_open_it(tmp_path):
    context = multiprocessing.get_context("spawn")
    for attempt in range(3):
        moment = time.time() + 1.5
        workers = [
            context.Process(target=_open, args=(tmp_path / f"{attempt}.sqlite", moment)) for _ in range(6)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert [worker.exitcode for worker in workers] == [0] * 6


def test_a_foreign_file_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database\n" * 100)
    with pytest.raises(StoreError, match="cannot be used as a store"):
        Store(path)
    assert path.read_text() == "not a database\n" * 100


def test_a_newer_store_is_refused(tmp_path):
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer mtprobe"):
        Store(path)
