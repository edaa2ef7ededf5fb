"""Several runs as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from mtprobe.records.run import Run, SuiteRun


def merged(runs: Mapping[Path, Run]) -> Run:
    """All suites of all runs. A model with the same suite in several runs gets the record's name after its own."""
    if len(runs) == 1:
        return next(iter(runs.values()))

    def key_of(suite: SuiteRun) -> tuple[str, str, str, str]:
        return suite.suite, suite.method, suite.target, suite.model.name

    counts = Counter(key for run in runs.values() for key in set(map(key_of, run.suites)))
    repeated = {model for (_, _, _, model), count in counts.items() if count > 1}

    def named(suite: SuiteRun, path: Path) -> SuiteRun:
        if suite.model.name not in repeated:
            return suite
        return replace(suite, model=replace(suite.model, name=f"{suite.model.name} ({path.name})"))

    latest = max(runs.values(), key=lambda run: run.facts.created)
    return Run(
        latest.facts,
        tuple(named(suite, path) for path, run in runs.items() for suite in run.suites),
        tuple(failed for run in runs.values() for failed in run.failed),
        all(run.whole for run in runs.values()),
        tuple(missing for run in runs.values() for missing in run.unjudged),
        tuple(suite for run in runs.values() for suite in run.unselected),
        sum(run.failed_samples for run in runs.values()),
    )
