"""Attribute bias: does a model prefer targets of one kind, whichever is correct? (Emelin and Sennrich, 2021)

Each sample's targets carry an attribute (the pronoun's gender, the antecedent's position). For each sample the
target with the best score is preferred and the others are rejected. The rank-biserial correlation between the
preferred and the rejected is f − u: the share of pairs in which the preferred one ranks higher, minus the share in
which it ranks lower. 0 is no bias, ±1 a model that always prefers the same kind; the sign is not reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mtprobe.errors import did_you_mean
from mtprobe.methods.verdict import TRANSLATION, Result
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.clustered import from_replicates, share
from mtprobe.statistics.estimates import Imbalance, Share
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.statistics.measure import Estimated
from mtprobe.suite.sample import Scalar, Suite

_COHEN = (("large", 0.8), ("medium", 0.5), ("small", 0.2))


def rank_biserial(preferred: Floats, rejected: Floats) -> Floats:
    """f − u from the counts of each rank, lowest first, along the last axis; 0 without pairs."""
    below = np.cumsum(rejected, axis=-1) - rejected
    above = rejected.sum(axis=-1, keepdims=True) - below - rejected
    pairs = preferred.sum(axis=-1) * rejected.sum(axis=-1)
    value: Floats = (preferred * (below - above)).sum(axis=-1) / np.where(pairs, pairs, 1)
    return value


def effect(value: float, preferred: float, rejected: float) -> str:
    """The size of |RBC| in Cohen's words: d / √(d² + 1 / (p₁ p₂)), i.e. d / √(d² + 4) for equal groups."""
    share = preferred / (preferred + rejected)
    for name, d in _COHEN:
        if value >= d / math.sqrt(d * d + 1 / (share * (1 - share))):
            return f"a {name} effect"
    return "a negligible effect"


def mann_whitney(preferred: Floats, rejected: Floats) -> float:
    """The two-sided p of the Mann–Whitney test, by the tie-corrected normal approximation."""
    from scipy.stats import mannwhitneyu

    first, second = (
        np.repeat(np.arange(len(counts)), counts.astype(int)) for counts in (preferred, rejected)
    )
    if len(np.unique(np.concatenate([first, second]))) < 2:
        return 1.0
    return float(mannwhitneyu(first, second, method="asymptotic").pvalue)


def _ranks(tally: Tally, attribute: str, mask: Mask) -> tuple[Floats, Floats]:
    """The preferred and the rejected values of an attribute: counts of each rank, [clusters, levels]."""
    preferences: list[tuple[int, float, Sequence[float]]] = []
    for index in np.flatnonzero(mask):
        preference = _preference(tally.results[int(index)], attribute, tally.variants.get(attribute, ()))
        if preference is not None:
            preferences.append((int(tally.clusters[index]), *preference))
    levels = sorted({rank for _, best, others in preferences for rank in (best, *others)})
    column = {rank: number for number, rank in enumerate(levels)}
    clusters = dict.fromkeys(cluster for cluster, _, _ in preferences)
    row = {cluster: number for number, cluster in enumerate(clusters)}
    preferred, rejected = (np.zeros((len(clusters), len(levels))) for _ in range(2))
    for cluster, best, others in preferences:
        preferred[row[cluster], column[best]] += 1
        for other in others:
            rejected[row[cluster], column[other]] += 1
    return preferred, rejected


def _preference(
    result: Result, attribute: str, scale: Sequence[Scalar]
) -> tuple[float, Sequence[float]] | None:
    """The rank of the best target and those of the others; None if scores do not single one out."""
    targets = [
        (item.score, rank)
        for item in result.verdict.evidence
        if item.side != TRANSLATION and item.score is not None and attribute in item.attributes
        if (rank := _rank(item.attributes[attribute], scale)) is not None
    ]
    if len(targets) < 2:
        return None
    best = max(targets, key=lambda pair: pair[0])
    if sum(score == best[0] for score, _ in targets) > 1:  # a tie expresses no preference
        return None
    return best[1], [rank for score, rank in targets if score != best[0]]


def _rank(value: Scalar, scale: Sequence[Scalar]) -> float | None:
    """Its position on the scale, or the number itself; a word that is not on the scale has none."""
    if value in scale:
        return float(scale.index(value) + 1)
    return None if isinstance(value, str) else float(value)


def _superiority(preferred: Floats, rejected: Floats) -> Share:
    """The share of pairs in which the preferred one ranks higher, ties counting half; both [clusters, levels]."""
    value = (1 + float(rank_biserial(preferred.sum(axis=0), rejected.sum(axis=0)))) / 2
    without_each = (1 + rank_biserial(*(counts.sum(axis=0) - counts for counts in (preferred, rejected)))) / 2
    weights = preferred.sum(axis=1)
    return share(value, from_replicates(value, without_each), weights, float(weights.sum()))


class _Bias(Metric):
    name = "bias"
    about = "how far the model prefers targets of one kind: |rank-biserial correlation| of an attribute of targets"
    brackets = "an attribute of targets"
    higher_is_better = False
    counts_degenerate = False

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """|RBC|; the note gives the effect size and Mann–Whitney's p."""
        tally, attribute = context.tally, selector.over or ""
        by_cluster = _ranks(tally, attribute, selector.mask(tally))
        preferred, rejected = (counts.sum(axis=0) for counts in by_cluster)
        n = int(preferred.sum())
        if not n or len(preferred) < 2:
            return Estimated.nothing(f'no two targets of a sample differ in "{attribute}"')
        bias = Imbalance(_superiority(*by_cluster))
        p = mann_whitney(preferred, rejected)
        note = f"{effect(bias.value, n, rejected.sum())}, p {'< 0.001' if p < 0.001 else f'= {p:.3f}'}"
        return Estimated(bias, n, note)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        names = {
            name
            for sample in suite.samples
            for targets in (sample.targets or {}).values()
            for name in targets.variants
        }
        if brackets.text is None:
            raise SelectorError(f"bias needs an attribute of targets: bias[{min(names, default='gender')}]")
        if brackets.text not in names:
            raise SelectorError(
                f'no target has the attribute "{brackets.text}" in `variants`{did_you_mean(brackets.text, names)}'
            )

    def select(self, brackets: Brackets) -> Selector:
        return Selector(over=brackets.text)


BIAS = _Bias()
