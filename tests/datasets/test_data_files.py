"""Lines of data files: where one ends, what is too much, and what is not a file of lines."""

from __future__ import annotations

import gzip

import pytest

from mtprobe.errors import SuiteError
from mtprobe.suite.parsing import lines as module
from mtprobe.suite.parsing.lines import parallel_lines, text_lines


@pytest.fixture
def lines(tmp_path):
    def lines(content: bytes, name: str = "data.txt"):
        path = tmp_path / name
        path.write_bytes(content)
        return [line for _, line in text_lines(path)]

    return lines


def test_only_a_line_feed_ends_a_line_so_that_files_stay_parallel(lines):
    assert lines("a\u2028b\x85c\vd\r\ne".encode()) == ["a\u2028b\x85c\vd", "e"]


def test_a_byte_order_mark_is_no_text(lines):
    assert lines(b"\xef\xbb\xbfa\nb") == ["a", "b"]


def test_a_long_line_is_refused(lines, monkeypatch):
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 10)
    with pytest.raises(SuiteError, match=r"data\.txt:2: a line of more than"):
        lines(b"short\n" + b"x" * 11)


def test_a_packed_file_that_unpacks_to_too_much_is_refused(lines, monkeypatch):
    monkeypatch.setattr(module, "MAX_DATA_BYTES", 1000)
    with pytest.raises(SuiteError, match=r"data\.gz:101: more than 0 MB, uncompressed"):
        lines(gzip.compress(b"123456789\n" * 10_000), "data.gz")


def test_a_file_that_is_only_called_gz_is_told(lines):
    with pytest.raises(SuiteError, match=r"data\.gz:1: damaged gzip file"):
        lines(b"plain text", "data.gz")


def test_parallel_files_give_their_lines_together(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"{name}1\n{name}2\n")
    found = list(parallel_lines({name: tmp_path / name for name in ("a", "b")}))
    assert [[line for _, line in one.values()] for one in found] == [["a1", "b1"], ["a2", "b2"]]
    assert [place.line for place, _ in found[1].values()] == [2, 2]
