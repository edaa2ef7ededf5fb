"""What procedures make of texts is kept: nothing is loaded for what is known, nothing stale or damaged is used"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from mtprobe.language import identify
from mtprobe.language.alignment import SentencePair, kept, open_aligner
from mtprobe.language.kept import keeping, kept_or_computed
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.store import Store
from mtprobe.store.exchange import read_rows, write_rows
from mtprobe.store.upkeep import all_rows, merge, open_strictly

PAIRS = [SentencePair("the red house", "a casa vermelha"), SentencePair("the house", "a casa")]
TEXT = "This sentence is certainly written in English."
ASK = f"""
import sys
from pathlib import Path
from mtprobe.language.alignment import SentencePair, open_aligner
from mtprobe.language.identify import another_language
from mtprobe.language.kept import keeping
from mtprobe.language.lemmatizers import is_known_word, open_lemmatizer
from mtprobe.store import Store
with Store(Path(sys.argv[1])) as store, keeping(store):
    print(another_language({TEXT!r}, "pt"))
    print(open_lemmatizer("auto", "pt").lemmatize(["as casas vermelhas"]), is_known_word("casa", "pt"))
    print(open_aligner("ibm1").align([SentencePair(*pair) for pair in {[tuple(pair) for pair in PAIRS]!r}]))
names = ("simplemma", "py3langid", "mtprobe.language.alignment.ibm1", "onnxruntime")
print([name for name in names if name in sys.modules])
"""


def ask(store: Path) -> list[str]:
    done = subprocess.run([sys.executable, "-c", ASK, str(store)], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def count(calls: list[object], version: str, text: str, store: Path) -> int:
    def compute(keys: list[tuple[str, ...]]) -> list[int]:
        calls.append(keys)
        return [len(key[0]) for key in keys]

    with Store(store) as opened, keeping(opened):
        return kept_or_computed(f"length {version}", [(text,)], compute, int)[0]


@pytest.mark.slow
def test_a_second_process_loads_no_library_and_gets_the_same(tmp_path):
    *first, loaded = ask(tmp_path / "store.sqlite")
    assert "simplemma" in loaded
    assert "py3langid" in loaded
    *second, loaded = ask(tmp_path / "store.sqlite")
    assert second == first
    assert loaded == "[]"


def test_another_version_or_text_is_computed(tmp_path):
    calls: list[object] = []
    path = tmp_path / "store.sqlite"
    for version, text in (("1", "a"), ("1", "a"), ("2", "a"), ("2", "ab")):
        assert count(calls, version, text, path) == len(text)
    assert len(calls) == 3


def test_a_damaged_row_and_one_of_the_wrong_shape_are_computed_again(tmp_path):
    calls: list[object] = []
    path = tmp_path / "store.sqlite"
    count(calls, "1", "abc", path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE kept SET value = ?", (b"7",))
    connection.close()
    assert count(calls, "1", "abc", path) == 3
    with Store(path) as store:
        store.add_computed("length 1", {("abc",): "three"})
    assert count(calls, "1", "abc", path) == 3
    assert len(calls) == 3


def test_links_of_other_pairs_are_not_believed(tmp_path):
    expected = open_aligner("ibm1").align(PAIRS)
    with Store(tmp_path / "store.sqlite") as store:
        key = (kept._digest(sorted(set(PAIRS))),)
        store.add_computed(f"word alignment ibm1 {kept.VERSION}", {key: [[[0, 9]], [[-1, 0]]]})
        with keeping(store):
            assert open_aligner("ibm1").align(PAIRS) == expected


def test_alignments_depend_on_the_set_of_pairs_not_on_their_order(tmp_path):
    with Store(tmp_path / "store.sqlite") as store, keeping(store):
        forward = open_aligner("ibm1").align(PAIRS)
        assert open_aligner("ibm1").align(PAIRS[::-1]) == forward[::-1]


def test_every_store_gets_the_results_even_if_the_process_knows_them(tmp_path):
    for name in ("a", "b"):
        with Store(tmp_path / name) as store:
            with keeping(store):
                open_lemmatizer("simplemma", "pt").lemmatize(["casas"])
                identify.another_language(TEXT, "pt")
            assert store.computed(identify._procedure(), [(TEXT, "pt")]) == {(TEXT, "pt"): "en"}


def test_exports_have_them(tmp_path):
    calls: list[object] = []
    count(calls, "1", "abc", tmp_path / "a.sqlite")
    write_rows(tmp_path / "export.jsonl", all_rows(open_strictly(tmp_path / "a.sqlite", to_write=False)))
    Store(tmp_path / "b.sqlite").close()
    merge(open_strictly(tmp_path / "b.sqlite", to_write=True), read_rows(tmp_path / "export.jsonl"))
    assert count(calls, "1", "abc", tmp_path / "b.sqlite") == 3
    assert len(calls) == 1
