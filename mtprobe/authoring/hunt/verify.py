"""Checks that the suite written by a hunt fails in pytest: the same verdicts, from a suite of a few samples."""

from __future__ import annotations

from pathlib import Path

from mtprobe.authoring.hunt.ask import Asker
from mtprobe.authoring.hunt.search import Found, Hunt
from mtprobe.authoring.hunt.write import write_found
from mtprobe.methods.verdict import Outcome
from mtprobe.plan import Planner
from mtprobe.plan.tracker import Tracker
from mtprobe.runner import RunContext, run_suite
from mtprobe.store import Store
from mtprobe.suite.sample import Sample


def keep_found(path: Path, hunt: Hunt, asker: Asker, planner: Planner, store: Store) -> list[Found]:
    """Writes what was found, as far as it fails in a suite of its own; without any, nothing.

    A word aligner learns from all sentences of a suite, and from a few it learns little. Where a sentence passes for that
    reason, correct ones that resemble it are put beside it.
    """
    found, beside = list(hunt.found), list[Sample]()
    if not found:
        return []
    while found:
        write_found(path, asker.fixed, found, beside, asker.method)
        failing = _failing(path, asker, planner, store)
        failed = [one for one in found if one.sample.id in failing]
        passed = [sample for sample in beside if sample.id not in failing]
        if (failed, passed) == (found, beside):
            return found
        if not beside and hunt.beside:
            beside = list(hunt.beside)
        else:
            found, beside = failed, passed
    path.unlink()
    return []


def _failing(path: Path, asker: Asker, planner: Planner, store: Store) -> set[str]:
    """The ids of samples whose tests fail. The store has everything that the hunt asked for."""
    plan = planner.plan_suite(planner.load(path), asker.model)
    runs = run_suite(plan, RunContext(store, counterfactuals=0), Tracker())
    right = (Outcome.CORRECT, Outcome.OPEN)
    return {result.id for result in runs[0].results if result.verdict.outcome not in right}
