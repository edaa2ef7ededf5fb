"""Number words of a source are put into digits where nothing else can be meant."""

import pytest
from num2words import num2words

from mtprobe.language.invariants import Text
from mtprobe.language.invariants.spelled_out import spelled_out


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "pt"])
def test_every_number_is_read_as_it_is_spelled(language):
    for value in [*range(13, 100), *range(101, 1000)]:
        written = num2words(value, lang=language)
        assert spelled_out(Text(f"x: {written}.", language)).text == f"x: {value}.", written


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("nineteen eighty-four", "en"),
        ("twenty-four seven", "en"),
        ("a fifty-fifty chance", "en"),
        ("eighteen hundred euros", "en"),
        ("a hundred times", "en"),
        ("one of ten", "en"),
        ("dix pour cent", "fr"),
    ],
)
def test_what_may_mean_something_else_stays_as_it_is(text, language):
    assert spelled_out(Text(text, language)).text == text


def test_millions_keep_their_word():
    assert spelled_out(Text("eighty-five thousand people", "en")).text == "85 thousand people"
