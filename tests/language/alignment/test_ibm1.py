"""The light aligner: what it learns from a suite, and that it is as good as what was published"""

from __future__ import annotations

import gzip
import random
from itertools import product

import pytest

from mtprobe.language.alignment import SentencePair, aligned_to, read_alignment
from mtprobe.language.alignment.ibm1 import IBM1

NOUNS = {
    "doctor": ("o médico", "a médica"),
    "baker": ("o padeiro", "a padeira"),
    "writer": ("o escritor", "a escritora"),
    "truck driver": ("o motorista de caminhão", "a motorista de caminhão"),
}
TEMPLATES = {
    "We waited for the {}.": "Nós esperamos por {}.",
    "Yesterday the {} sold a house.": "{} vendeu ontem uma casa.",  # which comes first where it did not
    "The {} was tired.": "{} estava com sono.",
}


def pairs():
    found = {}
    for (source, target), (noun, forms), gender in product(TEMPLATES.items(), NOUNS.items(), (0, 1)):
        found[SentencePair(source.format(noun), target.format(forms[gender]))] = (noun, forms[gender])
    return found


def test_the_words_of_an_occupation_are_found_wherever_they_stand():
    known = pairs()
    for (pair, (noun, form)), links in zip(known.items(), IBM1().align(list(known)), strict=True):
        first = pair.source.rstrip(".").split().index(noun.split()[-1])
        words = [pair.translation.split()[at].strip(".") for at in aligned_to(links, [first])]
        assert set(words) & set(form.split()[1:]), (pair, words)


def test_the_order_of_pairs_changes_nothing_nor_does_a_repetition():
    known = list(pairs())
    found = dict(zip(known, IBM1().align(known), strict=True))
    mixed = known * 2
    random.Random(3).shuffle(mixed)
    assert all(found[pair] == links for pair, links in zip(mixed, IBM1().align(mixed), strict=True))


def test_a_side_without_words_has_no_links():
    assert IBM1().align([SentencePair("The nurse", ""), SentencePair("", "A enfermeira")]) == [(), ()]
    assert IBM1().align([]) == []


@pytest.mark.parametrize("system", ["google.en-pt", "aws.en-de", "google.en-de"])
def test_it_finds_the_same_words_as_published_alignments(system, shared_data):
    """Where a published alignment has a word for the occupation, at least 97 % of ours share it."""
    folder = shared_data / "winomt"
    rows = [line.split("\t") for line in unpacked(folder / "test.tsv.gz")]
    known = [
        SentencePair(*line.split(" ||| ")) for line in unpacked(folder / f"translations/{system}.txt.gz")
    ]
    published = map(read_alignment, unpacked(folder / f"fast_align/{system}.align.gz"))
    shared = missing = total = 0
    for row, ours, theirs in zip(rows, IBM1().align(known), published, strict=True):
        index = int(row[1])
        if wanted := set(aligned_to(theirs, [index])):
            total += 1
            found = set(aligned_to(ours, [index]))
            missing += not found
            shared += bool(wanted & found)
    assert shared / total >= 0.97
    assert missing / total <= 0.01


def unpacked(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines()
