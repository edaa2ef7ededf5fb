from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.studies.rankings import metric_of
from tests.metrics.results import result
from tests.report.factory import a_suite


def opened(number, choice):
    """A sample of a category in which no answer is right."""
    sample = result(number, "open", category="neutral")
    return replace(sample, choices=("male", "female"), verdict=replace(sample.verdict, choice=choice))


def a_suite_with_an_open_category():
    return a_suite(
        *(result(number, category="male") for number in range(4)),
        *(
            result(number, "correct" if number < 6 else "incorrect", category="female")
            for number in (4, 5, 6)
        ),
        *(opened(number, "male") for number in (7, 8)),
        categories=("male", "female", "neutral"),
    )


@pytest.mark.parametrize("metric", ["minimum_accuracy", "minimum_weighted_accuracy", "gap", "accuracy"])
def test_an_open_category_is_no_obstacle(metric):
    expected = {
        "minimum_accuracy": 2 / 3,
        "minimum_weighted_accuracy": 2 / 3,
        "gap": 1 / 3,
        "accuracy": 6 / 7,
    }
    assert metric_of(a_suite_with_an_open_category(), metric) == pytest.approx(expected[metric])


def test_a_category_without_a_decision_still_is():
    suite = a_suite(result(1, category="male"), result(2, "undecided", category="female"))
    with pytest.raises(MtprobeError, match="has no minimum_accuracy: no decided sample of category female"):
        metric_of(suite, "minimum_accuracy")
