"""Verdicts corrected by labels: a share of true labels, from a few labels and all verdicts.

Samples with the same verdict are a stratum. A stratum's share of right samples is estimated from its labels, and the
strata are weighted by how many samples they have. For a judge with two verdicts that is prediction-powered inference
with its best power tuning (PPI++). A good judge makes the strata nearly pure; with a random one they are all alike, and
what is left is the estimate from the labels alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mtprobe.statistics.clustered import Ratio, equal_weights, from_replicates, share
from mtprobe.statistics.estimates import Share
from mtprobe.statistics.intervals import Floats, Interval, Mask

_NOTHING = 1e-9  # a smaller sum of weights is none


@dataclass(frozen=True, slots=True)
class Stratum:
    """The samples with one verdict, summed by cluster."""

    samples: Floats  # how many there are
    labels: Floats  # Σ weights of the labelled ones; the mean weight is 1
    clear: Floats  # … of those whose label says right or wrong
    right: Floats  # … of those whose label says right
    guess: float  # the share of right ones where there is no label
    known: bool = False  # the guess is the truth: no label is needed
    equal: float | None = None  # as many labels of equal weight, of the clear ones

    @classmethod
    def of(
        cls,
        clusters: NDArray[np.intp],
        weights: Floats,
        clear: Mask,
        right: Mask,
        guess: float,
        *,
        inside: Mask,
        known: bool = False,
        repeats: int = 1,
    ) -> Stratum:
        """From columns of samples: those `inside`, with a weight (1 / probability) where there is a label, otherwise 0.

        With repeats there are so many rows per sample, of which one may have a label.
        """
        labelled = inside & (weights > 0)
        mean = float(weights[labelled].mean()) if labelled.any() else 1.0
        used = weights[labelled & clear]

        def total(values: Floats | Mask, chosen: Mask) -> Floats:
            size = int(clusters.max()) + 1
            return np.bincount(clusters[chosen], values[chosen], size).astype(np.float64)

        return cls(
            total(np.ones(len(clusters)), inside) / repeats,
            total(weights / mean, labelled),
            total(weights / mean, labelled & clear),
            total(weights / mean, labelled & clear & right),
            guess,
            known,
            equal_weights(used) if len(np.unique(used)) > 1 else None,
        )

    @property
    def labelled(self) -> bool:
        return bool(self.clear.sum() > 0)


@dataclass(frozen=True, slots=True)
class _Part:
    """A stratum's share of right samples, with its weight in the whole."""

    weight: float
    value: float
    share: Share | None  # None: no label, so it may be anything, unless it is known
    known: bool

    def reach(self, level: float) -> Interval:
        """How far its limits are from its value, down and up."""
        if self.share is None:
            return (0.0, 0.0) if self.known else (self.value, 1 - self.value)
        low, high = self.share.interval(level)
        return self.value - low, high - self.value


@dataclass(frozen=True, slots=True)
class Corrected:
    """The share of right samples among all whose label would be clear."""

    value: float
    parts: tuple[_Part, ...]
    composition: (
        Share | None
    )  # where between the lowest and the highest stratum the mean sample is; None: all alike
    between: float  # from the lowest stratum to the highest
    pooled: Share  # the same value as one share, with the variance of the whole estimate over clusters
    influences: Floats  # of each cluster on the value

    def interval(self, level: float) -> Interval:
        """Exact limits of each stratum and of their composition, joined by MOVER (Zou and Donner 2008).

        No narrower than the interval of one share with the variance of the whole estimate: labels and verdicts of one
        cluster may err together, and few errors in each of several strata are more than few.
        """
        below = above = missing_below = missing_above = 0.0
        for part in self.parts:
            down, up = (part.weight * reach for reach in part.reach(level))
            if part.share is None:  # not a random error: it adds up
                missing_below, missing_above = missing_below + down, missing_above + up
            else:
                below, above = below + down**2, above + up**2
        if self.composition is not None:
            low, high = self.composition.interval(level)
            below += (self.between * (self.composition.value - low)) ** 2
            above += (self.between * (high - self.composition.value)) ** 2
        low = self.value - math.sqrt(below) - missing_below
        high = self.value + math.sqrt(above) + missing_above
        lower, upper = self.pooled.interval(level)
        return max(0.0, min(low, lower)), min(1.0, max(high, upper))

    def grown(self, times: float) -> Corrected:
        """From so many times as many clusters, labelled in the same proportion."""
        return replace(
            self,
            parts=tuple(replace(part, share=part.share and part.share.grown(times)) for part in self.parts),
            composition=self.composition and self.composition.grown(times),
            pooled=self.pooled.grown(times),
        )


