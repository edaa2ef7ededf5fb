"""Answers in all orders make a verdict: what the place of a choice is worth cancels out, and decides nothing."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mtprobe.errors import Failure
from mtprobe.methods import Outcome
from mtprobe.methods.question.answers import Unreadable
from mtprobe.methods.question.decide import DEPENDS, verdict_on
from mtprobe.methods.question.position import sample_bias
from mtprobe.methods.question.readings import Reading
from mtprobe.methods.question.wording import orders

TWO = (Reading("correct", "feminine", "female"), Reading("incorrect", "masculine", "male"))
NUMBERS = st.floats(-8, 8)


def answered(readings, worth, position):
    """The log-probabilities, by place, of a judge whose logits are sums of what a reading and what a place is worth."""
    answers = []
    for order in orders(readings):
        logits = [worth[readings.index(reading)] + position[place] for place, reading in enumerate(order)]
        total = math.log(sum(map(math.exp, logits)))
        answers.append(tuple(logit - total for logit in logits))
    return answers


@pytest.mark.parametrize("count", [2, 3, 5])
def test_every_reading_is_once_in_every_place(count):
    readings = tuple(Reading(str(number), str(number)) for number in range(count))
    for place in range(count):
        assert {order[place] for order in orders(readings)} == set(readings)


@given(st.lists(NUMBERS, min_size=2, max_size=5), st.data())
def test_scores_differ_by_what_readings_are_worth_whatever_their_places_are_worth(worth, data):
    position = data.draw(st.lists(NUMBERS, min_size=len(worth), max_size=len(worth)))
    readings = tuple(Reading(f"choice {number}", f"text {number}") for number in range(len(worth)))
    scores = [item.score for item in verdict_on(readings, answered(readings, worth, position)).evidence]
    for score, value in zip(scores, worth, strict=True):
        assert score - scores[0] == pytest.approx(value - worth[0], abs=1e-6)


@given(NUMBERS, NUMBERS)
def test_of_two_readings_one_is_chosen_if_the_margin_exceeds_the_effect_of_the_position(margin, effect):
    assume(abs(abs(margin) - abs(effect)) > 1e-6)
    verdict = verdict_on(TWO, answered(TWO, [margin, 0.0], [effect, 0.0]))
    assert verdict.margin == pytest.approx(margin, abs=1e-6)
    if abs(margin) > abs(effect):
        assert verdict.outcome is (Outcome.CORRECT if margin > 0 else Outcome.INCORRECT)
        assert verdict.reading == ("female" if margin > 0 else "male")
        assert verdict.probability == pytest.approx(1 / (1 + math.exp(-margin)), abs=1e-6)
    else:
        assert (verdict.outcome, verdict.reason) == (Outcome.UNDECIDED, DEPENDS)
        assert verdict.withheld
    bias = sample_bias(verdict.evidence)
    assert bias == pytest.approx(bias_of(margin, effect), abs=2e-3)


def bias_of(margin, effect):
    """Of a judge whose log-odds of the first choice are effect ± margin."""
    first = [1 / (1 + math.exp(-(effect + sign * margin))) for sign in (1, -1)]
    return sum(2 * p - 1 for p in first) / 2


def test_equal_readings_are_undecided():
    verdict = verdict_on(TWO, answered(TWO, [0.0, 0.0], [0.0, 0.0]))
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.margin == 0


def test_the_reading_that_is_best_in_every_order_is_chosen_among_several():
    three = (*TWO, Reading("incorrect", "neither", "neutral"))
    verdict = verdict_on(three, answered(three, [0.0, 1.0, 3.0], [1.0, 0.0, 0.0]))
    assert (verdict.outcome, verdict.reading) == (Outcome.INCORRECT, "neutral")
    assert verdict.margin == pytest.approx(-3.0)
    verdict = verdict_on(three, answered(three, [0.0, 1.0, 3.0], [4.0, 0.0, 0.0]))
    assert verdict.outcome is Outcome.UNDECIDED


def test_an_open_sample_gets_the_choice():
    both = (Reading("female", "feminine", "female"), Reading("male", "masculine", "male"))
    verdict = verdict_on(both, answered(both, [0.0, 2.0], [0.5, 0.0]))
    assert (verdict.outcome, verdict.choice) == (Outcome.OPEN, "male")
    assert verdict.probability == pytest.approx(1 / (1 + math.exp(-2)))


def test_a_judge_that_says_unclear_leaves_the_sample_undecided():
    three = (*TWO, Reading("unclear", "it does not show"))
    verdict = verdict_on(three, answered(three, [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]))
    assert (verdict.outcome, verdict.reason) == (
        Outcome.UNDECIDED,
        "the judge answers: it does not show",
    )
    assert not verdict.withheld


def test_answers_in_words_decide_if_they_name_the_same_reading_in_every_order():
    same = verdict_on(TWO, [0, 1])  # A of A/B and B of B/A are the same reading
    assert (same.outcome, same.reading, same.margin) == (Outcome.CORRECT, "female", None)
    assert all(item.score is None for item in same.evidence)
    assert sample_bias(same.evidence) == 0
    always_first = verdict_on(TWO, [0, 0])
    assert (always_first.outcome, always_first.reason) == (Outcome.UNDECIDED, DEPENDS)
    assert not always_first.withheld
    assert sample_bias(always_first.evidence) == 1
    assert sample_bias(verdict_on(TWO, [1, 1]).evidence) == -1


def test_an_unreadable_answer_is_undecided_and_a_failure_an_error():
    verdict = verdict_on(TWO, [0, Unreadable("I am   not\nsure")])
    assert (verdict.outcome, verdict.reason) == (
        Outcome.UNDECIDED,
        "an answer does not name exactly one choice: “I am not sure”",
    )
    verdict = verdict_on(TWO, [Failure("too long"), (-0.1, -2.0)])
    assert (verdict.outcome, verdict.reason) == (
        Outcome.ERROR,
        "the judge could not answer: too long",
    )
