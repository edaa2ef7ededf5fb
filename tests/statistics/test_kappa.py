from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa

from mtprobe.statistics.agreement import cohens_kappa

labels = st.sampled_from(("male", "female", "both", "bad"))
pairs = st.lists(st.tuples(labels, labels), min_size=2, max_size=60).map(
    lambda rows: tuple(list(side) for side in zip(*rows, strict=True))
)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of statsmodels' own variance
@given(pairs)
def test_kappa_is_that_of_statsmodels(pair):
    one, other = pair
    names = sorted({*one, *other})
    assume(len(names) > 1)
    table = np.array(
        [[sum(a == x and b == y for a, b in zip(one, other, strict=True)) for y in names] for x in names]
    )
    assert cohens_kappa(one, other).value == pytest.approx(statsmodels_kappa(table).kappa)


@given(pairs)
def test_kappa_lies_in_its_interval_and_is_symmetric(pair):
    one, other = pair
    got = cohens_kappa(one, other)
    assume(got.value is not None)
    assert got.low <= got.value + 1e-9
    assert got.value - 1e-9 <= got.high <= 1 + 1e-9
    assert cohens_kappa(other, one).value == pytest.approx(got.value)


def test_the_interval_is_near_to_the_one_by_the_large_sample_variance():
    rng = np.random.default_rng(0)
    one = rng.choice(["a", "b"], 600)
    other = np.where(rng.random(600) < 0.8, one, rng.choice(["a", "b"], 600))
    table = np.array([[np.sum((one == x) & (other == y)) for y in "ab"] for x in "ab"])
    expected = statsmodels_kappa(table)
    got = cohens_kappa(list(one), list(other))
    assert (got.low, got.high) == pytest.approx((expected.kappa_low, expected.kappa_upp), abs=0.02)


def test_perfect_agreement_of_ten_is_not_certainty():
    got = cohens_kappa(["a", "b"] * 5, ["a", "b"] * 5)
    assert got.value == 1
    assert got.high == 1
    assert got.low < 0.6


def test_labels_that_share_clusters_widen_the_interval():
    rng = np.random.default_rng(1)
    one = list(rng.choice(["a", "b"], 50))
    other = [label if rng.random() < 0.8 else "ab"[label == "a"] for label in one]
    apart = cohens_kappa(one * 4, other * 4)
    together = cohens_kappa(one * 4, other * 4, [str(number % 50) for number in range(200)])
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def test_one_label_alone_gives_no_kappa():
    assert cohens_kappa(["a", "a"], ["a", "a"]).value is None
    assert cohens_kappa([], []).value is None
