"""Lines of plain and packed text files; what is wrong with a file is reported with its place"""

from __future__ import annotations

import gzip
import re

import pytest

from mtprobe.system.text_files import Limits, TextFile, TextFileError, raw_lines, text_lines

TEXT = "\ufeffone\r\ntwo\u2028still two\nthrée".encode()
LINES = [(1, "one"), (2, "two\u2028still two"), (3, "thrée")]


@pytest.mark.parametrize("name", ["plain", "packed.gz", "packed-without-saying-so"])
def test_lines_are_the_same_packed_or_not(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(TEXT) if "packed" in name else TEXT)
    assert list(text_lines(path)) == LINES


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(line=8), "file:3: a line of more than 0 MB"),
        (Limits(lines=3), "file:4: more than 3 lines"),
        (Limits(size=16), "file:3: more than 0 MB, uncompressed"),
    ],
)
def test_what_exceeds_a_limit_is_refused_at_its_line(tmp_path, limits, says):
    path = tmp_path / "file"
    path.write_bytes(b"one\n1234567\n0123456789\nfour\n")
    with pytest.raises(TextFileError, match=f"{re.escape(says)}$"):
        list(raw_lines(path, limits))
    path.write_bytes(b"one\n1234567\n")
    assert len(list(raw_lines(path, limits))) == 2


@pytest.mark.slow
def test_gzipped_newlines_are_refused_before_they_fill_the_memory(tmp_path):
    path = tmp_path / "newlines.gz"
    with gzip.open(path, "wb", 9) as stream:
        for _ in range(200):
            stream.write(b"\n" * 1_000_000)
    assert path.stat().st_size < 250_000
    with pytest.raises(TextFileError, match=r"newlines\.gz:2000001: more than 2,000,000 lines"):
        list(text_lines(path))
    with pytest.raises(TextFileError, match="unpacks to more than 100 times its size"):
        read_in_blocks(path)


def read_in_blocks(path):
    with TextFile(path) as file:
        while file.take(100_000):
            pass


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(tmp_path):
    path = tmp_path / "endless.gz"
    with gzip.open(path, "wb", 9) as stream:
        for _ in range(60):
            stream.write(bytes(1_000_000))
    with pytest.raises(TextFileError, match=r"endless\.gz:1: a line of more than 10 MB"):
        list(raw_lines(path))


def test_the_lines_before_damage_are_read(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"".join(b"%d\n" % number for number in range(20_000)))[:-9])
    seen: list[tuple[int, bytes]] = []
    with pytest.raises(TextFileError, match=r"damaged gzip file") as raised:
        seen.extend(raw_lines(path))
    assert raised.value.place.line == len(seen) + 1 > 10_000
    assert seen[-1][1] == b"%d\n" % (len(seen) - 1)


def test_lines_are_taken_in_blocks(tmp_path):
    path = tmp_path / "plain"
    path.write_bytes(TEXT)
    with TextFile(path) as file:
        assert file.take(2) == [b"one\r\n", "two\u2028still two\n".encode()]
        assert file.take(2) == ["thrée".encode()]
        assert (file.take(2), file.lines, file.position) == ([], 3, len(TEXT))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("latin", b"one\ntw\xff\n", "latin:2: not UTF-8 text"),
        ("cut", gzip.compress(b"one\n", mtime=0)[:-4], "cut:1: damaged gzip file"),
        ("plain.gz", b"one\n", "plain.gz:1: damaged gzip file"),
        ("missing", None, "missing: cannot be read: No such file or directory"),
    ],
)
def test_errors_have_their_place(tmp_path, name, content, says):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TextFileError) as error:
        list(text_lines(path))
    assert str(error.value).endswith(says)


def test_a_folder_cannot_be_read(tmp_path):
    with pytest.raises(TextFileError, match="cannot be read: Is a directory"):
        list(text_lines(tmp_path))
