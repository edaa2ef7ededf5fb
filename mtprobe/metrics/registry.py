"""The metrics that gates may name: those of mtprobe, and those that installed packages add.

A package adds a metric by an entry point in the group `mtprobe.metrics`: its name is the metric's, its value a
`Metric` object. Entry points are looked up when a name is not one of ours or all names are listed, and loaded when
the metric is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

from mtprobe.errors import MtprobeError
from mtprobe.metrics import (
    accuracy,
    audit_accuracy,
    bias,
    chosen,
    discrepancy,
    f1,
    gap,
    groups,
    minimum,
    model_errors,
    pairs,
    regression,
    senses,
    shares,
)
from mtprobe.metrics.metric import Metric

GROUP = "mtprobe.metrics"

_BUILT_IN: tuple[Metric, ...] = (
    accuracy.ACCURACY,
    accuracy.WEIGHTED_ACCURACY,
    minimum.MINIMUM_ACCURACY,
    minimum.MINIMUM_WEIGHTED_ACCURACY,
    gap.GAP,
    shares.UNDECIDED,
    shares.DEGENERATE,
    shares.COVERAGE,
    shares.FALSE_POSITIVES,
    pairs.PAIR_ACCURACY,
    discrepancy.DISCREPANCY,
    discrepancy.DISCREPANCY_CLIPPED,
    bias.BIAS,
    groups.GROUP_ERROR,
    groups.SFII,
    groups.SPDI,
    senses.MFS,
    senses.MFS_PLUS,
    model_errors.MODEL_ERRORS,
    f1.F1,
    f1.F1_ROUNDED,
    f1.DELTA_G,
    f1.DELTA_G_ROUNDED,
    f1.DELTA_S,
    audit_accuracy.AUDIT_ACCURACY,
    chosen.CHOSEN,
    regression.REGRESSION,
)


class Registry(Mapping[str, Metric]):
    """Metrics by name: mtprobe's own first, then those of installed packages by name."""

    def __init__(self, built_in: Iterable[Metric]) -> None:
        self._built_in = {metric.name: metric for metric in built_in}
        self._loaded: dict[str, Metric] = {}

    def __getitem__(self, name: str) -> Metric:
        if name in self._built_in:
            return self._built_in[name]
        if name not in self._loaded:
            self._loaded[name] = _load(self._plugins()[name])
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        """Without loading anything: a package that cannot be imported is reported when its metric is used."""
        return name in self._built_in or name in self._plugins()

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from self._plugins()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _plugins(self) -> dict[str, EntryPoint]:
        points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
        return {point.name: point for point in points if point.name not in self._built_in}


def _load(point: EntryPoint) -> Metric:
    origin = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    try:
        metric = point.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise MtprobeError(f'the metric "{point.name}" of {origin} cannot be loaded: {reason}') from error
    if not isinstance(metric, Metric):
        raise MtprobeError(f'the metric "{point.name}" of {origin}: {point.value} is not a Metric object')
    if metric.name != point.name:
        raise MtprobeError(f'the metric "{point.name}" of {origin} calls itself "{metric.name}"')
    return metric


METRICS: Mapping[str, Metric] = Registry(_BUILT_IN)
"""Every metric by its name."""
