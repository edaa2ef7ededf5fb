"""Labels as the truth that verdicts are compared with"""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.audit.truth import Truth, from_labels
from tests.audit.test_compare import results


def labelled(outcomes, labels, drawn=0.5):
    """Each sample was drawn; a blank waits for its label."""
    names = {"+": "correct", "-": "incorrect", "?": "unclear", " ": ""}
    return [
        replace(result, label=names[label], drawn=drawn)
        for result, label in zip(results(outcomes), labels, strict=True)
    ]


def test_labels_of_drawn_samples_are_the_truth():
    truth = from_labels([*labelled("+-+", "+-?"), *results("++", "male")])
    assert isinstance(truth, Truth)
    assert truth.answers == {"female-0": "correct", "female-1": "incorrect"}
    assert truth.asked == {"female-0", "female-1", "female-2"}
    assert truth.weights is None


def test_unequal_probabilities_are_weighted():
    first, second = labelled("+-", "++")
    truth = from_labels([replace(first, drawn=0.1), replace(second, drawn=1.0)])
    assert truth.weights == {"female-0": pytest.approx(10.0), "female-1": 1.0}


def test_a_drawn_sample_without_a_label_for_its_translation_makes_the_labels_useless():
    problem = from_labels(labelled("+-+-", "+-+ "))
    assert problem.startswith("labels are not used for the audit: 1 of 4 samples drawn has no label")


def test_degenerate_outputs_need_no_label():
    assert from_labels(labelled("+!", "+ ")).answers == {"female-0": "correct"}


def test_labels_that_are_no_random_sample_are_not_used():
    assert from_labels(labelled("+", "+"), "draw again") == "labels are not used for the audit: draw again"


def test_labels_of_samples_that_nobody_drew_speak_for_themselves_only():
    assert from_labels(labelled("+-", "++", drawn=None)) is None
    assert from_labels(results("+-")) is None
