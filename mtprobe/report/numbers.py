"""Formats numbers, the same everywhere, and the signature line that makes them reproducible."""

from __future__ import annotations

from dataclasses import replace

import mtprobe
from mtprobe.gates.parse import Bound
from mtprobe.records import ModelFacts, SuiteRun
from mtprobe.statistics.measure import Measure


def share(value: float | None, bound: float | None = None) -> str:
    """`0.62`, or a dash for no value; with as many digits as it takes to distinguish it from a bound."""
    if value is None:
        return "–"
    digits = 2
    while (
        bound is not None and value != bound and digits < 6 and f"{value:.{digits}f}" == f"{bound:.{digits}f}"
    ):
        digits += 1
    return f"{value:z.{digits}f}"


def interval(measure: Measure, bound: Bound | None = None) -> str:
    """`0.55–0.69`, or `-0.02 to 0.07` where a dash would read as a minus sign; "unknown" if nothing limits it.

    Where a bound is decided on the interval, its ends have the digits that distinguish them from the bound.
    """
    if measure.value is None:
        return "–"
    if not measure.has_interval:
        return "unknown"
    between = " to " if measure.low < 0 else "–"
    limit = bound.value if bound and bound.level else None
    return f"{share(measure.low, limit)}{between}{share(measure.high, limit)}"


def bounds(measure: Measure) -> str:
    """`0.75–0.91`: with all undecided samples wrong, and with all of them right; empty where none is withheld."""
    if measure.value is None or measure.bounds is None:
        return ""
    low, high = measure.bounds
    return f"{low:z.2f}{' to ' if low < 0 else '–'}{high:z.2f}"


def with_bounds(measure: Measure) -> str:
    """To follow a number: ` (0.75–0.91 with the undecided)`; empty where none is withheld."""
    return f" ({bounds(measure)} with the undecided)" if bounds(measure) else ""


def with_interval(measure: Measure, level: str = "95%", bound: Bound | None = None) -> str:
    """`0.62 (95% interval 0.55–0.69, n = 180)`."""
    possible = f", {bounds(measure)} with the undecided" if bounds(measure) else ""
    value = share(measure.value, bound.value if bound else None)
    return f"{value} ({level} interval {interval(measure, bound)}{possible}, n = {measure.n:,})"


def alarms(measure: Measure | None) -> str:
    """False alarms beside an accuracy: `0.01 (0.00–0.06, 93)`, or a dash where there are no controls."""
    if measure is None or measure.value is None:
        return "–"
    return f"{share(measure.value)} ({interval(measure)}, {measure.n:,})"


def sample_count(suite: SuiteRun) -> str:
    """`28 samples in 7 clusters`, which is what intervals count; `28 samples` if each stands for itself."""
    samples, clusters = (len({getattr(result, key) for result in suite.results}) for key in ("id", "cluster"))
    text = f"{samples:,} {'sample' if samples == 1 else 'samples'}"
    return (
        f"{text} in {clusters:,} {'cluster' if clusters == 1 else 'clusters'}" if clusters < samples else text
    )


def signature(suite: SuiteRun) -> str:
    """mtprobe's version, the suite's hash, model and evaluator with decoding, dtype, provider and runtime, and the seed.

    How an evaluator decodes changes no score, so the signature does not say it.
    """
    repeats = max((result.repeat for result in suite.results), default=0)
    evaluator = "itself" if suite.judges_itself else suite.evaluator and _scorer(suite.evaluator)
    parts = [
        f"mtprobe {mtprobe.__version__}",
        f"suite {suite.suite}#{suite.digest}" + (" (partial)" if suite.partial else ""),
        f"{suite.source}→{suite.target}",
        f"method {suite.procedure or suite.method}" + (f" ({suite.details})" if suite.details else ""),
        f"model {_model(suite.model)}",
        *([f"evaluator {evaluator}"] if evaluator else []),
        *([f"repeats {repeats}"] if repeats else []),
        f"seed {suite.seed}",
    ]
    return " | ".join(parts)


def _scorer(facts: ModelFacts) -> str:
    return _model(replace(facts, fingerprint=facts.scoring or facts.fingerprint, decoding=""))


def _model(facts: ModelFacts) -> str:
    provider = "" if facts.provider in facts.runtime else facts.provider
    details = [detail for detail in (facts.decoding, facts.dtype, provider, facts.runtime) if detail]
    return f"{facts.fingerprint} ({', '.join(details)})" if details else facts.fingerprint
