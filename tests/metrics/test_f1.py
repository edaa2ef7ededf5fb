"""F1, ΔG and ΔS"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.metrics import METRICS, MetricContext, Selector, measure
from mtprobe.metrics.tally import tally
from mtprobe.statistics.estimates import adjusted
from tests.metrics.results import result

GENDERS = ("male", "female", "neutral")


def read_as(number, category, reading, cluster=None, **attributes):
    """A sample of a category whose translation conveys another, or None: nothing."""
    outcome = "undecided" if reading is None else "correct" if reading == category else "incorrect"
    made = result(number, outcome, category=category, cluster=cluster, **attributes)
    return replace(made, verdict=replace(made.verdict, reading=reading))


def value(metric, results, category=None, categories=GENDERS):
    return measure(metric, tally(results), Selector(category), categories)


HAND = [
    *(read_as(n, "male", "male") for n in range(6)),
    *(read_as(10 + n, "male", "female") for n in range(2)),
    *(read_as(20 + n, "female", "female") for n in range(3)),
    *(read_as(30 + n, "female", "male") for n in range(4)),
    read_as(40, "neutral", "male"),
    read_as(41, "female", None),
]


def test_a_worked_example():
    # male: precision 6/11, recall 6/8; female: precision 3/5, recall 3/7
    male, female = value("f1", HAND, "male"), value("f1", HAND, "female")
    assert male.value == pytest.approx(12 / 19)
    assert female.value == pytest.approx(6 / 12)
    assert (male.n, female.n) == (16, 16)  # without the undecided one
    found = value("delta_g", HAND)
    assert found.value == pytest.approx(12 / 19 - 1 / 2)
    assert found.low < found.value < found.high


def test_published_figures_round_on_the_way():
    # male: precision 54.5, recall 75.0 → 63.1; female: 60.0, 42.9 → 50.0
    assert value("f1_rounded", HAND, "male").value == pytest.approx(0.631)
    assert value("f1_rounded", HAND, "female").value == pytest.approx(0.500)
    assert value("delta_g_rounded", HAND).value == pytest.approx(0.131)


def test_of_two_categories_a_wrong_answer_is_the_other_one():
    results = [result(1, "correct"), result(2, "incorrect"), result(3, "correct", category="female")]
    assert value("f1", results, "female", ("male", "female")).value == pytest.approx(2 / 3)
    # of three it may be either, so nothing is read into it
    assert value("f1", results, "female").value == pytest.approx(1)


def test_a_degenerate_output_is_missed_and_is_nobody_elses_false_alarm():
    results = [read_as(1, "male", "male"), result(2, "degenerate"), read_as(3, "female", "female")]
    assert value("f1", results, "male").value == pytest.approx(2 / 3)
    assert value("f1", results, "female").value == pytest.approx(1)


def test_delta_s_is_signed():
    results = [
        *(result(n, "correct", stereotype="anti", cluster=f"c{n % 3}") for n in range(6)),
        *(result(n, "incorrect", stereotype="pro", cluster=f"c{n % 3}") for n in range(6, 9)),
        *(result(n, "correct", stereotype="pro", cluster=f"c{n % 3}") for n in range(9, 12)),
        result(12, "correct"),
    ]
    found = value("delta_s", results)
    assert (found.value, found.n) == (pytest.approx(-0.5), 12)
    assert found.low <= -0.5 <= found.high
    assert value("delta_s", results[:6]).value is None


def test_delta_g_reaches_no_further_than_both_f1_allow():
    """Ten occupations, two of them read rightly twice and one always as female: skewed, and few."""
    both_male = [f"c{n}" for n in range(7)]
    rows = [
        *(("male", "male", cluster) for cluster in both_male),
        *(("female", "male", cluster) for cluster in both_male),
        *((gender, gender, cluster) for gender in ("male", "female") for cluster in ("c7", "c8")),
        *((gender, "female", "c9") for gender in ("male", "female")),
    ]
    results = [read_as(n, gender, reading, cluster) for n, (gender, reading, cluster) in enumerate(rows)]
    apart = value("delta_g", results)
    context, certain = MetricContext(tally(results), GENDERS), adjusted(0.95, 2)
    male, female = (
        METRICS["f1"].measure(context, Selector(gender), certain) for gender in ("male", "female")
    )
    assert apart.value == pytest.approx(9 / 13 - 3 / 7)
    assert male.low - female.high <= apart.low < apart.high <= male.high - female.low
    assert apart.low < value("f1", results, "male").low - value("f1", results, "female").high


READINGS = st.lists(st.tuples(st.sampled_from(GENDERS), st.sampled_from([*GENDERS, None])), min_size=1)


@given(READINGS, st.randoms())
def test_f1_is_the_harmonic_mean_of_precision_and_recall_in_any_order(rows, random):
    results = [read_as(n, category, reading, f"c{n % 5}") for n, (category, reading) in enumerate(rows)]
    decided = [(category, reading) for category, reading in rows if reading is not None]
    hits = decided.count(("female", "female"))
    read = sum(reading == "female" for _, reading in decided)
    held = sum(category == "female" for category, _ in decided)
    found = value("f1", results, "female")
    if not read + held:
        assert found.value is None
        return
    expected = 0 if not hits else 2 / (read / hits + held / hits)
    assert found.value == pytest.approx(expected)
    assert 0 <= found.low <= found.high <= 1
    random.shuffle(results)
    assert value("f1", results, "female").value == pytest.approx(expected)


@given(READINGS)
def test_delta_g_turns_its_sign_when_the_genders_change_places(rows):
    swap = {"male": "female", "female": "male", "neutral": "neutral", None: None}
    results = [read_as(n, category, reading) for n, (category, reading) in enumerate(rows)]
    turned = [read_as(n, swap[category], swap[reading]) for n, (category, reading) in enumerate(rows)]
    one, other = value("delta_g", results).value, value("delta_g", turned).value
    assert one == other if one is None else np.isclose(one, -other)
    assert one is None or -1 <= one <= 1
