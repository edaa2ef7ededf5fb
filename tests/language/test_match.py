"""Lexemes in sentences: lemmas first, then words, then the text; gaps take any number of words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.language.lemmatizers import Token, open_lemmatizer
from mtprobe.language.match import Matcher, fold, occurrences
from mtprobe.language.words import words_of


def found(matcher, sentence, *sides):
    matcher.learn(lexeme for side in sides for lexeme in side)
    (one,) = matcher.sentences([sentence])
    return [
        [(match.lexeme, match.level, one.text[match.start : match.end]) for match in matches]
        for matches in matcher.find(one, *sides)
    ]


@pytest.fixture(scope="module")
def german():
    return Matcher(open_lemmatizer("simplemma", "de"), "de")


def surface(language="de"):
    return Matcher(open_lemmatizer("surface", language), language)


def test_an_inflected_word_is_found_by_its_lemma(german):
    assert found(german, "Wir brauchen zwei Vorspeisen!", ["Vorspeise"], ["Anlasser"]) == [
        [("Vorspeise", "lemma", "Vorspeisen")],
        [],
    ]


def test_a_gap_takes_any_number_of_words_and_none(german):
    for sentence, there in (
        ("Er nimmt frei.", "nimmt frei"),
        ("Er nimmt sich morgen frei.", "nimmt sich morgen frei"),
        ("Frei ist, wer nimmt.", None),
    ):
        (matches,) = found(german, sentence, ["nehmen * frei"])
        assert [text for *_, text in matches] == ([there] if there else [])


def test_of_several_ways_through_a_gap_the_narrowest_is_shown(german):
    (matches,) = found(german, "Ich nehme und du nimmst dir frei, ganz frei.", ["nehmen * frei"])
    assert {text for *_, text in matches} == {"nehme und du nimmst dir frei", "nimmst dir frei"}


class InContext:
    """Reads words in a sentence otherwise than alone, as a tagger does."""

    name = "in context"

    def __init__(self, **read):
        self.read = read  # what it makes of a word among others

    def lemmatize(self, sentences):
        return [self.one(words_of(text)) for text in sentences]

    def one(self, words):
        if len(words) == 1:
            return [Token(words[0], words[0])]
        return [token for word in words for token in self.read.get(word, [Token(word, word)])]


def test_a_word_with_a_strange_lemma_is_found_as_it_is_written():
    matcher = Matcher(InContext(Banken=[Token("Banken", "?")]), "de")
    assert found(matcher, "Die Banken", ["Banken"]) == [[("Banken", "word", "Banken")]]


def test_a_contraction_is_searched_apart_and_as_it_is_written():
    parts = [Token("zu", "zu", written="zum"), Token("dem", "der", written="")]
    matcher = Matcher(InContext(zum=parts), "de")
    assert found(matcher, "Er ging zum Ufer", ["der Ufer"]) == [[("der Ufer", "lemma", "zum Ufer")]]
    assert found(matcher, "Er ging zum Ufer", ["dem Ufer"]) == [[("dem Ufer", "word", "zum Ufer")]]
    assert found(matcher, "Er ging zum Ufer", ["zum Ufer"]) == [[("zum Ufer", "word", "zum Ufer")]]


def test_part_of_a_hyphenated_word_is_found_in_the_text():
    assert found(surface(), "Ein Espresso-Shot, bitte.", ["Shot"]) == [[("Shot", "text", "Shot")]]
    assert found(surface(), "Ein Espressoshot, bitte.", ["Shot"]) == [[]]


def test_where_writing_has_no_spaces_text_is_enough():
    assert found(surface("zh"), "他倒了一小杯威士忌。", ["小杯"], ["枪手"]) == [
        [("小杯", "text", "小杯")],
        [],
    ]
    assert found(surface("zh"), "他请了三天假。", ["请 * 假"]) == [[("请 * 假", "text", "请了三天假")]]


def test_a_level_is_only_reached_where_the_one_before_found_nothing(german):
    """*Shot* stands in the text too, inside of a word; the lemma decides alone."""
    assert found(german, "Espresso-Shot und Vorspeise", ["Shot"], ["Vorspeise"]) == [
        [],
        [("Vorspeise", "lemma", "Vorspeise")],
    ]


def test_capitals_and_spelling_variants_do_not_matter():
    assert fold("STRASSE") == fold("Straße")
    assert fold("ЁЛКА") == fold("елка")


def test_a_part_of_speech_counts_where_the_lemmatizer_tells_one():
    tagged = Matcher(open_lemmatizer("pymorphy3", "ru"), "ru")
    assert found(tagged, "Он выпил рюмку", ["рюмка|noun"])[0]
    assert found(tagged, "Он выпил рюмку", ["рюмка|verb"]) == [[]]
    assert found(surface("ru"), "рюмка", ["рюмка|verb"])[0]


ALPHABET = st.sampled_from("abc")


def brute_force(runs, words):
    """Whether the runs stand among the words in their order: by a regular expression over letters."""
    pattern = ".*".join("".join(run) for run in runs)
    return re.search(pattern, "".join(words)) is not None


@given(
    st.lists(ALPHABET, max_size=9),
    st.lists(st.lists(ALPHABET, min_size=1, max_size=3), min_size=1, max_size=3),
)
def test_gaps_match_what_trying_every_way_matches(words, runs):
    at = [[[place for place, there in enumerate(words) if there == word] for word in run] for run in runs]
    places = list(occurrences(at))
    assert bool(places) == brute_force(runs, words)
    flat = [letter for run in runs for letter in run]
    for one in places:
        assert [words[place] for place in one] == flat
        assert list(one) == sorted(set(one))


@given(
    st.lists(ALPHABET, max_size=9),
    st.lists(st.lists(ALPHABET, min_size=1, max_size=2), min_size=1, max_size=3),
)
def test_a_lexeme_is_found_among_lemmas_just_when_its_pattern_is(words, runs):
    matcher = surface()
    lexeme = " * ".join(" ".join(run) for run in runs)
    (matches,) = found(matcher, " ".join(words), [lexeme])
    assert any(level == "lemma" for _, level, _ in matches) == brute_force(runs, words)
