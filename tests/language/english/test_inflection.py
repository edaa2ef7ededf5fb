"""English forms: regular, irregular, of phrases; which form a word has in a sentence."""

from __future__ import annotations

import pytest

from mtprobe.language.english.inflection import (
    VERB,
    Form,
    form_in,
    forms_of,
    inflected,
    is_plural,
    may_be,
    singulars,
)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("bank", "banks"), ("box", "boxes"), ("church", "churches"), ("monarch", "monarchs"), ("city", "cities"),
        ("day", "days"), ("calf", "calves"), ("roof", "roofs"), ("snowman", "snowmen"), ("human", "humans"),
        ("court case", "court cases"), ("work of art", "works of art"), ("mouse", "mice"), ("analysis", "analyses"),
    ],
)  # fmt: skip
def test_plurals(one, many):
    assert inflected(one, Form.PLURAL) == many
    assert is_plural(many)
    assert is_plural(one) is False
    if " " not in one:
        assert one in singulars(many)


@pytest.mark.parametrize("noun", ["sheep", "fish", "series", "aircraft"])
def test_a_noun_that_is_the_same_in_both_numbers(noun):
    assert inflected(noun, Form.PLURAL) == noun
    assert is_plural(noun) is None


@pytest.mark.parametrize("noun", ["bus", "lens", "glass", "news", "iris", "gas", "ship's bridge"])
def test_a_singular_in_s(noun):
    assert is_plural(noun) is False


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("strike", "strikes struck struck striking"),
        ("bore", "bores bored bored boring"),
        ("draw", "draws drew drawn drawing"),
        ("stop", "stops stopped stopped stopping"),
        ("admit", "admits admitted admitted admitting"),
        ("visit", "visits visited visited visiting"),
        ("carry", "carries carried carried carrying"),
        ("play", "plays played played playing"),
        ("fix", "fixes fixed fixed fixing"),
        ("lie", "lies lay lain lying"),
        ("agree", "agrees agreed agreed agreeing"),
        ("panic", "panics panicked panicked panicking"),
        ("hit", "hits hit hit hitting"),
    ],
)
def test_verbs(verb, forms):
    assert [inflected(verb, form) for form in VERB] == [verb, *forms.split()]


def test_a_phrasal_verb_is_inflected_in_its_verb():
    assert inflected("give up", Form.PAST) == "gave up"
    assert inflected("give up", Form.PARTICIPLE) == "given up"


def test_one_spelling_may_be_several_forms():
    assert forms_of("hit", "hit", "verb") == {Form.BASE, Form.PAST, Form.PARTICIPLE}
    assert forms_of("Banks", "bank", "noun") == {Form.PLURAL}
    assert forms_of("bank", "river", "noun") == frozenset()


@pytest.mark.parametrize(
    ("sentence", "word", "pos", "form"),
    [
        ("The ball <struck> him.", "strike", "verb", Form.PAST),
        ("The ball has <struck> him.", "strike", "verb", Form.PARTICIPLE),
        ("He was never really <struck> by it.", "strike", "verb", Form.PARTICIPLE),
        ("They didn't <strike>.", "strike", "verb", Form.BASE),
        ("My <glasses> broke.", "glasses", "noun", Form.PLURAL),
        ("My <arm> broke.", "arm", "noun", Form.SINGULAR),
        ("They <let> him in.", "let", "verb", None),  # today, or yesterday?
        ("The <shore> is near.", "bank", "noun", None),
    ],
)
def test_the_form_in_a_sentence(sentence, word, pos, form):
    focus = sentence.index("<"), sentence.index(">") - 1
    assert form_in(sentence.replace("<", "").replace(">", ""), focus, word, pos) is form


@pytest.mark.parametrize("verb", ["bring", "need", "shed", "sing", "cut", "press", "walk out"])
def test_what_may_be_a_base_form(verb):
    assert may_be(verb, Form.BASE)


@pytest.mark.parametrize("verb", ["brought", "moved", "moving", "went", "laid off"])
def test_what_may_not(verb):
    assert not may_be(verb, Form.BASE)


@pytest.mark.parametrize("verb", ["strike", "bite", "hand over", "go", "put", "stay", "rely"])
@pytest.mark.parametrize("form", VERB)
def test_every_form_may_be_itself(verb, form):
    assert may_be(inflected(verb, form), form)
