"""GOOD, BAD or MISS: what stands in a translation, and which of two matches decides."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import MtprobeError, Place
from mtprobe.language.match import Match
from mtprobe.methods.lexicon import Lexicon, decides_for_good, longest
from mtprobe.methods.method import Ask, MethodOptions, Translated
from mtprobe.suite.sample import Sample, SenseLemmas
from tests.methods.asking import verdict_of

SENSES = {"gunshot": 1, "photograph": 4, "drink": 9}


def sample(
    good, bad, *, senses=None, source="He poured a shot of whiskey.", focus=(12, 16), language="de", **rest
):
    return Sample(
        id="one",
        source=source,
        focus=focus,
        category=None,
        attributes={"sense": "drink"},
        cluster="shot",
        place=Place(Path("x.mt.yaml"), 1),
        lemmas={language: SenseLemmas(tuple(good), tuple(bad), senses=senses or {})},
        senses=SENSES,
        **rest,
    )


def judged(one, translation, lemmatizer="auto", target="de", scores=None):
    method = Lexicon().configured(MethodOptions(lemmatizer=lemmatizer))
    return verdict_of(method, one, None, scores or (lambda _: None), translation, target)


def test_a_good_lemma_is_right_and_shows_where_it_stands():
    verdict = judged(sample(["Schluck"], ["Schuss"]), "Er goss sich zwei Schlucke Whiskey ein.")
    assert verdict.outcome == "correct"
    (evidence,) = verdict.evidence
    assert (evidence.side, evidence.text) == ("correct", "Schlucke")
    assert evidence.attributes == {
        "lemma": "Schluck",
        "found": "lemma",
        "sense": "drink",
        "sense_rank": 9,
        "at": "18–26",
    }


def test_a_bad_lemma_is_wrong_and_names_every_sense_that_it_belongs_to():
    one = sample(["Schluck"], ["Schuss"], senses={"Schuss": ("gunshot", "photograph")})
    verdict = judged(one, "Er goss einen Schuss Whiskey ein.")
    assert verdict.outcome == "incorrect"
    assert [(each.attributes["sense"], each.attributes["sense_rank"]) for each in verdict.evidence] == [
        ("gunshot", 1),
        ("photograph", 4),
    ]


def test_a_good_lemma_names_its_other_senses_too():
    one = sample(["Schuss"], ["Foto"], senses={"Schuss": ("gunshot",)})
    verdict = judged(one, "Er goss einen Schuss Whiskey ein.")
    assert verdict.outcome == "correct"
    assert [each.attributes["sense"] for each in verdict.evidence] == ["drink", "gunshot"]


def test_where_both_stand_the_longer_match_decides():
    one = sample(["Schuss Whiskey"], ["Schuss"])
    assert judged(one, "Er goss einen Schuss Whiskey ein.").outcome == "correct"
    other = sample(["Schuss"], ["Schuss Whiskey"])
    assert judged(other, "Er goss einen Schuss Whiskey ein.").outcome == "incorrect"


def test_of_equally_long_ones_the_bad_one_decides_and_both_are_shown():
    verdict = judged(sample(["Schluck"], ["Schuss"]), "Ein Schluck, ein Schuss.")
    assert verdict.outcome == "incorrect"
    assert [(one.side, one.text) for one in verdict.evidence] == [
        ("incorrect", "Schuss"),
        ("correct", "Schluck"),
    ]


def test_words_that_a_lemmatizer_folds_together_are_told_apart_by_their_spelling():
    """simplemma gives *enfermeiras* the lemma *enfermeiro*."""
    feminine, masculine = ["enfermeira"], ["enfermeiro"]
    for good, bad, outcome in ((feminine, masculine, "correct"), (masculine, feminine, "incorrect")):
        verdict = judged(sample(good, bad, language="pt"), "As enfermeiras chegaram.", target="pt")
        assert verdict.outcome == outcome


@pytest.mark.parametrize(
    ("translation", "masculine"),
    [
        ("Mon cousin est parti.", True),
        ("Mes cousins sont partis.", True),
        ("Ma cousine est partie.", False),
        ("Mes cousines sont parties.", False),
    ],
)
def test_of_two_listed_words_with_one_lemma_the_one_that_is_written_counts(translation, masculine):
    """simplemma gives *cousine* the lemma *cousin*, which begins with the same letters."""
    for good, bad, is_right in (
        (["cousin"], ["cousine"], masculine),
        (["cousine"], ["cousin"], not masculine),
    ):
        verdict = judged(sample(good, bad, language="fr"), translation, target="fr")
        assert verdict.outcome == ("correct" if is_right else "incorrect")


@pytest.mark.parametrize(
    ("translation", "reason"),
    [
        ("Er goss einen Shot Whiskey in das Glas.", "copied: “shot” is untranslated"),
        ("Er goss Whiskey.", "probably omitted: 3 words for 6"),
        ("Er goss ein wenig Whiskey in das Glas.", "other: contains none of the listed lemmas"),
    ],
)
def test_a_miss_is_undecided_and_says_what_can_be_told(translation, reason):
    verdict = judged(sample(["Schluck"], ["Schuss"]), translation)
    assert (verdict.outcome, verdict.reason, verdict.evidence) == ("undecided", reason, ())


def test_a_word_that_fits_both_senses_is_undecided_for_good():
    lemmas = SenseLemmas(("Schluck",), ("Aufnahme",), either=("Schuss",))
    one = replace(sample([], []), lemmas={"de": lemmas})
    verdict = judged(one, "Er goss einen Schuss Whiskey ein.")
    assert (verdict.outcome, verdict.reason) == ("undecided", "“Schuss” fits both senses")
    assert verdict.reading == "either"  # so that no evaluator is asked instead
    assert judged(one, "Er goss einen Schluck ein, einen Schuss.").outcome == "correct"


def test_a_translation_that_has_nothing_that_is_not_in_a_reference_left_the_word_out():
    one = sample(["Schluck"], ["Schuss"], references={"de": ("Er goss einen Schluck Whiskey in das Glas.",)})
    verdict = judged(one, "Er goss Whiskey in das Glas.")
    assert verdict.reason == "omitted: every word also occurs in a reference"


def test_a_sample_needs_lemmas_in_the_language():
    one = sample(["Schluck"], ["Schuss"])
    method = Lexicon()
    assert method.lacks(one) is None
    assert method.lacks(one, "de-AT") is None
    assert method.lacks(one, "es") == "needs `lemmas` in es; available: de"


def test_the_signature_names_the_lemmatizer_and_its_version():
    method = Lexicon()
    verdict_of(method, sample(["Schluck"], ["Schuss"]), None, lambda _: None, "Ein Schluck.", "de")
    assert method.details.startswith("simplemma ")


def test_another_lemmatizer_by_choice():
    one = sample(["Schluck"], ["Schuss"])
    assert judged(one, "Zwei Schlucke.").outcome == "correct"
    assert judged(one, "Zwei Schlucke.", "surface").outcome == "undecided"
    with pytest.raises(MtprobeError, match='there is no lemmatizer "simplema"'):
        judged(one, "Ein Schluck.", "simplema")


def test_chinese_is_parted_into_words():
    one = sample(["杯", "小杯"], ["枪手", "射击"], language="zh")
    verdict = judged(one, "他倒了一杯威士忌。", target="zh-Hans")
    assert (verdict.outcome, verdict.evidence[0].text) == ("correct", "杯")


def test_a_wrong_translation_is_scored_beside_good_ones_where_the_model_can():
    one = sample(["Schluck"], ["Schuss"], references={"de": ("Ein Schluck Whiskey.",)})
    verdict = judged(
        one, "Ein Schuss Whiskey.", scores=lambda pair: (-1.0,) if "Schuss" in pair.target else (-2.0,)
    )
    assert [(each.side, each.score) for each in verdict.evidence] == [
        ("incorrect", None),
        ("translation", -1.0),
        ("reference", -2.0),
    ]
    right = judged(one, "Ein Schluck Whiskey!", scores=lambda _: (-1.0,))
    assert [each.side for each in right.evidence] == ["correct"]


def test_in_the_references_of_a_published_set_the_right_lemmas_are_found(shared_data):
    """MuCoW's references hold a correct lemma; now and then an incorrect one stands beside it."""
    files = {
        name: gzip.decompress((shared_data / "mucow" / f"en-de.{name}.gz").read_bytes()).decode().splitlines()
        for name in ("text.txt", "key.tsv", "ref.txt")
    }
    translated = []
    for source, key, reference in zip(*files.values(), strict=True):
        good, bad = ([one for one in side.split() if one != "."] for side in key.split("\t")[3:])
        translated.append(Translated(sample(good, bad, source=source, focus=None), reference))
    verdicts = Lexicon().judge(translated, Ask(None, LanguagePair("en", "de"), lambda _: {}))
    outcomes = Counter(verdict.outcome.value for verdict in verdicts)
    assert sum(outcomes.values()) == 3337
    assert outcomes["undecided"] == 0
    assert outcomes["correct"] / 3337 > 0.99


MATCHES = st.lists(
    st.builds(
        Match,
        lexeme=st.just("x"),
        level=st.just("lemma"),
        length=st.integers(1, 3),
        closeness=st.integers(0, 4),
        places=st.frozensets(st.integers(0, 3), min_size=1, max_size=2),
        start=st.just(0),
        end=st.just(1),
    ),
    max_size=4,
)


@given(MATCHES, MATCHES)
def test_the_longer_match_always_decides_and_more_bad_ones_never_help(good, bad):
    right = decides_for_good(good, bad)
    if not good or not bad:
        assert right == bool(good)
    elif longest(good)[0].length != longest(bad)[0].length:
        assert right == (longest(good)[0].length > longest(bad)[0].length)
    for one in bad:
        assert right or not decides_for_good(good, [*bad, one])
    assert decides_for_good(list(reversed(good)), list(reversed(bad))) == right
