"""The published German rules of WinoMT, each on a sentence made for it."""

from __future__ import annotations

import pytest

from mtprobe.language.alignment import read_alignment
from mtprobe.language.gender.rules import german_gender

SOURCE = "Yesterday the lawyer called."


@pytest.mark.parametrize(
    ("translation", "alignment", "gender"),
    [
        ("Gestern rief die Anwältin, an.", "1-2 2-3", "female"),  # punctuation hides no ending
        ("Gestern rief der Anwalt an.", "1-2 2-3", "male"),  # the aligned article is the nearest
        ("Gestern rief die Anwalt an.", "2-3", "female"),  # so is one that is not aligned
        ("Gestern rief den Anwalt an.", "2-3", "male"),  # no word of the table at all: den is none
        ("Gestern rief das Anwalt an.", "2-3", "neutral"),
        ("Die Anwältin rief an.", "", "male"),  # no aligned word
        ("Die Anwältin rief an.", "0-0 3-1", "male"),  # none aligned to the occupation or its article
        ("Die Anwalt der rief.", "2-1", "female"),  # two as near: the left
        ("Sie , , , Anwalt , , der", "2-4", "male"),  # signs count in the distance
        ("Seine Anwalt , , , , rief der", "2-1", "female"),  # capitals do not
    ],
)
def test_a_rule(translation, alignment, gender):
    assert german_gender(SOURCE, 2, "lawyer", translation, read_alignment(alignment)) == gender


def test_a_nurse_is_a_woman_whatever_the_translation_says():
    assert (
        german_gender("The nurse called.", 1, "nurse", "Der Pfleger rief.", read_alignment("0-0 1-1"))
        == "female"
    )


def test_only_an_article_before_the_occupation_counts():
    aligned = read_alignment("0-0")
    assert german_gender("The lawyer called.", 1, "lawyer", "Freundin , der", aligned) == "female"
    assert german_gender("Her lawyer called.", 1, "lawyer", "Freundin , der", aligned) == "male"


def test_what_is_no_alignment_is_told():
    with pytest.raises(ValueError, match='"1:2" is not an alignment link'):
        read_alignment("0-0 1:2")
    with pytest.raises(ValueError, match="names word 9; the translation has 2 words"):
        german_gender(SOURCE, 2, "lawyer", "Der Anwalt", read_alignment("2-9"))
