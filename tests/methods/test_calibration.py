"""A calibrated evaluator: what it leans to is taken off before scores are compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.methods.calibration import OWN, offsets_of, reading_of, readings_judged
from mtprobe.methods.contrastive_conditioning import ContrastiveConditioning
from mtprobe.methods.verdict import Outcome
from mtprobe.suite import Choices, Contrast
from tests.methods.asking import verdict_of
from tests.methods.test_contrastive_conditioning import sample, suite

FEMALE, MALE = Contrast(("woman",), ("man",)), Contrast(("man",), ("woman",))
NEUTRAL = Choices({"male": ("man",), "female": ("woman",)})
SUITE = replace(suite(), cue_forms={"cues": {"female": FEMALE, "male": MALE, "neutral": NEUTRAL}})
OFFSETS = {"female": 0.5, "male": -0.5, OWN: 0.1}


def of(category, cues):
    return replace(sample(cues), category=category)


def judged(one, scores, offsets):
    method = ContrastiveConditioning(offsets)
    return verdict_of(method, one, SUITE, lambda pair: (scores[pair.source.split()[-2]],))


def test_a_sample_is_judged_for_its_category_or_by_its_own_cues():
    assert reading_of(of("female", FEMALE), SUITE) == "female"
    assert reading_of(of("female", Contrast(("lady",), ("man",))), SUITE) == OWN
    assert reading_of(of(None, FEMALE), SUITE) == OWN
    whole = replace(of("female", FEMALE), sources=Contrast(("a",), ("b",)))
    assert reading_of(whole, SUITE) == OWN


def test_the_offset_is_taken_off_the_right_side_and_told_in_the_evidence():
    scores = {"woman": -1.0, "man": -1.3}  # the woman is ahead, but by less than she always is
    plain, calibrated = (judged(of("female", FEMALE), scores, offsets) for offsets in (None, OFFSETS))
    assert (plain.outcome, calibrated.outcome) == (Outcome.CORRECT, Outcome.INCORRECT)
    assert [(one.side, one.score, one.offset) for one in calibrated.evidence] == [
        ("correct", -1.0, 0.5),
        ("incorrect", -1.3, 0.0),
    ]
    assert [one.offset for one in plain.evidence] == [0.0, 0.0]


def test_a_choice_is_calibrated_by_half_of_each_offset():
    assert offsets_of(of("neutral", NEUTRAL), SUITE, OFFSETS) == {"male": -0.25, "female": 0.25}
    scores = {"woman": -1.0, "man": -1.3}
    assert judged(of("neutral", NEUTRAL), scores, None).choice == "female"
    assert judged(of("neutral", NEUTRAL), scores, OFFSETS).choice == "male"


def test_choices_of_a_samples_own_are_left_as_they_are():
    own = of("neutral", Choices({"male": ("lord",), "female": ("lady",)}))
    assert offsets_of(own, SUITE, OFFSETS) == {}


def test_the_readings_that_need_an_offset_are_those_of_the_samples():
    samples = (of("female", FEMALE), of("neutral", NEUTRAL), of("male", Contrast(("lord",), ("lady",))))
    assert readings_judged(replace(SUITE, samples=samples[:1])) == {"female"}
    assert readings_judged(replace(SUITE, samples=samples)) == {"female", "male", OWN}


@given(st.floats(-5, 0), st.floats(-5, 0), st.floats(-2, 2))
def test_both_categories_agree_on_what_a_translation_is(woman, man, offset):
    """Mirrored cues and mirrored offsets: right for a woman is wrong for a man."""
    offsets = {"female": offset, "male": -offset}
    scores = {"woman": woman, "man": man}
    female, male = (
        judged(of(name, cues), scores, offsets) for name, cues in (("female", FEMALE), ("male", MALE))
    )
    assert female.probability == pytest.approx(1 - male.probability)
