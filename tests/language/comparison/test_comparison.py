"""Two sentences of one language: which words of content only one of them has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.language.comparison import Reader, compare, lexicon_of
from mtprobe.language.lemmatizers import open_lemmatizer

LANGUAGES = ("de", "en", "es", "fr", "it", "pt", "ru")


def reader(language, lemmatizer="auto"):
    return Reader(lexicon_of(language), open_lemmatizer(lemmatizer, language))


def differences(language, one, other):
    reads = reader(language)
    readings = reads.read([one, other])
    comparison = compare(readings[one], readings[other], reads.same)
    return [
        (" ".join(word.text for word in segment.first), " ".join(word.text for word in segment.second))
        for segment in comparison.segments
    ]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("pt", "O livro da menina está na mesa.", "Os livros das meninas estavam em uma mesa."),
        ("pt", "Priya é o nosso novo professor.", "Priya é nossa nova professora."),
        ("pt", "O gato velho dorme.", "O velho gato dorme."),
        ("fr", "L'homme est arrivé à l'école.", "Un homme arriva dans une école."),
        ("fr", "On n'a pas trouvé la clé.", "Nous n'aurions pas pu trouver la clé."),
        ("fr", "LE CHIEN DORT.", "Le chien dort."),
    ],
)
def test_articles_prepositions_agreement_and_order_do_not_count(language, one, other):
    assert differences(language, one, other) == []


def test_what_only_one_sentence_has():
    assert differences("pt", "O quarto é tranquilo.", "O quarto é tranquilo à noite.") == [("", "noite")]
    assert differences("fr", "Le lapin de mon père est vieux.", "Mon père est vieux.") == [("lapin", "")]


def test_a_word_replaced_on_the_other_side_of_its_neighbour_is_one_difference():
    found = differences("pt", "O gato velho desapareceu ontem.", "O velho lobo desapareceu ontem.")
    assert found == [("gato", "lobo")]


@given(st.sampled_from(["fr", "pt"]), st.text(max_size=60))
def test_a_sentence_does_not_differ_from_itself(language, text):
    assert differences(language, text, text) == []


@given(st.text("abc défgé ", max_size=40), st.text("abc défgé ", max_size=40))
def test_differences_mirror_each_other(one, other):
    there, back = differences("fr", one, other), differences("fr", other, one)
    words = [sorted(" ".join(side).split()) for side in zip(*there, strict=True)] or [[], []]
    mirrored = [sorted(" ".join(side).split()) for side in zip(*back, strict=True)] or [[], []]
    assert len(words[0]) - len(words[1]) == len(mirrored[1]) - len(mirrored[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_negation_is_no_content_and_no_function_word_is_listed_as_negation(language):
    lexicon = lexicon_of(language)
    assert lexicon.known
    assert lexicon.negation
    assert not lexicon.negation & lexicon.function


@pytest.mark.parametrize(
    ("language", "text", "negated"),
    [
        ("pt", "Ele não veio.", True),
        ("pt", "Ele veio.", False),
        ("fr", "Il n'y a plus de pain.", True),
        ("fr", "Il y a plus de pain.", False),
        ("fr", "Une personne est venue.", False),
        ("fr", "Personne n'est venu.", True),
        ("de", "Er hat keine Zeit.", True),
        ("es", "Nadie vino.", True),
        ("it", "Non è venuto nessuno.", True),
        ("ru", "Он не пришёл.", True),
        ("en", "He didn't come.", False),  # read as a target, *didn* and *t* are words of their own
    ],
)
def test_what_negates_a_sentence(language, text, negated):
    assert bool(reader(language, "surface").read([text])[text].negations) is negated


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("pt", "honesta", "desonesta"),
        ("pt", "possível", "impossível"),
        ("pt", "concordo", "discordo"),
        ("fr", "légal", "illégal"),
        ("fr", "heureux", "malheureux"),
        ("de", "möglich", "unmöglich"),
        ("es", "acuerdo", "desacuerdo"),
    ],
)
def test_a_word_and_its_opposite(language, one, other):
    lexicon = lexicon_of(language)
    assert lexicon.are_opposites(frozenset({one}), frozenset({other}))
    assert lexicon.are_opposites(frozenset({other}), frozenset({one}))
    assert not lexicon.are_opposites(frozenset({one}), frozenset({one}))


@pytest.mark.parametrize(
    ("language", "one", "other", "differ"),
    [
        ("pt", "cansado", "cansada", True),
        ("pt", "professor", "professora", True),
        ("pt", "cansado", "cansados", False),
        ("fr", "déçu", "déçue", True),
        ("fr", "sérieux", "sérieuse", True),
        ("fr", "grand", "grands", False),
        ("de", "müde", "müder", False),
    ],
)
def test_endings_that_differ_in_gender(language, one, other, differ):
    assert lexicon_of(language).differ_in_gender(one, other) is differ
    assert lexicon_of(language).differ_in_gender(other, one) is differ


def test_a_language_without_lists_takes_short_words_for_grammar():
    lexicon = lexicon_of("fi")
    assert not lexicon.known
    assert lexicon.has_content(frozenset({"talo"}))
    assert not lexicon.has_content(frozenset({"on"}))
