"""`python -m tests.statistics.error_rates.widths [RUNS]`: how wide corrected intervals are, for docs/howto/labels.md."""

from __future__ import annotations

import sys

import numpy as np

from mtprobe.statistics.clustered import Ratio
from mtprobe.statistics.corrected import corrected

from .corrections import BIASED, GOOD, RANDOM, SAMPLES, drawn_from, judged, strata
from .samples import chances

_TRUTHS = (0.5, 0.9)
_CLUSTER = 12


def main(runs: int = 400) -> None:
    judges = (GOOD, BIASED, RANDOM)
    head = ["labels", "truth", *(f"{judge} judge" for judge in judges), "labels alone"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for labels in (20, 50, 100):
        for truth in _TRUTHS:
            widths = np.array(
                [_widths(np.random.default_rng(run), judges, labels, truth) for run in range(runs)]
            )
            cells = [str(labels), str(truth), *(f"{width:.2f}" for width in widths.mean(axis=0))]
            lines.append(f"| {' | '.join(cells)} |")
    sys.stdout.write("\n".join(lines) + "\n")


def _widths(rng: np.random.Generator, judges: tuple[str, ...], labels: int, truth: float) -> list[float]:
    """Of the estimate with each judge, and of as many labels drawn from all samples alike."""
    clusters = np.repeat(np.arange(SAMPLES // _CLUSTER), _CLUSTER)
    right = rng.random(SAMPLES) < chances(rng, truth, 0.3, SAMPLES // _CLUSTER)[clusters]
    widths = []
    for judge in judges:
        verdicts = judged(rng, right, judge, clusters)
        estimate = corrected(strata(verdicts, right, drawn_from(rng, verdicts, labels), clusters))
        low, high = estimate.interval(0.95) if estimate else (0.0, 1.0)
        widths.append(high - low)
    alone = rng.choice(SAMPLES, labels, replace=False)
    hits, sizes = (
        np.bincount(clusters[alone], weights=values[alone]).astype(np.float64)
        for values in (right, np.ones(SAMPLES))
    )
    low, high = Ratio(hits[sizes > 0], sizes[sizes > 0]).share.interval(0.95)
    return [*widths, high - low]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
