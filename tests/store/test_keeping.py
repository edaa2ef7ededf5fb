"""What is kept comes back, and nothing else"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtprobe.store import Store
from mtprobe.store.exchange import read_rows, write_rows
from mtprobe.store.rows import SPANS
from mtprobe.store.salvage import rows_of_file

texts = st.text(st.characters(), max_size=20)  # lone surrogates too: a model may say anything


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(
    st.dictionaries(texts, texts, max_size=5),
    st.dictionaries(st.tuples(texts, texts), st.lists(st.floats(allow_nan=False), min_size=1)),
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


def test_it_may_be_closed_by_another_thread_than_the_one_that_used_it(tmp_path):
    with ThreadPoolExecutor(1) as thread:
        store = thread.submit(Store, tmp_path / "store.sqlite").result()
        thread.submit(store.add_translations, "m", {"one": "um"}).result()
    store.close()
    with Store(tmp_path / "store.sqlite") as store:
        assert store.translations("m", ["one"]) == {"one": "um"}


def test_attention_is_kept_by_pair_and_span(tmp_path):
    attention = {("A nurse.", "Uma enfermeira.", 2, 7): (0.1, 0.9342, 0.0)}
    with Store(tmp_path / "s.sqlite") as store:
        store.add_attention("m", attention, "onnxruntime 1.23 CPU")
        store.add_scores("m", {("A nurse.", "Uma enfermeira."): (-1.0,)})
        other = ("A nurse.", "Uma enfermeira.", 0, 1)
        assert store.attention("m", [*attention, other]) == attention
        assert store.attention("another", list(attention)) == {}
        assert store.runtimes("m") == {"onnxruntime 1.23 CPU"}


def test_token_spans_are_kept_and_those_of_older_stores_are_found(tmp_path):
    spans = {"A dama": [(0, 1), (2, 6), None]}
    with Store(tmp_path / "store.sqlite") as store:
        store.add_translations("old spans of target tokens", {"A dama": "[[0, 1], [2, 6], null]"})
        store.add_spans("new", spans)
        assert store.spans("new", ["A dama", "O senhor"]) == spans
        assert store.spans("old", ["A dama"]) == spans
        assert store.translations("new", ["A dama"]) == {}
    write_rows(tmp_path / "out.jsonl", rows_of_file(tmp_path / "store.sqlite"))
    assert sum(row.kind == SPANS for row in read_rows(tmp_path / "out.jsonl")) == 1
