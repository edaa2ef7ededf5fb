"""Alignments from files"""

from __future__ import annotations

import gzip

import pytest

from mtprobe.errors import Failure, MtprobeError
from mtprobe.language.alignment import SentencePair, open_aligner, read_alignment

PAIRS = "The  nurse left. ||| A enfermeira saiu.\n\nThe doctor left. ||| O médico saiu.\n"
LINKS = "0-0 1-1 2-2\n\n0-0 1-1\n"
NURSE = SentencePair("The nurse left.", "A enfermeira saiu.")
DOCTOR = SentencePair("The doctor left.", "O médico saiu.")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.txt").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "links.align").write_text(LINKS, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_links_are_found_by_their_texts():
    found = open_aligner("pairs.txt,links.align").align([DOCTOR, NURSE])
    assert found == [read_alignment("0-0 1-1"), read_alignment("0-0 1-1 2-2")]


def test_a_packed_file_is_read_as_it_is(folder):
    (folder / "links.align.gz").write_bytes(gzip.compress(LINKS.encode()))
    assert open_aligner("pairs.txt,links.align.gz").align([DOCTOR]) == [read_alignment("0-0 1-1")]


@pytest.mark.usefixtures("folder")
def test_a_pair_that_was_not_aligned_fails_alone():
    found = open_aligner("pairs.txt,links.align").align([DOCTOR, SentencePair("Hello.", "Olá.")])
    assert found[0] == read_alignment("0-0 1-1")
    assert isinstance(found[1], Failure)
    assert "no alignment of this source and translation" in found[1].reason


def test_the_name_changes_with_the_links(folder):
    before = open_aligner("pairs.txt,links.align").name
    (folder / "links.align").write_text(LINKS.replace("2-2", "2-1"), encoding="utf-8")
    assert open_aligner("pairs.txt,links.align").name != before


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (LINKS + "0-0\n", "links.align has 4 lines, pairs.txt has 3"),
        ("0-0 1-1\n", "links.align has 1 lines, pairs.txt has 3"),
        (LINKS.replace("1-1 2-2", "1:1"), 'links.align:1: "1:1" is not an alignment link'),
        (LINKS.replace("2-2", "2-9"), "links.align:1: the alignment names word 9"),
    ],
)
def test_a_file_that_does_not_fit_is_told(folder, links, message):
    (folder / "links.align").write_text(links, encoding="utf-8")
    with pytest.raises(MtprobeError) as told:
        open_aligner("pairs.txt,links.align").align([DOCTOR])
    assert message in str(told.value)


@pytest.mark.usefixtures("folder")
def test_what_is_neither_an_aligner_nor_a_file_is_told():
    with pytest.raises(MtprobeError, match=r"there is no file fast_align; write ibm1, eflomal, LINKS"):
        open_aligner("fast_align")
    with pytest.raises(MtprobeError, match="one file of links, or pairs and links"):
        open_aligner("pairs.txt,links.align,links.align")
