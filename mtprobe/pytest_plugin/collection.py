"""Collects the items of a suite: a `GateItem` per gate, a `SampleItem` per sample with `expect: each`, and one for `hunt`."""

from __future__ import annotations

import gc
import os
import traceback
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from mtprobe.backends.model import Model
from mtprobe.errors import MissingData, MtprobeError
from mtprobe.gates import Decision, Gate, GateResult
from mtprobe.methods.verdict import Outcome, Result, one_per_sample
from mtprobe.metrics.repeats import verdict_counts
from mtprobe.metrics.ties import Ties, count_ties, is_tie
from mtprobe.plan import SuitePlan
from mtprobe.printable import printable, printable_lines
from mtprobe.pytest_plugin.brief import is_verbose
from mtprobe.pytest_plugin.collected import TARGET, SuiteOnModel
from mtprobe.pytest_plugin.options import option, with_flags
from mtprobe.pytest_plugin.session import ProbeSession, start
from mtprobe.pytest_plugin.settings import shown_path
from mtprobe.pytest_plugin.shipped import shipped_id
from mtprobe.pytest_plugin.tracebacks import printable_traceback
from mtprobe.records import SuiteRun
from mtprobe.report.failure import describe_gate, describe_sample
from mtprobe.report.wrongness import wrongness
from mtprobe.settings import SettingError
from mtprobe.suite import Sample, Suite
from mtprobe.suite.shipped import shown_path as as_shipped

MANY_SAMPLES = 20_000


class GateFailed(Exception):
    """A gate or a sample that failed; the message is what the user reads."""


class SuiteFile(pytest.File):
    """One suite. With several models, its gates are below each model's name; with several targets, below `to-TAG`."""

    @classmethod
    def at(cls, path: Path, parent: pytest.Collector) -> SuiteFile:
        """pytest prints names and ids as they are, so those of a file with an unprintable name are escaped.

        The id of a file outside of the root directory is its name, where pytest would leave it empty.
        """
        if (shipped := shipped_id(path, parent.config)) is not None:
            return cls.from_parent(parent, path=path, nodeid=shipped)
        suite_file: SuiteFile = cls.from_parent(parent, path=path)
        name, nodeid = printable(suite_file.name), printable(suite_file.nodeid or suite_file.name)
        if nodeid == suite_file.nodeid:
            return suite_file
        return cls.from_parent(parent, path=path, name=name, nodeid=nodeid)

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        session = start(self.config)
        try:
            suite = session.planner.load(shown_path(self.path))
        except MissingData as missing:
            for gate in dict.fromkeys(map(printable, missing.gates)):
                yield MissingItem.from_parent(self, name=gate, missing=missing)
            return
        if len(suite.samples) > MANY_SAMPLES:
            gc.freeze()  # samples live to the end: no later collection need look at them
        names = session.models.names
        for name in names if len(names) > 1 else ():
            models = [model for model in session.models.tested if model.name == name]
            yield ModelCollector.from_parent(self, name=printable(name), suite=suite, models=models)
        if len(names) < 2:
            yield from per_target(self, suite, session.models.tested)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ARG002
        """A mistake in the suite is shown without a traceback."""
        if isinstance(excinfo.value, MtprobeError):
            return str(excinfo.value)
        return printable_traceback(super().repr_failure(excinfo))


class MissingItem(pytest.Item):
    """A gate of a suite whose data is not here: skipped, and counted as not judged."""

    def __init__(self, *, name: str, parent: pytest.Collector, missing: MissingData, **rest: Any) -> None:
        super().__init__(name=name, parent=parent, nodeid=f"{parent.nodeid}::{name}", **rest)
        self.user_properties.append(("mtprobe_suite", missing.name))
        self.place = missing.problems[0].place
        path = str(self.place.path)
        reason = str(missing).replace(path, as_shipped(path))  # a shipped suite by its name
        self.add_marker(pytest.mark.skip(reason=with_flags(printable(reason))))

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        return printable(self.place.path), self.place.line - 1, self.name

    def runtest(self) -> None:
        raise AssertionError("is always skipped")


