"""Position bias: how much a judge prefers the first choice to the last, regardless of content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mtprobe.methods.question.decide import DEPENDS, FIRST, LAST, UNREADABLE
from mtprobe.methods.verdict import Evidence, Result
from mtprobe.statistics.clustered import Ratio, mean
from mtprobe.statistics.measure import Estimated, Measure


def sample_bias(evidence: Sequence[Evidence]) -> float | None:
    """Over all orders, the mean probability of the first choice minus that of the last; None where it was not asked."""
    pairs = [
        (float(item.attributes[FIRST]), float(item.attributes[LAST]))
        for item in evidence
        if FIRST in item.attributes and LAST in item.attributes
    ]
    return sum(first - last for first, last in pairs) / len(pairs) if pairs else None


def position_bias(results: Sequence[Result]) -> Measure:
    """The mean over samples, with an interval over their clusters."""
    biases = [(result.cluster, bias) for result in results if (bias := _bias(result)) is not None]
    if not biases:
        return Measure.nothing("no sample was asked about")
    _, numbers = np.unique([cluster for cluster, _ in biases], return_inverse=True)
    sums = np.bincount(numbers, weights=[bias for _, bias in biases]).astype(np.float64)
    ratio = Ratio(sums, np.bincount(numbers).astype(np.float64))
    measure = Estimated(mean(ratio, lowest=-1.0), len(biases)).at(0.95)
    return replace(measure, high=min(measure.high, 1.0))


def _bias(result: Result) -> float | None:
    return sample_bias(result.verdict.evidence)


def notes(results: Sequence[Result]) -> Iterator[str]:
    """Includes the number of answers in words that could not be parsed."""
    if unreadable := sum(UNREADABLE in result.verdict.reason for result in results):
        yield f"in {unreadable:,} of {len(results):,} samples, an answer of the judge could not be parsed"
    bias = position_bias(results)
    if bias.value is None:
        return
    undecided = sum(result.verdict.reason.endswith(DEPENDS) for result in results)
    yield (
        f"position bias {bias.value:+z.2f} (95% interval {bias.low:+z.2f} to {bias.high:+z.2f}, n = {bias.n:,}): the probability of "
        f"the first choice minus that of the last; if it outweighs the preference for a reading, a sample is "
        f"undecided ({undecided:,} of {bias.n:,})"
    )
