"""Taggers: what the light rules are sure of, and what stanza's analyses become."""

from __future__ import annotations

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language.tagging import open_tagger, tagged_document, tokens_of


def tags(language, sentence):
    (tokens,) = open_tagger("rules", language).tag([sentence])
    return {token.text: token.pos for token in tokens}


def test_tokens_know_where_they_stand():
    text = "„Wie geht’s?“, fragte E-Mail-Tom."
    assert [text[start : start + len(word)] for word, start in tokens_of(text)] == [
        word for word, _ in tokens_of(text)
    ]
    assert [word for word, _ in tokens_of(text)][-2:] == ["E-Mail-Tom", "."]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Der alte Mann sieht Sie.", {"Der": "DET", "alte": "", "Mann": "NOUN", "Sie": "PRON", ".": "PUNCT"}),
        ("Zeitungen? Meinung ist alles!", {"Zeitungen": "", "Meinung": "NOUN"}),
        ("Gemäß dem Bayerischen Gesetz", {"Gemäß": "ADP", "Bayerischen": "ADJ", "Gesetz": "NOUN"}),
        ("Ich mag die USA nicht.", {"USA": "", "nicht": "PART"}),
        ("Er hat 3 Kinder", {"Er": "PRON", "hat": "AUX", "3": "NUM", "Kinder": "NOUN"}),
    ],
)
def test_german_nouns_have_a_capital_inside_a_sentence(sentence, expected):
    found = tags("de", sentence)
    assert {word: found[word] for word in expected} == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ele pôs o livro na mesa.", {"livro": "", "na": "DET", "mesa": "NOUN"}),
        ("Ela a leva para casa.", {"leva": "", "casa": ""}),
        ("Uma boa situação", {"boa": "", "situação": "NOUN"}),
        ("Eles são do Brasil.", {"são": "AUX", "Brasil": ""}),
        ("É mais do que isso", {"que": "PRON", "isso": "PRON"}),
    ],
)
def test_portuguese_nouns_stand_behind_a_sure_determiner(sentence, expected):
    found = tags("pt", sentence)
    assert {word: found[word] for word in expected} == expected


@pytest.mark.parametrize(
    ("phrase", "gender"),
    [
        ("uma casa", "feminine"),
        ("um problema", "masculine"),
        ("na mão", "feminine"),
        ("um dentista", None),
        ("a situação", "feminine"),
        ("o momento", "masculine"),
        ("um coração", "masculine"),
    ],
)
def test_portuguese_gender_by_ending(phrase, gender):
    (tokens,) = open_tagger("rules", "pt").tag([phrase])
    assert tokens[1].gender == gender


def test_stanza_words_become_tokens_with_their_features():
    stanza = pytest.importorskip("stanza")
    words = [
        {"id": (1, 2), "text": "Zum", "start_char": 0, "end_char": 3},
        {"id": 1, "text": "Zu", "upos": "ADP"},
        {"id": 2, "text": "dem", "upos": "DET", "feats": "Case=Dat|Gender=Neut|Number=Sing"},
        {
            "id": 3,
            "text": "Haus",
            "upos": "NOUN",
            "feats": "Gender=Neut|Number=Sing",
            "start_char": 4,
            "end_char": 8,
        },
        {"id": 4, "text": ".", "upos": "PUNCT", "start_char": 8, "end_char": 9},
    ]
    document = stanza.Document([words], text="Zum Haus.")
    zum, haus, stop = tagged_document(document)
    assert (zum.text, zum.start, zum.pos, zum.gender) == ("Zum", 0, "ADP", "neuter")
    assert "Case=Dat" in zum.features
    assert (haus.text, haus.start, haus.pos, haus.number) == ("Haus", 4, "NOUN", "singular")
    assert (stop.pos, stop.gender) == ("PUNCT", None)


def test_what_is_missing_is_told():
    with pytest.raises(MtprobeError, match='no tagger "rule"; did you mean "rules"'):
        open_tagger("rule", "de")
    with pytest.raises(MtprobeError, match='the rules know de and pt, not "fr"'):
        open_tagger("rules", "fr")
    pytest.importorskip("stanza")
    with pytest.raises(MtprobeError, match="stanza has no models for art on this machine; get them with"):
        open_tagger("stanza", "art")


def test_every_word_of_the_lists_is_text():
    from mtprobe.language.tagging import LANGUAGES, closed_class

    for language in LANGUAGES:
        words = set().union(*closed_class(language).values())
        assert "False" not in words
        assert all(word.strip() == word != "" for word in words)
    assert "no" in closed_class("pt")["sure"]
