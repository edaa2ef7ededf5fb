"""How many samples came out as what: undecided, degenerate, coverage (the rest of undecided), and choices."""

from __future__ import annotations

import numpy as np

from mtprobe.methods.verdict import Outcome
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask, cluster_ratio, wilson
from mtprobe.statistics.measure import Measure


def undecided(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """The share of samples that the method could not decide."""
    return share(tally, tally.outcomes == Outcome.UNDECIDED, mask, level)


def degenerate(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """The share of outputs that are no translations."""
    return share(tally, tally.outcomes == Outcome.DEGENERATE, mask, level)


def false_positives(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """The share of decided samples that came out wrong; in a suite of controls, alarms that mean nothing."""
    return share(tally, ~tally.correct, mask & tally.decided, level)


def coverage(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """The share of samples that were decided; an open one is by its choice."""
    return share(tally, tally.outcomes != Outcome.UNDECIDED, mask, level)


def chosen(tally: Tally, choice: str, mask: Mask, level: float = 0.95) -> Measure:
    """The share of a choice among the open samples in which one was made."""
    made = np.array([result.verdict.choice == choice for result in tally.results], dtype=bool)
    return share(tally, made, mask & (tally.outcomes == Outcome.OPEN), level)


def share(tally: Tally, counted: Mask, mask: Mask, level: float = 0.95) -> Measure:
    """How many of the masked samples are counted: Wilson's interval where no two share a cluster, else resampled."""
    n, found = int(mask.sum()), int((mask & counted).sum())
    if not n:
        return Measure.nothing()
    if len(np.unique(tally.clusters[mask])) == n:
        return Measure(found / n, *wilson(found, n, level), n)
    interval = cluster_ratio(
        tally.by_cluster(counted.astype(np.float64), mask),
        tally.by_cluster(np.ones(tally.n), mask),
        tally.seed,
        level,
    )
    return Measure(found / n, *interval, n)
