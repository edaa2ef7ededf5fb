from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.methods.salience.words import is_punctuation, is_variant, unshared, word_spans


def cut(text, spans):
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It doesn't fit, does it?", ["It", "doesn't", "fit", ",", "does", "it", "?"]),
        ("«Ela» e (ele)…", ["«", "Ela", "»", "e", "(", "ele", ")", "…"]),
        ("doctor-patient -- 3.5", ["doctor-patient", "-", "-", "3.5"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # vowel signs are no letters, and still part of their words
        ("", []),
    ],
)
def test_words_and_punctuation_are_separate(text, words):
    assert cut(text, word_spans(text)) == words


@given(st.text(max_size=40))
def test_words_are_in_order_and_omit_only_space(text):
    spans = word_spans(text)
    assert spans == sorted(spans)
    assert "".join(cut(text, spans)) == "".join(text.split())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("weil er zu groß ist.", "weil sie zu groß ist.", ["er"]),
        ("elle a été refusée.", "il a été refusé.", ["elle", "refusée"]),
        ("Die Ärztin kam.", "Der Arzt kam.", ["Die Ärztin"]),
        ("Er kam.", "Er kam gern.", []),
        ("Er kam gern.", "Er kam.", ["gern"]),
        ("Same.", "same.", []),
    ],
)
def test_the_words_that_the_other_has_not(one, other, expected):
    assert cut(one, unshared(one, other)) == expected


def test_variants_of_a_sentence_are_recognised():
    assert is_variant("It is too large to fit.", "It is too small to fit.")
    assert not is_variant("It is too large to fit.", "Nobody came that day.")


def test_signs_are_no_words():
    assert is_punctuation("…»")
    assert not is_punctuation("it’s")
