"""Parallel text, read in blocks."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.authoring.corpus.parallel import Corpus, blocks
from mtprobe.errors import MtprobeError
from mtprobe.system.text_files import text_lines

text = st.text(st.characters(exclude_characters="\n\r\t", exclude_categories=["Cs"]), max_size=20)


def rows_of(corpus, lines=5000):
    return [row for block in blocks(corpus, lines) for row in block.rows(corpus)]


@given(st.lists(st.tuples(text, text, text), max_size=30), st.integers(1, 7), st.booleans(), st.booleans())
def test_every_line_comes_out_once_and_in_order(tmp_path_factory, rows, lines, packed, table):
    folder = tmp_path_factory.mktemp("corpus")
    if rows and rows[0][0].startswith("\ufeff"):
        rows = [("x" + rows[0][0], *rows[0][1:]), *rows[1:]]
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], []]
    texts = ["\t".join(row) for row in rows] if table else None
    paths = []
    for number, column in enumerate([texts] if texts is not None else columns):
        path = folder / f"side{number}"
        raw = "".join(line + "\n" for line in column).encode()
        path.write_bytes(gzip.compress(raw, mtime=0) if packed else raw)
        paths.append(path)
    corpus = Corpus(tuple(paths), ("a", "b"))
    if not table and any(column and column[0].startswith("\ufeff") for column in columns[1:]):
        return
    assert rows_of(corpus, lines) == [list(row) for row in rows]
    read = sum(block.read for block in blocks(corpus, lines))
    assert read <= corpus.size


def test_a_last_line_without_an_end_windows_ends_and_a_mark_are_no_matter(tmp_path):
    (tmp_path / "en").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    (tmp_path / "de").write_bytes(b"eins\nzwei")
    assert rows_of(Corpus((tmp_path / "en", tmp_path / "de"), ("de",))) == [["one", "eins"], ["two", "zwei"]]
    assert list(text_lines(tmp_path / "en")) == [(1, "one"), (2, "two")]


@pytest.mark.parametrize(
    ("english", "german", "said"),
    [
        (b"1\n2\n3\n", b"1\n2\n", "de:3: the file has 2 lines, but "),
        (b"1\n", b"1\n2\n3\n4\n5\n", "en:2: the file has 1 lines, but "),
        (b"1\n2\n3\n", b"1\n2\n\xff3\n", "de:3: not UTF-8 text"),
        (
            gzip.compress(b"1\n" * 9999, mtime=0)[:-20],
            b"1\n" * 9999,
            "en:1: damaged gzip file",
        ),
    ],
)
def test_unequal_or_damaged_sides_are_reported_with_their_line(tmp_path, english, german, said):
    (tmp_path / "en").write_bytes(english)
    (tmp_path / "de").write_bytes(german)
    with pytest.raises(MtprobeError) as error:
        rows_of(Corpus((tmp_path / "en", tmp_path / "de"), ("de",)), 2)
    assert said in str(error.value)


def test_a_row_of_a_table_with_too_few_columns_is_reported(tmp_path):
    (tmp_path / "t.tsv").write_text("a\tb\nc\n")
    with pytest.raises(MtprobeError, match=r"t.tsv:2: 1 columns, not 2"):
        rows_of(Corpus((tmp_path / "t.tsv",), ("de",)))


def test_damaged_lines_are_reported_with_their_number(tmp_path):
    (tmp_path / "x").write_bytes(b"good\n\xff\n")
    with pytest.raises(MtprobeError, match="x:2: not UTF-8 text"):
        list(text_lines(tmp_path / "x"))
    (tmp_path / "y").write_bytes(gzip.compress(b"line\n" * 100, mtime=0)[:-9])
    with pytest.raises(MtprobeError, match=r"y:[0-9]+: damaged gzip file"):
        list(text_lines(tmp_path / "y"))
