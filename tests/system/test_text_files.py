"""Lines of plain and packed text files; what is wrong with a file is reported with its place"""

from __future__ import annotations

import gzip

import pytest

from mtprobe.system.text_files import TextFile, TextFileError, raw_lines, text_lines

TEXT = "\ufeffone\r\ntwo\u2028still two\nthrée".encode()
LINES = [(1, "one"), (2, "two\u2028still two"), (3, "thrée")]


@pytest.mark.parametrize("name", ["plain", "packed.gz", "packed-without-saying-so"])
def test_lines_are_the_same_packed_or_not(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(TEXT) if "packed" in name else TEXT)
    assert list(text_lines(path)) == LINES


def test_a_long_line_comes_in_parts(tmp_path):
    path = tmp_path / "long"
    path.write_bytes(b"0123456789\n")
    assert list(raw_lines(path, 8)) == [(1, b"01234567"), (2, b"89\n")]


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
        ("cut", gzip.compress(b"one\n")[:-4], "cut:1: damaged gzip file"),
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