def corrected(strata: Sequence[Stratum]) -> Corrected | None:
    """From the strata, all over the same clusters; None where nothing is known about any of them."""
    strata = [stratum for stratum in strata if stratum.samples.sum() > 0]
    if not any(stratum.labelled or stratum.known for stratum in strata):
        return None
    table = _Table(strata)
    value, weights, values = table.value, table.weights, table.shares
    parts = tuple(
        _Part(float(weight), float(rate), _share(stratum), stratum.known)
        for stratum, weight, rate in zip(strata, weights, values, strict=True)
    )
    sizes = table.samples.sum(axis=1)
    influences = from_replicates(value, table.without_each())
    pooled = share(value, influences, sizes, float(sizes.sum()))
    between = float(values.max() - values.min())
    composition = _composition(table, between) if between > 0 else None
    return Corrected(value, parts, composition, between, pooled, influences)


class _Table:
    """The strata side by side: [clusters, strata]."""

    def __init__(self, strata: Sequence[Stratum]) -> None:
        self.samples, self.labels, self.clear, self.right = (
            np.stack([getattr(stratum, name) for stratum in strata], axis=1)
            for name in ("samples", "labels", "clear", "right")
        )
        self._guesses = np.array([stratum.guess for stratum in strata])
        known = np.array([stratum.known for stratum in strata])
        for sums in (self.labels, self.clear, self.right):
            sums[:, known] = 0.0
        counts, labels, clear, right = (
            sums.sum(axis=0) for sums in (self.samples, self.labels, self.clear, self.right)
        )
        self.clearness = np.divide(clear, labels, out=np.ones_like(clear), where=labels > 0)
        self.shares = np.divide(right, clear, out=self._guesses.copy(), where=clear > 0)
        kept = counts * self.clearness
        self.weights = kept / kept.sum()
        self.value = float((self.weights * self.shares).sum())

    def without_each(self) -> Floats:
        """The value without each cluster; a stratum that loses all its labels keeps what they said."""
        counts, labels, clear, right = (
            sums.sum(axis=0) - sums for sums in (self.samples, self.labels, self.clear, self.right)
        )
        clearness = np.divide(
            clear, labels, out=np.broadcast_to(self.clearness, clear.shape).copy(), where=labels > _NOTHING
        )
        shares = np.divide(
            right, clear, out=np.broadcast_to(self.shares, clear.shape).copy(), where=clear > _NOTHING
        )
        kept = counts * clearness
        total = kept.sum(axis=1)
        values: Floats = np.divide(
            (kept * shares).sum(axis=1), total, out=np.full(len(total), self.value), where=total > 0
        )
        return values


def _share(stratum: Stratum) -> Share | None:
    if stratum.known or not stratum.labelled:
        return None
    inside = stratum.clear > 0
    return Ratio(stratum.right[inside], stratum.clear[inside], stratum.equal).share


def _composition(table: _Table, between: float) -> Share:
    """The position of the mean sample, from 0 (as the lowest stratum) to 1 (as the highest)."""
    places = (table.shares - table.shares.min()) / between
    kept = table.samples * table.clearness
    sizes = kept.sum(axis=1)
    return Ratio((kept * places).sum(axis=1), sizes).share
