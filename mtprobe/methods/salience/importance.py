"""Trigger importance (Emelin and Sennrich, 2021): how much more salient triggers are than other words.

Cohen's d between the salience of trigger words and that of the others, over all sentences; and a paired t-test
between the two means of each sentence. Punctuation and the word that the target word translates are neither.

The published figures were computed in another way: over subword tokens, punctuation among the others, and with a
t-test between all trigger tokens and all others (Welch's; the paper calls it paired). Both are given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mtprobe.methods.salience.outcome import Importance, Kind, Salience
from mtprobe.statistics.intervals import UNLIMITED, Floats, resampled_counts
from mtprobe.statistics.measure import Measure

_TOKENS = "over subword tokens, which are not independent"
_ONE_CLUSTER = "all sentences belong to one cluster, which says nothing about others"


def importance(sentences: Sequence[Salience], seed: int = 0) -> Importance | None:
    """Over the sentences with triggers and other words; None if there are none."""
    both = [
        sentence
        for sentence in sentences
        if sentence.mean("trigger") is not None and sentence.mean("other") is not None
    ]
    if not both:
        return None
    clusters = dict.fromkeys(sentence.question.cluster for sentence in both)
    rows = {cluster: row for row, cluster in enumerate(clusters)}
    triggers, others = (_moments(both, kind, rows) for kind in ("trigger", "other"))
    total = [moments.sum(axis=0) for moments in (triggers, others)]
    d = float(_cohen(total[0][None], total[1][None])[0])
    t, p = _paired(both)
    return Importance(
        _measure(d, triggers, others, len(both), seed),
        trigger_mean=float(total[0][1] / total[0][0]),
        other_mean=float(total[1][1] / total[1][0]),
        triggers=int(total[0][0]),
        others=int(total[1][0]),
        t=t,
        p=p,
    )


def published_importance(sentences: Sequence[Salience]) -> Importance | None:
    """Computed as in the authors' code, over the tokens of sentences with triggers; None if there are none."""
    known = [sentence for sentence in sentences if any(token.kind == "trigger" for token in sentence.tokens)]
    triggers, others = (
        np.array([token.salience for sentence in known for token in sentence.tokens if token.kind == kind])
        for kind in ("trigger", "other")
    )
    if not len(triggers) or not len(others):
        return None
    moments = [
        np.array([[len(values), values.sum(), (values**2).sum()]], dtype=float)
        for values in (triggers, others)
    ]
    d = float(_cohen(*moments)[0])
    t, p = _welch(triggers, others)
    measured = (
        Measure(d, -UNLIMITED, UNLIMITED, len(known), _TOKENS)
        if math.isfinite(d)
        else Measure(None, 0.0, 0.0, len(known), "salience does not differ from token to token")
    )
    return Importance(
        measured, float(triggers.mean()), float(others.mean()), len(triggers), len(others), t, p
    )


def _welch(triggers: Floats, others: Floats) -> tuple[float | None, float | None]:
    from scipy.stats import ttest_ind

    if min(len(triggers), len(others)) < 2 or (np.ptp(triggers) == 0 and np.ptp(others) == 0):
        return None, None
    test = ttest_ind(triggers, others, equal_var=len(triggers) == len(others))
    return float(test.statistic), float(test.pvalue)


def _moments(sentences: Sequence[Salience], kind: Kind, rows: dict[str, int]) -> Floats:
    """[clusters, 3]: the number of words of the kind, the sum of their salience and the sum of its squares."""
    moments = np.zeros((len(rows), 3))
    for sentence in sentences:
        for word in sentence.words:
            if word.kind == kind and word.salience is not None:
                moments[rows[sentence.question.cluster]] += (1, word.salience, word.salience**2)
    return moments


def _cohen(triggers: Floats, others: Floats) -> Floats:
    """The difference of the means in pooled standard deviations, row by row; NaN where it is undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [moments[:, 1] / moments[:, 0] for moments in (triggers, others)]
        squares = [
            (moments[:, 2] - moments[:, 0] * mean**2).clip(min=0)
            for moments, mean in zip((triggers, others), means, strict=True)
        ]
        pooled = np.sqrt((squares[0] + squares[1]) / (triggers[:, 0] + others[:, 0] - 2))
        return np.where(pooled > 0, (means[0] - means[1]) / pooled, np.nan)


def _measure(d: float, triggers: Floats, others: Floats, n: int, seed: int) -> Measure:
    if not math.isfinite(d):
        return Measure(None, 0.0, 0.0, n, "salience does not differ from word to word")
    if len(triggers) < 2:
        return Measure(d, -UNLIMITED, UNLIMITED, n, _ONE_CLUSTER)
    counts = resampled_counts(len(triggers), seed)
    values = _cohen(counts @ triggers, counts @ others)
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [0.025, 0.975])
    return Measure(d, float(low), float(high), n)


def _paired(sentences: Sequence[Salience]) -> tuple[float | None, float | None]:
    from scipy.stats import ttest_rel

    means = np.array(
        [[sentence.mean("trigger"), sentence.mean("other")] for sentence in sentences], dtype=float
    )
    if len(means) < 2 or np.ptp(means[:, 0] - means[:, 1]) == 0:
        return None, None
    test = ttest_rel(means[:, 0], means[:, 1])
    return float(test.statistic), float(test.pvalue)
