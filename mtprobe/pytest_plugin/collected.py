"""Tracks collected items and their outcomes: a record is complete when every collected gate was judged or accounted for.

The ids of items say what is expected, their reports say what was judged. Under xdist the controller gets both from its
workers, and what an id stands for from a file that they leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pytest

from mtprobe.gates import Decision, GateResult
from mtprobe.plan import SuitePlan
from mtprobe.printable import printable
from mtprobe.records import FailedSuite, Interruption, SuiteRun, Unjudged, Unselected
from mtprobe.records.run import LOST

TARGET = "mtprobe_target"  # property of an item, if the run has several targets
HUNT = "hunt"  # the item that looks for the smallest failing sentence of a suite


class SuiteOnModel(NamedTuple):
    suite: str  # its name
    path: str
    model: str  # its name
    target: str = ""  # language tag, if the run has several

    @classmethod
    def of(cls, plan: SuitePlan) -> SuiteOnModel:
        model, target = (plan.model.name, plan.model.into) if plan.model else ("", "")
        return cls(plan.suite.name, str(plan.suite.path), model, target)

    @property
    def title(self) -> str:
        """The model, with the target if the run has several."""
        return f"{self.model} into {self.target}" if self.target else self.model

    def failed(self, reason: str, interrupted: Interruption | None = None) -> FailedSuite:
        return FailedSuite(self.suite, self.path, self.model, reason, interrupted, self.target)


@dataclass(frozen=True, slots=True)
class Ids:
    """The suites, models and gates behind item ids."""

    suites: Mapping[str, SuiteOnModel] = field(default_factory=dict)  # by the id of the items' parent
    skipped: frozenset[str] = frozenset()  # items that the plan or a marker skips: nobody expects them
    unselected: tuple[Unselected, ...] = ()  # suites none of whose gates was selected

    def split(self, nodeid: str) -> tuple[SuiteOnModel, str]:
        """The suite and the name of an item: a gate's key, `each[…]`, or `hunt`."""
        parent, name = nodeid, ""
        while parent:
            parent, separator, last = parent.rpartition("::")
            name = f"{last}{separator if name else ''}{name}"
            if parent in self.suites:
                return self.suites[parent], name
        path, _, name = nodeid.partition("::")  # no worker left its file
        return SuiteOnModel("", path, ""), name


class Collected:
    """The items of a session's suites, and those that were judged."""

    def __init__(self) -> None:
        self.expected: dict[str, None] = {}  # ids, in order
        self.judged: set[str] = set()  # or reported as an error
        self.skipped: set[str] = set()  # while it ran
        self.failed_samples: set[str] = set()  # items of `expect: each`, and of a hunt that found a sentence
        self._targets: dict[str, bool] = {}  # of a run with several: whether a gate was decided for each
        self.uncollected: dict[str, str] = {}  # paths, with the reason
        self.stopped = ""  # why the session ended early

    def expect(self, ids: Iterable[str]) -> None:
        self.expected.update(dict.fromkeys(ids))

    def add(self, report: pytest.TestReport) -> bool:
        """A report of one of our items, and whether it has a decision. Where a worker crashed, xdist reports its item in no phase."""
        if report.when == "call" or (report.when == "setup" and not report.passed):
            self.judged.add(report.nodeid)
            if report.skipped:
                self.skipped.add(report.nodeid)
            if report.failed and ("::each[" in report.nodeid or report.nodeid.endswith(f"::{HUNT}")):
                self.failed_samples.add(report.nodeid)
        decided = report.when == "call" and (not report.skipped or hasattr(report, "wasxfail"))
        decided = decided or report.failed  # an error is red by itself
        for target in (str(value) for name, value in report.user_properties if name == TARGET):
            self._targets[target] = self._targets.get(target, False) or decided
        return decided

    @property
    def unjudged_targets(self) -> list[str]:
        """The targets without any decision, if the run has several targets."""
        return [target for target, decided in self._targets.items() if not decided]

    def unfinished(self, ids: Ids) -> list[str]:
        """The items that were not judged."""
        return [nodeid for nodeid in self.expected if nodeid not in self.judged | ids.skipped]

    def unjudged(
        self, ids: Ids, suites: Sequence[SuiteRun], failed: Sequence[FailedSuite]
    ) -> Iterator[Unjudged]:
        """The parts missing from the record. A suite with a `failed` line is not named again."""
        for path, reason in self.uncollected.items():
            yield Unjudged("", path, reason=reason)
        explained = {(suite.path, suite.model, suite.target) for suite in failed}
        several = any(suite.target for suite in ids.suites.values())
        recorded: dict[tuple[str, str, str], set[str]] = {}
        for run in suites:
            key = (run.path, run.model.name, run.target if several else "")
            recorded.setdefault(key, set()).update(gate.key for gate in run.gates)
        reported = self.judged - self.skipped
        for suite, items in self._by_suite(ids).items():
            key = (suite.path, suite.model, suite.target)
            if key in explained:
                continue
            keys = recorded.get(key)
            stopped = [name for nodeid, name in items if nodeid not in self.judged]
            lost = [name for nodeid, name in items if nodeid in reported and not _is_recorded(name, keys)]
            for names, reason in ((stopped, self.stopped), (lost, LOST)):
                if names:
                    gates = tuple(name for name in names if not _is_sample(name))
                    count = len(names) - len(gates)
                    yield Unjudged(*suite[:3], gates, count, len(items), reason, target=suite.target)

    def with_exclusions(self, ids: Ids, suites: Sequence[SuiteRun]) -> tuple[SuiteRun, ...]:
        """The suites, with gates marked that were not selected, not reached, or skipped while they ran."""
        if not ids.suites:  # no worker left its file
            return tuple(suites)
        items: dict[tuple[str, str, str], dict[str, str]] = {}
        for nodeid in self.expected:
            suite, name = ids.split(nodeid)
            items.setdefault((suite.path, suite.model, suite.target), {})[name] = nodeid

        def selected(run: SuiteRun) -> Mapping[str, str]:
            path, model = run.path, run.model.name
            return items.get((path, model, run.target)) or items.get((path, model, ""), {})

        def marked(gate: GateResult, names: Mapping[str, str]) -> GateResult:
            nodeid = names.get(printable(gate.key))
            if nodeid is None:
                return replace(gate, excluded="unselected")
            if gate.was_measured and nodeid not in self.judged:
                return replace(gate, excluded="skipped", reached=False)
            undecided = gate.decision is Decision.UNDECIDED and nodeid in self.skipped
            return replace(gate, excluded="skipped") if undecided and not gate.xfail else gate

        return tuple(
            replace(run, gates=tuple(marked(gate, selected(run)) for gate in run.gates)) for run in suites
        )

    def _by_suite(self, ids: Ids) -> dict[SuiteOnModel, list[tuple[str, str]]]:
        """Ids and names of the items of each suite on each model."""
        items: dict[SuiteOnModel, list[tuple[str, str]]] = {}
        for nodeid in self.expected:
            if nodeid not in ids.skipped:
                suite, name = ids.split(nodeid)
                items.setdefault(suite, []).append((nodeid, name))
        return items


def _is_recorded(name: str, keys: set[str] | None) -> bool:
    """`keys` are those of the suite's gates in the record; None if it has no such suite."""
    return keys is not None and (_is_sample(name) or name == HUNT or name in keys)


def _is_sample(name: str) -> bool:
    return name.startswith("each[")
