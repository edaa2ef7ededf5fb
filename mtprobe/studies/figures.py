"""A figure of a recorded suite, named as in gates: `accuracy[rare]`, `minimum_accuracy@lexicon`."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.gates.parse import split_key
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import METRICS, Metric, MetricContext, Selector, SelectorError, answered, tally
from mtprobe.metrics.selectors import split_brackets
from mtprobe.records import SuiteRun


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric, of which samples, and by which method."""

    key: str
    metric: Metric
    selector: Selector
    method: str | None


def read_figure(key: str, method: str | None = None) -> Figure:
    """From its name; the method may be given beside it."""
    parts = split_key(key)
    if parts is None or parts.metric not in METRICS:
        name = parts.metric if parts else key
        raise MtprobeError(f'there is no metric "{name}"{did_you_mean(name, METRICS)}')
    if method and parts.method and method != parts.method:
        raise MtprobeError(f'"{key}" is by {parts.method}, not by {method}')
    metric = METRICS[parts.metric]
    try:
        selector = metric.select(split_brackets(parts.brackets))
    except SelectorError as error:
        raise MtprobeError(f'"{key}": {error}') from None
    if parts.brackets is not None and not str(selector):
        raise MtprobeError(f'"{key}": {parts.metric} is of the whole suite and has no [{parts.brackets}]')
    return Figure(key, metric, selector, method or parts.method)


def value_of(suite: SuiteRun, figure: Figure) -> float:
    """The figure's value; an error if samples were not judged, as for a gate."""
    where = f'"{suite.suite}" of model "{suite.model.name}"'
    missing = sum(result.verdict.outcome is Outcome.ERROR for result in suite.results)
    if missing:
        raise MtprobeError(f"{where}: {missing:,} of {len(suite.results):,} samples were not judged")
    if hint := _unknown(suite, figure.selector):
        raise MtprobeError(f"{where} has no {figure.key}: {hint}")
    context = MetricContext(
        tally(suite.results, suite.seed, suite.variants), answered(suite.categories, suite.results)
    )
    measure = figure.metric.measure(context, figure.selector)
    if measure.value is None:
        why = f": {measure.note}" if measure.note else ""
        raise MtprobeError(f"{where} has no {figure.key}{why}")
    return measure.value


def _unknown(suite: SuiteRun, selector: Selector) -> str:
    """Names in the selector that the suite does not have; empty if it has all."""
    if selector.category is not None:
        present = {*suite.categories, *(result.category for result in suite.results if result.category)}
        if selector.category not in present:
            return f'there is no category "{selector.category}"{did_you_mean(selector.category, present)}'
    for name, value in selector.attributes:
        values = {str(result.attributes[name]) for result in suite.results if name in result.attributes}
        if value not in values:
            return f'no sample has {name} "{value}"{did_you_mean(value, values)}'
    return ""
