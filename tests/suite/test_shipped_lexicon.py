"""The shipped suite for the method lexicon keeps what it promises, in each of its languages."""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path

import pytest
import yaml

import mtprobe
from mtprobe.gates import gates_for
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.language.match import Matcher, fold
from mtprobe.methods.lexicon import decides_for_good
from mtprobe.suites import load_suite

PATH = Path(mtprobe.__file__).parent.parent / "suites" / "lexicon" / "ambiguous-words.mt.yaml"
LANGUAGES = ("de", "es", "fr", "it", "pt", "ru", "zh")
BY_HAND = yaml.safe_load(Path(__file__).with_name("lexicon_translations.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def suite():
    if not PATH.exists():
        pytest.skip("installed without its suites")
    return load_suite(PATH)


def test_it_has_two_hundred_items_of_two_parts_of_speech(suite):
    counted = Counter(sample.category for sample in suite.samples)
    assert len(suite.samples) >= 200
    assert counted["noun"] >= 120
    assert counted["verb"] >= 75
    assert all(sample.category == sample.attributes["pos"] for sample in suite.samples)


def test_rare_senses_stand_in_front(suite):
    ranks = [sample.attributes["sense_rank"] for sample in suite.samples]
    assert sum(rank > 1 for rank in ranks) >= 0.85 * len(ranks)
    assert sum(rank > 3 for rank in ranks) >= 0.5 * len(ranks)
    assert ranks.count(1) >= 20
    assert len({*ranks}) >= 10


def test_every_word_has_three_senses_or_more_and_no_rank_beyond_them(suite):
    degrees = {sample.attributes["polysemy"] for sample in suite.samples}
    assert min(degrees) >= 3
    assert len(degrees) >= 15
    for sample in suite.samples:
        assert max(sample.senses.values()) <= sample.attributes["polysemy"], sample.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_item_has_good_and_bad_lemmas_in_every_language(suite, language):
    assert language in suite.targets
    for sample in suite.samples:
        lemmas = sample.lemmas[language]
        assert lemmas.correct, sample.id
        assert lemmas.incorrect, sample.id
        assert not {*map(fold, lemmas.correct)} & {*map(fold, lemmas.incorrect)}, sample.id
        assert all(lemmas.senses[lemma] for lemma in lemmas.incorrect), sample.id


@pytest.mark.parametrize(("language", "script"), [("ru", "CYRILLIC"), ("zh", "CJK")])
def test_lemmas_are_in_the_script_of_their_language(suite, language, script):
    for sample in suite.samples:
        for lemma in (*sample.lemmas[language].correct, *sample.lemmas[language].incorrect):
            names = {unicodedata.name(sign).split()[0] for sign in lemma if sign.isalpha()}
            assert names == {script}, (sample.id, lemma)


def test_a_rare_sense_has_lemmas_of_a_more_frequent_one_against_it(suite):
    """Without them nothing could tell that a model has fallen back on it."""
    for sample in suite.samples:
        rank = sample.attributes["sense_rank"]
        if rank > 1:
            assert min(sample.senses.values()) < rank, sample.id


def test_sentences_are_short_whole_and_stand_once(suite):
    sources = [sample.source for sample in suite.samples]
    assert len(sources) == len({*sources})
    for sample in suite.samples:
        assert 7 <= len(sample.source.split()) <= 16, sample.id
        assert sample.source[0].isupper(), sample.id
        assert sample.source.endswith((".", "?")), sample.id


def test_it_is_gated_by_what_dibimt_measures(suite):
    metrics = {gate.metric.name for gate in gates_for(suite, "de")}
    assert {"accuracy", "undecided", "sfii", "spdi", "mfs"} <= metrics


@pytest.mark.parametrize("language", LANGUAGES)
def test_right_and_wrong_translations_by_hand_are_told_apart(suite, language):
    known = {sample.id: sample for sample in suite.samples}
    matcher = Matcher(open_lemmatizer("auto", language), language)
    for name, texts in BY_HAND[language].items():
        lemmas = known[name].lemmas[language]
        matcher.learn((*lemmas.correct, *lemmas.incorrect))
        for sentence, right in zip(
            matcher.sentences([texts["right"], texts["wrong"]]), (True, False), strict=True
        ):
            good, bad = matcher.find(sentence, lemmas.correct, lemmas.incorrect)
            assert good or bad, (name, sentence.text)
            assert decides_for_good(good, bad) == right, (name, sentence.text)
