"""Perturbations: small changes to a sentence, the same ones each time."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.language.perturbations import PERTURBATIONS
from mtprobe.language.perturbations.name_swap import given_gender

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "relations.md"


def perturbed(name, sentence, focus=None, seed="0"):
    return PERTURBATIONS[name].apply(sentence, focus, Random(seed))


@pytest.mark.parametrize(
    ("name", "sentence", "expected"),
    [
        ("lower-start", "What else is happening?", "what else is happening?"),
        ("lower-start", "I am here.", "I am here."),
        ("lower-start", "I'm here.", "I'm here."),
        ("lower-start", "NATO agreed.", "NATO agreed."),
        ("lower-case", "Anna saw Paris.", "anna saw paris."),
        ("upper-case", "What else?", "WHAT ELSE?"),
        ("no-final-stop", "We left.", "We left"),
        ("no-final-stop", "We left...", "We left..."),
        ("no-final-stop", "Did we leave?", "Did we leave?"),
        ("extra-space", "We left.", "We  left."),
        ("typographic-quotes", "My father's \"dog\" isn't old.", "My father’s “dog” isn’t old."),
        ("contraction", "We are sure that it will not rain.", "We're sure that it won't rain."),
        ("contraction", "Do not go!", "Don't go!"),
        ("contraction", "She cannot come.", "She can't come."),
        ("contraction", "That is who we are.", "That's who we are."),
    ],
)
def test_what_a_perturbation_makes_of_a_sentence(name, sentence, expected):
    assert perturbed(name, sentence) == expected


def test_a_typo_changes_one_inner_part_of_one_word():
    for seed in range(50):
        changed = perturbed("typo", "The doctor visited a patient.", seed=str(seed)).split()
        before = ["The", "doctor", "visited", "a", "patient."]
        different = [(old, new) for old, new in zip(before, changed, strict=True) if old != new]
        assert len(different) == 1
        ((old, new),) = different
        assert (old[0], old[-1]) == (new[0], new[-1])
        assert abs(len(old) - len(new)) <= 1


def test_a_typo_stays_inside_the_focus():
    sentence = "The doctor visited a patient."
    start = sentence.index("visited")
    for seed in range(20):
        changed = perturbed("typo", sentence, (start, start + len("visited")), str(seed))
        assert changed.startswith("The doctor ")
        assert changed.endswith(" a patient.")


def test_another_name_has_the_same_gender():
    for seed in range(20):
        changed = perturbed("name-swap", "Hannah met Tariq.", seed=str(seed))
        she, _, he = changed.rstrip(".").split()
        assert (given_gender(she), given_gender(he)) == ("female", "male")
        assert (she, he) != ("Hannah", "Tariq")


def test_a_frequent_name_is_replaced_by_one_that_all_languages_write_alike():
    she, _, he = perturbed("name-swap", "Anna met Peter.").rstrip(".").split()
    assert (given_gender(she), given_gender(he)) == ("female", "male")


@given(st.text(max_size=80), st.sampled_from(sorted(PERTURBATIONS)), st.integers(0, 5))
def test_any_text_can_be_perturbed_and_the_same_draw_gives_the_same_text(text, name, seed):
    assert perturbed(name, text, seed=str(seed)) == perturbed(name, text, seed=str(seed))


def test_contractions_are_those_of_english_only():
    assert PERTURBATIONS["contraction"].obstacle("en-GB") == ""
    assert PERTURBATIONS["contraction"].obstacle("de")
    assert PERTURBATIONS["typo"].obstacle("de") == ""


def test_the_documentation_lists_every_perturbation_in_its_own_words():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    for perturbation in PERTURBATIONS.values():
        assert f"| `{perturbation.name}` | {perturbation.about} |" in rows
