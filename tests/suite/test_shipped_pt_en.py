"""suites/pt-en: even, and large enough to say something."""

from __future__ import annotations

from collections import Counter

import pytest

from mtprobe.suites import load_suite
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def pronouns():
    return load_suite(ROOT / "suites/pt-en/pronouns.mt.yaml").samples


@pytest.fixture(scope="module")
def words():
    return load_suite(ROOT / "suites/pt-en/words.mt.yaml").samples


def test_every_sentence_is_asked_of_women_and_men(pronouns):
    frames = Counter((sample.id.partition("/")[0], sample.attributes["occupation"]) for sample in pronouns)
    assert len(pronouns) >= 200
    assert set(frames.values()) == {2}
    assert len({category for category, _ in Counter((s.category, s.id) for s in pronouns)}) == 2


def test_clichés_and_kinds_of_nouns_are_even(pronouns):
    facts = {s.attributes["occupation"]: (s.attributes["typical"], s.attributes["marked"]) for s in pronouns}
    assert set(Counter(facts.values()).values()) == {6}


def test_nothing_but_the_person_shows_a_gender(pronouns):
    """A sentence about a woman and the one about the man of her occupation differ in the person alone."""
    rest = {}
    for sample in pronouns:
        start, end = sample.focus
        frame = sample.id.partition("/")[0]
        rest.setdefault(frame, set()).add(sample.source[:start] + sample.source[end:])
    assert all(len(sources) == 1 for sources in rest.values())


def test_every_word_has_two_senses_of_two_sentences(words):
    senses = Counter((sample.attributes["word"], sample.attributes["sense"]) for sample in words)
    assert len(words) >= 80
    assert set(senses.values()) == {2}
    assert set(Counter(word for word, _ in senses).values()) == {2}
    assert Counter(sample.category for sample in words) == {
        "frequent": len(words) / 2,
        "rare": len(words) / 2,
    }
