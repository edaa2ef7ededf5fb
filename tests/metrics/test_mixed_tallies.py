"""Tallies made from others: mixtures of two, and rows drawn from one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.methods.verdict import Outcome, Verdict
from mtprobe.metrics import METRICS, MetricContext, Selector, tally
from mtprobe.metrics.tally import drawn, mixed
from tests.report.factory import a_sample

NAMES = (
    "accuracy",
    "weighted_accuracy",
    "minimum_accuracy",
    "gap",
    "undecided",
    "degenerate",
    "pair_accuracy",
)

verdicts = st.builds(
    Verdict,
    st.sampled_from([Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNDECIDED, Outcome.DEGENERATE]),
    probability=st.sampled_from([None, 0.2, 0.9]),
    margin=st.sampled_from([None, 0.1]),
)
pairs = st.lists(st.tuples(verdicts, verdicts, st.booleans()), min_size=2, max_size=30)


def rows(listed):
    return [
        a_sample(str(n), category=("male", "female")[n % 2], cluster=str(n % 7), verdict=verdict)
        for n, verdict in enumerate(listed)
    ]


def measures(counts):
    context = MetricContext(counts, ("male", "female"))
    return [METRICS[name].measure(context, Selector()) for name in NAMES]


@settings(max_examples=60)
@given(pairs)
def test_a_mixture_measures_like_the_mixed_results(listed):
    before, after = (tally(rows([row[side] for row in listed])) for side in (0, 1))
    mask = np.array([row[2] for row in listed])
    plain = tally(rows([row[1] if row[2] else row[0] for row in listed]))
    assert measures(mixed(before, after, mask)) == measures(plain)


@settings(max_examples=60)
@given(pairs, st.randoms(use_true_random=False))
def test_drawn_rows_measure_like_a_suite_of_these_samples(listed, random):
    results = rows([row[0] for row in listed])
    places = [random.randrange(len(results)) for _ in results]
    made = drawn(tally(results), np.array(places), np.arange(len(places)))
    again = [
        a_sample(str(n), category=results[place].category, cluster=f"{n:03}", verdict=results[place].verdict)
        for n, place in enumerate(places)
    ]
    assert measures(made) == measures(tally(again))


def test_only_the_same_samples_can_be_mixed():
    with pytest.raises(ValueError, match="the same samples"):
        mixed(tally(rows([Verdict(Outcome.CORRECT)])), tally([]), np.array([True]))
