"""Placebo cues: words that settle nothing, where the real cues are"""

from __future__ import annotations

import pytest

from mtprobe.methods.conditioning.placebos import Placebos, placebo_cues, placebos_for

WORDS = Placebos(("tall", "old"), ("person", "adult"))


@pytest.mark.parametrize(
    ("cues", "placebos"),
    [
        (["man", "woman"], ["tall <>", "old <>"]),
        (["baby", "wild", "wax", "official"], ["tall <>", "old <>"]),
        (["[male]", "[female]"], ["[tall] <>", "[old] <>"]),
        (["<> (a man)", "<> (a woman)"], ["<> (a person)", "<> (an adult)"]),
        (["<>, a man,", "<>, a woman,"], ["<>, a person,", "<>, an adult,"]),
        (["<> as a man", "<> as a woman"], ["<> as a person", "<> as an adult"]),
        (["the male <>", "the female <>"], ["the tall <>", "the old <>"]),
        (["<> of the bank", "river <>"], ["tall <>", "old <>"]),  # nothing in common
        (["wax"], ["tall <>", "old <>"]),
    ],
)
def test_they_stand_where_the_cues_differ(cues, placebos):
    assert list(placebo_cues(cues, WORDS)) == placebos


def test_there_are_enough_for_three_cues_on_each_side_in_english_only():
    words = placebos_for("en-GB")
    assert words is not None
    assert min(len(set(words.adjectives)), len(set(words.persons))) >= 8
    assert placebos_for("de") is None
