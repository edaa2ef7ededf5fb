"""word-lists: words that a translation must or must not have"""

from __future__ import annotations

import re
import time

import pytest

import mtprobe
from mtprobe.errors import SuiteError

HEAD = """\
mtprobe: 1
name: words
about: Is the reader addressed politely?
languages: {source: en, targets: any}
method: word-lists
gates: {accuracy: ">= 0.9"}
"""
SOURCE = "Can you come tomorrow?"


@pytest.fixture
def judged(tmp_path):
    """The verdict on a translation, by word lists of the suite or of the sample."""

    def run(translation, lists, own="", target="fr"):
        path = tmp_path / "words.mt.yaml"
        path.write_text(f"{HEAD}{lists}samples:\n  - source: {SOURCE}\n{own}", encoding="utf-8")
        (tmp_path / "translations.txt").write_text(f"{SOURCE} ||| {translation}\n", encoding="utf-8")
        (done,) = mtprobe.run(
            path, f"file:{tmp_path / 'translations.txt'}", source="en", target=target
        ).suites
        (result,) = done.results
        return result.verdict

    return run


LISTS = "must_contain: {fr: [vous, votre]}\nmust_not_contain: {fr: [tu, ton, /\\bt'/]}\n"


@pytest.mark.parametrize(
    ("translation", "outcome", "reason"),
    [
        ("Pouvez-vous venir demain ?", "correct", ""),
        ("Peux-tu venir demain ?", "incorrect", "must not contain “tu”"),
        ("Venez demain.", "incorrect", "contains none of vous, votre"),
        ("Puis-je vous dire que je t'attends ?", "incorrect", "must not contain “t'”"),
    ],
)
def test_one_of_the_words_must_be_there_and_none_of_the_others(judged, translation, outcome, reason):
    verdict = judged(translation, LISTS)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


def test_dictionary_forms_find_inflected_words(judged):
    verdict = judged("Les voitures sont chères.", "must_contain: {fr: voiture}\n")
    assert verdict.outcome == "correct"
    assert [(item.text, dict(item.attributes)) for item in verdict.evidence] == [
        ("voitures", {"word": "voiture"})
    ]


FEMALE = "must_contain: {pt: padeira}\nmust_not_contain: {pt: padeiro}\n"
MALE = "must_contain: {pt: padeiro}\nmust_not_contain: {pt: padeira}\n"


@pytest.mark.parametrize(
    ("translation", "lists", "outcome", "reason"),
    [
        ("A padeira chegou.", FEMALE, "correct", ""),
        ("As Padeiras chegaram.", FEMALE, "correct", ""),
        ("O padeiro chegou.", FEMALE, "incorrect", "must not contain “padeiro”"),
        ("O padeiro chegou.", MALE, "correct", ""),
        ("Os padeiros chegaram.", MALE, "correct", ""),
        ("A padeira chegou.", MALE, "incorrect", "must not contain “padeira”"),
        ("As padeiras chegaram.", MALE, "incorrect", "contains “padeiras”, a form of “padeira” (must_not_contain)"),
        ("O padeiro chegou.", "must_contain: {pt: padeira}\n", "incorrect", "contains none of padeira"),
    ],
)  # fmt: skip
def test_two_genders_of_one_lemma_are_two_words(judged, translation, lists, outcome, reason):
    verdict = judged(translation, lists, target="pt")
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


def test_a_form_of_a_forbidden_word_is_named_with_the_word(judged):
    verdict = judged("A enfermeira chegou.", "must_not_contain: {pt: enfermeiro}\n", target="pt")
    assert verdict.reason == "contains “enfermeira”, a form of “enfermeiro” (must_not_contain)"


def test_a_sample_may_have_lists_of_its_own(judged):
    own = "    must_contain: {fr: tu}\n    must_not_contain: {fr: vous}\n"
    assert judged("Peux-tu venir demain ?", LISTS, own).outcome == "correct"


def test_lists_in_another_language_do_not_judge(judged):
    with pytest.raises(mtprobe.MtprobeError, match="in fr; available: de, pt"):
        judged("Peux-tu venir ?", "must_contain: {pt: tu}\nmust_not_contain: {de: du}\n")


def test_an_expression_that_cannot_be_read_names_its_place(judged):
    with pytest.raises(
        mtprobe.MtprobeError, match=r"words.mt.yaml:9:5: must_contain: /\(vous/ is not a regular expression"
    ):
        judged("Vous ?", "must_contain: {fr: /(vous/}\n")


@pytest.mark.slow
def test_an_expression_that_never_ends_is_an_error_within_its_limit(judged):
    start = time.process_time()
    verdict = judged(
        "Pouvez-vous venir demain avec tous vos amis de la ville et leurs enfants ?",
        "must_contain: {fr: '/^(\\w|\\w\\w|\\W)+[!§]$/'}\n",
    )
    assert time.process_time() - start < 10
    assert verdict.outcome == "error"
    assert "took longer than 1 s" in verdict.reason


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ('must_contain: {pt: ["//"]}', '"//" is not a word; signs are found by a regular expression'),
        ('must_not_contain: {pt: ["!"]}', '"!" is not a word'),
        ("must_contain: {pt: [a, b]}\nmust_not_contain: {pt: [a, b, c]}", "both have a, b (pt)"),
    ],
)
def test_words_that_can_never_be_found_are_problems_of_the_suite_each_once(tmp_path, words, complaint):
    path = tmp_path / "x.mt.yaml"
    path.write_text(
        "mtprobe: 1\nname: x\nabout: x\nlanguages: {source: en, targets: any}\nmethod: word-lists\n"
        f'gates: {{accuracy: ">= 0.5"}}\n{words}\nsamples: [{{source: One.}}, {{source: Two.}}]\n'
    )
    with pytest.raises(SuiteError, match=re.escape(complaint)) as error:
        mtprobe.load_suite(path)
    assert len(error.value.problems) == 1
