"""What translations chose where no answer is right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.metrics import METRICS, Selector, measure, tally
from mtprobe.statistics.intervals import exact

from .results import result

CATEGORIES = ("male", "female")
CHOICES = ("male", "female", "neuter")


def opened(number, choice, outcome="open", **more):
    """A result of an open sample; `choice` is None where it made none."""
    made = result(number, outcome, category="neutral", **more)
    p = 0.7 if choice else None
    return replace(made, choices=CHOICES, verdict=replace(made.verdict, choice=choice, probability=p))


def chosen(choice, found, **attributes):
    return measure(
        "chosen", tally(found), Selector(choice=choice, attributes=tuple(attributes.items())), CATEGORIES
    )


judged = st.lists(
    st.tuples(
        st.sampled_from(["correct", "incorrect", "undecided", "degenerate"]), st.sampled_from(CATEGORIES)
    ),
    max_size=20,
).map(lambda rows: [result(number, outcome, category=kind) for number, (outcome, kind) in enumerate(rows)])
open_ones = st.lists(
    st.tuples(st.sampled_from([*CHOICES, "undecided", "degenerate", "error"]), st.integers(0, 4)), max_size=30
).map(
    lambda rows: [
        opened(100 + number, *((kind, "open") if kind in CHOICES else (None, kind)), cluster=f"c{cluster}")
        for number, (kind, cluster) in enumerate(rows)
    ]
)


@given(open_ones)
def test_the_shares_of_all_choices_sum_to_1_over_the_choices_that_were_made(found):
    made = [one for one in found if one.verdict.choice]
    shares = [chosen(choice, found) for choice in CHOICES]
    assert {one.n for one in shares} == {len(made)}
    if made:
        assert sum(one.value for one in shares) == pytest.approx(1)
        assert all(0 <= one.low <= one.value <= one.high <= 1 for one in shares)
    else:
        assert {one.value for one in shares} == {None}


@given(judged, open_ones)
def test_open_samples_change_no_accuracy_no_minimum_and_no_gap(answered, found):
    for metric in METRICS:
        if metric.endswith("accuracy") or metric == "gap":
            without, along = (
                measure(metric, tally(some), Selector(), CATEGORIES)
                for some in (answered, [*answered, *found])
            )
            assert (without.value, without.n, without.note) == (
                along.value if along.value is None else pytest.approx(along.value),
                along.n,
                along.note,
            )


@given(judged, open_ones)
def test_samples_with_a_right_answer_change_no_choice(answered, found):
    alone, along = chosen("male", found), chosen("male", [*answered, *found])
    assert (alone.value, alone.n) == (along.value, along.n)


def test_an_open_sample_is_not_undecided_and_counts_when_it_is_degenerate():
    found = [opened(1, "male"), opened(2, None, "undecided"), opened(3, None, "degenerate"), result(4)]
    values = {
        metric: measure(metric, tally(found), Selector(), CATEGORIES).value
        for metric in ("undecided", "coverage", "degenerate", "accuracy")
    }
    assert values == {"undecided": 0.25, "coverage": 0.75, "degenerate": 0.25, "accuracy": 1.0}


def test_independent_choices_have_the_exact_interval_and_clusters_a_wider_one():
    alone = [opened(number, "male" if number < 60 else "female") for number in range(80)]
    got = chosen("male", alone)
    assert (got.value, got.n) == (0.75, 80)
    assert (got.low, got.high) == pytest.approx(exact(60, 80))
    together = [replace(one, cluster=f"c{number // 10}") for number, one in enumerate(alone)]
    wide = chosen("male", together)
    assert wide.value == 0.75
    assert wide.high - wide.low > got.high - got.low


def test_an_attribute_selects_whose_choices_are_counted():
    found = [opened(1, "male", typical="male"), opened(2, "female", typical="female")]
    assert chosen("male", found).value == 0.5
    assert chosen("male", found, typical="female").value == 0.0
