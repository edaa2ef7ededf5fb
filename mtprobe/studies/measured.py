"""A metric of one suite run, for studies that compare models by it."""

from __future__ import annotations

from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import METRICS, Context, Selector, answered, tally
from mtprobe.records import SuiteRun


def metric_of(suite: SuiteRun, metric: str) -> float:
    """The metric over the whole suite; an error if samples were not judged, as for a gate."""
    missing = sum(result.verdict.outcome is Outcome.ERROR for result in suite.results)
    if missing:
        raise MtprobeError(
            f'"{suite.suite}" of model "{suite.model.name}": {missing:,} of {len(suite.results):,} samples '
            "were not judged"
        )
    context = Context(
        tally(suite.results, suite.seed, suite.variants), answered(suite.categories, suite.results)
    )
    measure = METRICS[metric].measure(context, Selector())
    if measure.value is None:
        why = f": {measure.note}" if measure.note else ""
        raise MtprobeError(f'"{suite.suite}" of model "{suite.model.name}" has no {metric}{why}')
    return measure.value