class ModelCollector(pytest.Collector):
    """A suite's gates on one of several models, or for one of several targets."""

    def __init__(self, *, suite: Suite, models: Sequence[Model], **rest: Any) -> None:
        super().__init__(**rest)
        self.suite = suite
        self.models = models  # the same one for each of its targets

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        yield from per_target(self, self.suite, self.models)


def per_target(
    parent: pytest.Collector, suite: Suite, models: Sequence[Model]
) -> Iterator[pytest.Item | pytest.Collector]:
    """The items of a suite on a model, below its targets if it has several."""
    if len(models) < 2:
        yield from items_of(parent, suite, models[0] if models else None)
        return
    for model in models:
        yield ModelCollector.from_parent(parent, name=f"to-{model.into}", suite=suite, models=[model])


def items_of(parent: pytest.Collector, suite: Suite, model: Model | None) -> Iterator[pytest.Item]:
    """The items of a suite on a model; what the plan skips is marked as skipped."""
    session = start(parent.config)
    try:
        plan = session.planner.plan_suite(suite, model)
    except SettingError as error:
        session.mistake = error
        return
    suite_results = SuiteResults(session, plan)
    skip = plan.skip if plan.model else f"{plan.skip}: name one with --mt-model"
    for gate in plan.gates:
        item = GateItem.from_parent(parent, name=printable(gate.key), results=suite_results, gate=gate)
        yield _marked(item, suite, skip or plan.skipped_gates.get(gate.key), gate)
    if suite.each:
        for sample in suite.samples:
            name = printable(f"each[{sample.id}]")
            each = SampleItem.from_parent(parent, name=name, results=suite_results, sample=sample)
            yield _marked(each, suite, skip)
    if suite.hunt:
        from mtprobe.pytest_plugin.hunt import HuntItem

        yield _marked(HuntItem.from_parent(parent, results=suite_results), suite, skip)


def _marked(item: ProbeItem, suite: Suite, skip: str | None, gate: Gate | None = None) -> ProbeItem:
    for mark in suite.marks:
        item.add_marker(getattr(pytest.mark, mark))
    if skip:
        item.add_marker(pytest.mark.skip(reason=with_flags(printable(skip))))
    if gate and gate.xfail and not gate.xfail.expired:
        item.add_marker(pytest.mark.xfail(reason=printable(gate.xfail.reason), raises=GateFailed))
    return item


class SuiteResults:
    """The state shared by the items of one suite on one model: its plan, and its results, computed once."""

    def __init__(self, session: ProbeSession, plan: SuitePlan) -> None:
        self.session = session
        self.plan = plan

    @property
    def suite(self) -> Suite:
        return self.plan.suite

    @property
    def model(self) -> Model | None:
        return self.plan.model

    def prepare(self) -> None:
        if self.plan.runs or self.plan.obstacle:
            self.session.run(self.plan, self.session.progress())

    def run_of(self, method: str | None = None) -> SuiteRun:
        """The results of a method; by default of the first."""
        if self.plan.model is None:
            raise MtprobeError("no model is named")
        self.prepare()
        finished = self.session.finished[SuiteOnModel.of(self.plan)]
        if isinstance(finished, BaseException):
            raise finished
        return next(run for run in finished if method in (None, run.method))

    @cached_property
    def ties(self) -> Ties:
        return count_ties(self.run_of().results)

    @cached_property
    def by_id(self) -> dict[str, Result]:
        """The results by the ids of their samples; of several translations the worst one's."""
        return {result.id: result for result in one_per_sample(sorted(self.run_of().results, key=wrongness))}


