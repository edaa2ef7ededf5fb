"""What lint warns of in lists: one entry that is several, words on both lists, evidence and labels for nobody."""

from __future__ import annotations

import pytest

from mtprobe.suite.lint import warnings

LEXICON = """\
mtprobe: 1
name: people
about: Does a woman stay a woman?
languages: {source: en, targets: [de, pt-BR]}
method: lexicon
gates: {accuracy: ">= 0.60"}
samples:
  - source: The <doctor> slept.
    lemmas:
      pt: {good: [médica, doutora], bad: médico}
"""
WORDS = """\
mtprobe: 1
name: address
about: Is a judge addressed formally?
languages: {source: en, targets: [fr, pt]}
method: word-lists
gates: {accuracy: ">= 0.60"}
must_contain: {fr: [vous, votre], pt: [senhor]}
must_not_contain: {fr: [tu, "/t\\u2019/"]}
samples:
  - source: Can you hear me?
  - source: Will you wait?
"""
HEADER = "id\tsource\ttranslation\tlabel\tprobability\thalf\tlabelled_by\n"


@pytest.fixture
def warned(load):
    def warned(text: str, files: dict[str, str] | None = None) -> list[str]:
        return [f"{problem.place.line}: {problem.message}" for problem in warnings(load(text, files))]

    return warned


@pytest.mark.parametrize("text", [LEXICON, WORDS])
def test_good_lists_get_no_warning(warned, text):
    assert warned(text) == []


@pytest.mark.parametrize(
    ("text", "right", "wrong", "message"),
    [
        (LEXICON, "[médica, doutora]", '"médica, doutora"', '8: lemmas.pt: "médica, doutora" is one entry; for several, write a list: [médica, doutora]'),
        (LEXICON, "bad: médico", 'bad: "médico; doutor"', '8: lemmas.pt: "médico; doutor" is one entry; for several, write a list: [médico, doutor]'),
        (WORDS, "[vous, votre]", '"vous, votre"', '10: must_contain: "vous, votre" is one entry; for several, write a list: [vous, votre]'),
        (WORDS, "[tu, ", "[vous, ", '10: "vous" is in must_contain and in must_not_contain for fr; remove it from one of the two'),
        (WORDS, '"/t\\u2019/"', '"/tu"', '10: must_not_contain: "/tu" is a word; a regular expression is between two slashes'),
        (LEXICON, "      pt:", "      fr: {good: médecin, bad: infirmier}\n      pt:", "8: lemmas.fr: the suite is for models into de, pt-BR"),
        (WORDS, "pt: [senhor]", "pt: [senhor], es: [usted]", "10: must_contain.es: the suite is for models into fr, pt"),
    ],
)  # fmt: skip
def test_a_slip_in_a_list_is_one_warning(warned, text, right, wrong, message):
    assert right in text
    assert warned(text.replace(right, wrong)) == [message]


def test_a_cue_with_a_comma(good, warned):
    found = warned(good.replace("correct: woman", 'correct: "woman, lady"'))
    assert '13: cues: "woman, lady" is one entry; for several, write a list: [woman, lady]' in found
    assert "is one entry" not in str(warned(good.replace("correct: woman", 'correct: "<>, a woman,"')))


def test_labels_of_another_suite(good, warned):
    suite = good + "labels: {pt: labels.tsv}\n"
    mine = "a\tThe doctor lost her keys.\tA médica.\tcorrect\t\t\tme\n"
    swapped = "The doctor lost her keys.\ta\tA médica.\tcorrect\t\t\tme\n"
    assert "labels.pt" not in str(warned(suite, {"labels.tsv": HEADER + mine}))
    assert '16: labels.pt: not about a sentence of this suite: "The doctor lost her keys."' in warned(
        suite, {"labels.tsv": HEADER + mine + swapped}
    )
