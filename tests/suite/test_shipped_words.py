"""The shipped suite of ambiguous words keeps what it promises to those who judge models by it."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import mtprobe
from mtprobe.suite.lint import warnings
from mtprobe.suite.samples.focus import contrastive_sources
from mtprobe.suites import load_suite

PATH = Path(mtprobe.__file__).parent.parent / "suites" / "wsd" / "everyday-words.mt.yaml"


@pytest.fixture(scope="module")
def suite():
    if not PATH.exists():
        pytest.skip("installed without its suites")
    return load_suite(PATH)


@pytest.fixture(scope="module")
def words(suite):
    """By word and part of speech, each sense with its samples."""
    found = defaultdict(lambda: defaultdict(list))
    for sample in suite.samples:
        known = sample.attributes
        found[known["word"], known["pos"]][known["sense"]].append(sample)
    return found


def focus(sample):
    return sample.source[slice(*sample.focus)]


def replaces(cue):
    return cue.startswith("<") and cue.endswith(">") and cue != "<>"


def test_it_lints_clean(suite):
    assert [str(problem) for problem in warnings(suite)] == []


def test_it_has_a_hundred_words_of_two_parts_of_speech(words):
    of = {pos: {word for word, its in words if its == pos} for pos in ("noun", "verb")}
    assert len(of["noun"]) >= 70
    assert len(of["verb"]) >= 30
    assert len(of["noun"] | of["verb"]) >= 100


def test_it_stays_small_enough_for_the_demo(suite):
    assert len(suite.samples) <= 600


def test_every_word_has_a_frequent_and_a_rare_sense_with_two_contexts_or_more(words):
    for word, senses in words.items():
        categories = [{sample.category for sample in samples} for samples in senses.values()]
        assert sorted(categories, key=sorted) == [{"frequent"}, {"rare"}], word
        assert all(len(samples) >= 2 for samples in senses.values()), word


def test_every_sample_has_different_contrastive_sources(suite):
    for sample in suite.samples:
        sides = contrastive_sources(sample, suite.source)
        sources = (*sides.correct, *sides.incorrect)
        assert len({*sources}) == len(sources), sample.id
        assert sample.source not in sources, sample.id


def test_sentences_are_short_and_end(suite):
    for sample in suite.samples:
        assert 6 <= len(sample.source.split()) <= 14, sample.id
        assert sample.source.endswith((".", "?")), sample.id


def test_three_cues_per_side_replace_the_word(suite):
    for sample in suite.samples:
        for cues in (sample.cues.correct, sample.cues.incorrect):
            assert sum(replaces(cue) for cue in cues) == 3, sample.id


def test_nouns_have_one_or_two_cues_per_side_that_come_before_them_and_verbs_none(suite):
    for sample in suite.samples:
        for cues in (sample.cues.correct, sample.cues.incorrect):
            before = [cue for cue in cues if "<" not in cue]
            assert len(before) == len(cues) - 3, sample.id
            assert len(before) in ((1, 2) if sample.attributes["pos"] == "noun" else (0,)), sample.id


def test_no_cue_before_the_word_is_in_the_sentence_already(suite):
    for sample in suite.samples:
        words = {word.strip(".,?").casefold() for word in sample.source.split()}
        for cue in (*sample.cues.correct, *sample.cues.incorrect):
            assert cue.casefold() not in words, sample.id


@pytest.mark.parametrize("language", ["fr", "pt"])
def test_nearly_every_sample_has_lemmas_of_both_senses(suite, language):
    """Some words are ambiguous in the target language too: French grue is a machine and a bird."""
    listed = [sample.lemmas.get(language) for sample in suite.samples if sample.lemmas]
    both = [lemmas for lemmas in listed if lemmas and lemmas.correct and lemmas.incorrect]
    assert len(both) >= 0.98 * len(suite.samples)


def test_a_verb_has_one_form_in_all_contexts_so_that_its_cues_fit(words):
    for (word, pos), senses in words.items():
        if pos == "verb":
            assert len({focus(sample) for samples in senses.values() for sample in samples}) == 1, word


@pytest.mark.parametrize("language", ["de", "fr", "pt"])
def test_audit_pairs_cover_both_categories_and_many_words(suite, language):
    pairs = suite.audit_for(language)
    assert len({pair.sample.attributes["word"] for pair in pairs}) >= 60
    for category in ("frequent", "rare"):
        assert sum(pair.sample.category == category for pair in pairs) >= 30


@pytest.mark.parametrize("language", ["de", "fr", "pt"])
def test_the_two_targets_of_an_audit_pair_share_most_of_their_words(suite, language):
    """They differ in the sense alone, so that nothing else can tell them apart."""
    for pair in suite.audit_for(language):
        (correct,), (incorrect,) = pair.targets["correct"], pair.targets["incorrect"]
        assert correct != incorrect, pair.sample.id
        mine, other = ({*text.rstrip(".?").split()} for text in (correct, incorrect))
        assert len(mine & other) >= len(mine) / 3, pair.sample.id


def test_no_sentence_stands_twice_among_the_audit_pairs(suite):
    for language, pairs in suite.audit.items():
        texts = [text for pair in pairs for targets in pair.targets.values() for text in targets]
        assert len(texts) == len({*texts}), language
