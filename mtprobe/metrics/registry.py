"""The registry of metrics: built-in metrics and those of installed packages.

A package adds a metric by an entry point in the group `mtprobe.metrics`: its name is the metric's, its value a
`Metric` object. Entry points are looked up when a name is not one of ours or all names are listed, and loaded when
the metric is used.
"""

from __future__ import annotations

from mtprobe.errors import MtprobeError
from mtprobe.metrics import (
    accuracy,
    bias,
    chosen,
    discrepancy,
    f1,
    false_alarms,
    gap,
    groups,
    model_errors,
    regression,
    senses,
    shares,
)
from mtprobe.metrics.metric import Metric
from mtprobe.system.extensions import Extensions

GROUP = "mtprobe.metrics"

_BUILT_IN: tuple[Metric, ...] = (
    accuracy.ACCURACY,
    accuracy.WEIGHTED_ACCURACY,
    accuracy.MINIMUM_ACCURACY,
    accuracy.MINIMUM_WEIGHTED_ACCURACY,
    gap.GAP,
    shares.UNDECIDED,
    shares.DEGENERATE,
    shares.COVERAGE,
    shares.FALSE_POSITIVES,
    false_alarms.FALSE_ALARMS,
    accuracy.PAIR_ACCURACY,
    discrepancy.DISCREPANCY,
    discrepancy.DISCREPANCY_CLIPPED,
    bias.BIAS,
    groups.GROUP_ERROR,
    groups.SFII,
    groups.SPDI,
    senses.MFS,
    senses.MFS_PLUS,
    model_errors.MODEL_ERRORS,
    model_errors.MODEL_ERRORS_ONE,
    f1.F1,
    f1.F1_ROUNDED,
    f1.DELTA_G,
    f1.DELTA_G_ROUNDED,
    f1.DELTA_S,
    accuracy.AUDIT_ACCURACY,
    chosen.CHOSEN,
    regression.REGRESSION,
)


def _metric(name: str, loaded: object) -> Metric:
    if not isinstance(loaded, Metric):
        raise MtprobeError("it is not a Metric object")
    if loaded.name != name:
        raise MtprobeError(f'its name is "{loaded.name}"')
    return loaded


METRICS = Extensions[Metric](GROUP, {metric.name: metric for metric in _BUILT_IN}, _metric)
"""Every metric by its name."""
