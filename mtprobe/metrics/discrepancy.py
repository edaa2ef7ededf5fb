"""Distributional discrepancy: how much likelier a model's own translations are than the targets it is shown.

The mean over samples of score(own translation) − the best score among the given targets, in nats a token
(Vamvas and Sennrich, 2021). High: the targets are not text that this model would write, and an accuracy over
them says little about its behaviour. Clipped, as in the published code: each difference is at least 0.
"""

from __future__ import annotations

import numpy as np

from mtprobe.methods.verdict import TRANSLATION, Result
from mtprobe.metrics.metric import Context, Metric
from mtprobe.metrics.selectors import Selector
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask, cluster_mean
from mtprobe.statistics.measure import Measure


class _Discrepancy(Metric):
    name = "discrepancy"
    about = "how much likelier the model's own translations are than the targets, in nats per token"
    is_share = False
    higher_is_better = False
    counts_degenerate = False
    needs_translations = True
    clip = False

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        return _mean(context.tally, selector.mask(context.tally), level, clip=self.clip)


class _DiscrepancyClipped(_Discrepancy):
    name = "discrepancy_clipped"
    about = "the same, each difference at least 0"
    clip = True


def difference(result: Result) -> float | None:
    """Of one sample, or None where a score is missing."""
    given = [
        one.score for one in result.verdict.evidence if one.side != TRANSLATION and one.score is not None
    ]
    own = [one.score for one in result.verdict.evidence if one.side == TRANSLATION and one.score is not None]
    return own[0] - max(given) if own and given else None


def _mean(tally: Tally, mask: Mask, level: float, *, clip: bool) -> Measure:
    found = [difference(result) for result in tally.results]
    inside = mask & np.array([one is not None for one in found], dtype=bool)
    if not inside.any():
        return Measure.nothing("no sample with scores of targets and of the model's own translation")
    values = np.array([0.0 if one is None else one for one in found])
    if clip:
        values = values.clip(min=0.0)
    if len(np.unique(tally.clusters[inside])) < 2:
        return Measure.nothing("all samples are of one cluster, which says nothing of others")
    sums, counts = tally.by_cluster(values, inside), tally.by_cluster(np.ones(tally.n), inside)
    mean = float(values[inside].mean())
    return Measure(mean, *cluster_mean(sums, counts, tally.seed, level), int(inside.sum()))


DISCREPANCY = _Discrepancy()
DISCREPANCY_CLIPPED = _DiscrepancyClipped()
