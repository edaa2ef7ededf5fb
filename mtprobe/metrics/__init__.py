"""Metrics over verdicts, with confidence intervals and sample sizes. Packages that add a metric need only these names."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.methods.audit_pairs.measure import Audited
from mtprobe.metrics.metric import Metric, MetricContext, Since
from mtprobe.metrics.registry import METRICS
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.metrics.shares import share
from mtprobe.metrics.tally import Tally, answered, tally
from mtprobe.statistics.measure import Measure

__all__ = [
    "METRICS",
    "Audited",
    "Brackets",
    "Measure",
    "Metric",
    "MetricContext",
    "Selector",
    "SelectorError",
    "Since",
    "Tally",
    "answered",
    "measure",
    "share",
    "tally",
]


def measure(
    metric: str, tally: Tally, selector: Selector, categories: Sequence[str], level: float = 0.95
) -> Measure:
    """The value of a metric by name over a suite's results; `categories` are those in which an answer is right or wrong."""
    return METRICS[metric].measure(MetricContext(tally, categories), selector, level)
