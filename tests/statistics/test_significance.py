from __future__ import annotations

import gc
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from mtprobe.statistics.significance import MCNEMAR, SIGN_FLIP, holm, mcnemar, paired_test, sign_flip

counts = st.integers(0, 400)


@pytest.fixture(autouse=True, scope="module")
def _little_to_collect():
    """statsmodels collects garbage in every correction: half a second each beside torch, unless frozen."""
    gc.freeze()
    yield
    gc.unfreeze()


@given(counts, counts)
def test_mcnemar_is_the_exact_test_of_statsmodels_and_scipy(regressed, fixed):
    found = mcnemar(regressed, fixed)
    if regressed + fixed:
        table = [[5, regressed], [fixed, 7]]
        assert found == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, rel=1e-9)
        assert found == pytest.approx(min(1.0, binomtest(regressed, regressed + fixed).pvalue), rel=1e-6)
    else:
        assert found == 1.0


@given(st.lists(st.integers(-6, 6), max_size=9))
def test_the_sign_flip_test_counts_all_assignments_of_signs(sums):
    flips = itertools.product((1, -1), repeat=len(sums))
    reached = [abs(sum(sign * value for sign, value in zip(signs, sums, strict=True))) for signs in flips]
    expected = np.mean([value >= abs(sum(sums)) for value in reached])
    assert sign_flip(sums) == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 5))
def test_with_clusters_that_flip_alike_it_is_mcnemar_over_the_clusters(regressed, fixed, size):
    sums = [size] * regressed + [-size] * fixed + [0] * 3
    assert sign_flip(sums) == pytest.approx(mcnemar(regressed, fixed))


def test_many_large_clusters_take_the_fourier_transform_to_the_same_answer():
    sums = np.random.default_rng(3).integers(-30, 34, 3000)
    spread = np.sqrt(float((sums**2).sum()))
    rng = np.random.default_rng(4)
    drawn = rng.standard_normal(200_000) * spread  # 3,000 clusters are as good as normal
    assert sign_flip(sums.tolist()) == pytest.approx(np.mean(abs(drawn) >= abs(sums.sum())), abs=0.01)


def test_samples_that_share_a_cluster_are_not_judged_by_mcnemar():
    before, after = np.ones(40, dtype=bool), np.repeat(np.arange(8) >= 2, 5)
    alone = paired_test(before, after, [str(number) for number in range(40)])
    clustered = paired_test(before, after, [str(number // 5) for number in range(40)])
    assert (alone.name, alone.p) == (MCNEMAR, pytest.approx(2 * 0.5**10))
    assert (clustered.name, clustered.p) == (SIGN_FLIP, 0.5)  # two clusters broke, which is hardly evidence


def test_nothing_to_compare_is_no_evidence():
    nothing = np.array([], dtype=bool)
    assert paired_test(nothing, nothing, []).p == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_is_that_of_statsmodels(values):
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.randoms())
def test_holm_knows_no_order(values, random):
    order = list(range(len(values)))
    random.shuffle(order)
    adjusted = holm(values)
    assert holm([values[one] for one in order]) == pytest.approx([adjusted[one] for one in order])
