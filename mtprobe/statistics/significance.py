"""Tests whether one of two runs on the same samples is worse, with adjustment for multiple testing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.statistics.intervals import Floats, Mask

MCNEMAR = "McNemar"
SIGN_FLIP = "cluster sign-flip test"
_DIRECT = 10_000_000  # products of a convolution; beyond it a Fourier transform is faster


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A p-value and the test that produced it."""

    name: str
    p: float  # exact, two-sided


def paired_test(
    before: Floats | Mask, after: Floats | Mask, clusters: Sequence[str], parts: int = 1
) -> PairedTest:
    """From how far each sample was correct, 0 to 1, in the same order; changes are rounded to so many parts of a sample.

    McNemar's test takes samples as independent, so it is used only where no two of them share a cluster, and each is
    right or wrong. Rounding keeps the other test exact: it treats losses and gains alike.
    """
    change = np.asarray(before, dtype=np.float64) - np.asarray(after, dtype=np.float64)
    _, numbers = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    independent = len(change) == (int(numbers.max()) + 1 if len(numbers) else 0)
    if independent and np.isin(change, (-1.0, 0.0, 1.0)).all():
        return PairedTest(MCNEMAR, mcnemar(int((change > 0).sum()), int((change < 0).sum())))
    sums = np.rint(np.bincount(numbers, weights=change) * parts).astype(np.int64)
    return PairedTest(SIGN_FLIP, sign_flip(sums.tolist()))


def mcnemar(regressed: int, fixed: int) -> float:
    """The exact two-sided p of McNemar's test: were flips of both kinds equally likely?"""
    from scipy.special import bdtr

    flips = regressed + fixed
    return min(1.0, 2.0 * float(bdtr(min(regressed, fixed), flips, 0.5))) if flips else 1.0


def sign_flip(sums: Sequence[int]) -> float:
    """The exact two-sided p of a permutation test: could each cluster's sum as well have had the other sign?

    With clusters of one sample it is McNemar's test.
    """
    sizes = [abs(value) for value in sums if value]
    observed = abs(sum(sums))
    if not observed:
        return 1.0
    if len(set(sizes)) == 1:
        positive = sum(value > 0 for value in sums)
        return mcnemar(positive, len(sizes) - positive)
    unit = math.gcd(*sizes)
    chances: Floats = np.ones(1)  # of each possible sum of the negative clusters
    for size, clusters in Counter(size // unit for size in sizes).items():
        steps = np.zeros(size * clusters + 1)
        steps[::size] = _coin_tosses(clusters)
        chances = _convolved(chances, steps)
    tail = float(chances[: (sum(sizes) - observed) // (2 * unit) + 1].sum())
    return min(1.0, max(2.0 * tail, 2.0 ** (1 - len(sizes))))


def _coin_tosses(n: int) -> Floats:
    """The probabilities of 0 to n heads."""
    from scipy.special import gammaln

    heads = np.arange(n + 1)
    logs = gammaln(n + 1) - gammaln(heads + 1) - gammaln(n - heads + 1) - n * math.log(2)
    return np.asarray(np.exp(logs), dtype=np.float64)


def _convolved(one: Floats, other: Floats) -> Floats:
    if len(one) * len(other) <= _DIRECT:
        return np.convolve(one, other)
    from scipy.signal import fftconvolve

    return np.asarray(np.maximum(fftconvolve(one, other), 0.0), dtype=np.float64)


def holm(values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number by Holm's method, in their order."""
    adjusted = [1.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=lambda index: values[index])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = highest
    return adjusted
