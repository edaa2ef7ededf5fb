"""Attribute bias: does a model prefer targets of one kind, whichever is correct? (Emelin and Sennrich, 2021)

Each sample's targets carry an attribute (the pronoun's gender, the antecedent's position). For each sample the
target with the best score is preferred and the others are rejected. The rank-biserial correlation between the
preferred and the rejected is f − u: the share of pairs in which the preferred one ranks higher, minus the share in
which it ranks lower. 0 is no bias, ±1 a model that always prefers the same kind. The value is without its sign, as in
the paper; the note gives the direction, the counts, and Cramér's V, which does not depend on the order of the kinds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mtprobe.errors import did_you_mean
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.preferences import Preferences, cramers_v, preferences, swap_test
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.statistics.clustered import from_replicates, share
from mtprobe.statistics.estimates import Imbalance, Share
from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.measure import Estimated
from mtprobe.suite.sample import Suite

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


def _superiority(preferred: Floats, rejected: Floats) -> Share:
    """The share of pairs in which the preferred one ranks higher, ties counting half; both [clusters, levels]."""
    value = (1 + float(rank_biserial(preferred.sum(axis=0), rejected.sum(axis=0)))) / 2
    without_each = (1 + rank_biserial(*(counts.sum(axis=0) - counts for counts in (preferred, rejected)))) / 2
    weights = preferred.sum(axis=1)
    return share(value, from_replicates(value, without_each), weights, float(weights.sum()))


def _notes(counts: Preferences, value: float, seed: int) -> Iterator[str]:
    preferred, rejected = counts.preferred.sum(axis=0), counts.rejected.sum(axis=0)
    yield f"{effect(value, counts.n, float(rejected.sum()))}, p {_p(mann_whitney(preferred, rejected))}"
    signed = float(rank_biserial(preferred, rejected))
    yield f"RBC {signed:+z.2f} in the order {', '.join(map(str, counts.values))}"
    yield str(counts)
    yield f"in any order: Cramér's V {cramers_v(preferred, rejected):.2f}, p {_p(swap_test(counts, seed))}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


class _Bias(Metric):
    name = "bias"
    about = "the model's preference for targets of one kind: |rank-biserial correlation| of an attribute of targets"
    brackets = "an attribute of targets"
    higher_is_better = False
    counts_degenerate = False

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """|RBC|; the note gives the effect size, Mann–Whitney's p, the direction and the counts."""
        tally, attribute = context.tally, selector.over or ""
        counts = preferences(tally, attribute, selector.mask(tally))
        if not counts.n or len(counts.values) < 2:
            return Estimated.nothing(f'no two targets of a sample differ in "{attribute}"')
        bias = Imbalance(_superiority(counts.preferred, counts.rejected))
        return Estimated(bias, counts.n, "; ".join(_notes(counts, bias.value, tally.seed)))

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