class ProbeItem(pytest.Item):
    """An item that reads a suite's results."""

    def __init__(self, *, name: str, parent: pytest.Collector, results: SuiteResults, **rest: Any) -> None:
        # The id is given as text: pytest reads brackets in it as it would when it remembers a failure.
        super().__init__(name=name, parent=parent, nodeid=f"{parent.nodeid}::{name}", **rest)
        self.results = results
        self.user_properties.append(("mtprobe_suite", results.suite.name))
        if results.model is not None:
            self.user_properties.append(("mtprobe_model", results.model.name))
            if results.model.into:
                self.user_properties.append((TARGET, results.model.into))

    def prepare(self) -> None:
        """Runs the suite unless it has run; called where output is not captured, so that progress shows."""
        if self.get_closest_marker("skip") is None:
            self.results.prepare()

    def setup(self) -> None:
        """An item that cannot be judged is an error; a user's mistake is shown without a traceback."""
        try:
            reason = self.not_judged()
        except MtprobeError as error:
            reason = str(error)
            if error.__cause__ is not None and is_verbose(self.config):
                reason += "\n\n" + "".join(traceback.format_exception(error.__cause__)).rstrip()
        if reason:
            pytest.fail(with_flags(printable_lines(reason)), pytrace=False)

    @abstractmethod
    def not_judged(self) -> str | None:
        """Why there is no verdict, or None if there is one."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ARG002
        if isinstance(excinfo.value, GateFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class GateItem(ProbeItem):
    """A gate: it passes or fails."""

    def __init__(self, *, gate: Gate, **rest: Any) -> None:
        super().__init__(**rest)
        self.gate = gate

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        title = printable(f"{self.results.suite.name}: {self.name}")
        return printable(self.gate.place.path), self.gate.place.line - 1, title

    def not_judged(self) -> str | None:
        result = self._result()
        if result.decision is not Decision.ERROR:
            return None
        return f"{self.results.suite.name}: {self.gate.key} cannot be judged: {result.reason}"

    def runtest(self) -> None:
        result = self._result()
        self._add_properties(result)
        if result.decision is Decision.PASSED:
            return
        run = self.results.run_of(self.gate.method)
        message = describe_gate(result, self.gate, run, self.results.session.comparison_command)
        undecided = result.decision is Decision.UNDECIDED and result.skippable
        if undecided and option(self.config, "undecided") == "skip":
            pytest.skip(message.partition("\n")[0])
        raise GateFailed(message)

    def _result(self) -> GateResult:
        gates = self.results.run_of(self.gate.method).gates
        return next(gate for gate in gates if gate.key == self.gate.key)

    def _add_properties(self, result: GateResult) -> None:
        """For JUnit and other plugins, as plain values."""
        measure = result.measure
        values = {
            "value": measure.value,
            "low": measure.low if measure.has_interval else None,
            "high": measure.high if measure.has_interval else None,
            "n": measure.n,
            "bound": result.bound,
        }
        if (since := result.regression) is not None:
            values |= {
                "p": since.p,
                "test": since.test,
                "regressed": len(since.regressed),
                "fixed": len(since.fixed),
            }
        self.user_properties.extend(
            (f"mtprobe_{name}", value) for name, value in values.items() if value is not None
        )


class SampleItem(ProbeItem):
    """A sample that must be correct by itself."""

    def __init__(self, *, sample: Sample, **rest: Any) -> None:
        super().__init__(**rest)
        self.sample = sample

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        place = self.sample.place
        title = printable(f"{self.results.suite.name}: {self.name}")
        return printable(place.path), max(0, place.line - 1), title

    def not_judged(self) -> str | None:
        verdict = self._result().verdict
        if verdict.outcome is not Outcome.ERROR:
            return None
        return f"{self.sample.id} cannot be judged: {verdict.reason}"

    def runtest(self) -> None:
        result = self._result()
        if result.verdict.outcome not in (Outcome.CORRECT, Outcome.OPEN):
            raise GateFailed("\n".join([*describe_sample(result), *self._repeats(result)]))
        if is_tie(result) and self.results.ties.too_many:
            raise GateFailed("\n".join([f"undecided: {self.results.ties}", *describe_sample(result)]))

    def _repeats(self, result: Result) -> list[str]:
        """The outcomes of all translations of the sample, each of which must be correct."""
        if not result.repeat:
            return []
        rows = [other for other in self.results.run_of().results if other.id == result.id]
        return [f"  repeats      {verdict_counts(rows)}"]

    def _result(self) -> Result:
        result = self.results.by_id.get(self.sample.id)
        if result is None:
            raise MtprobeError(f"{self.sample.id} has no evidence for this language")
        return result
