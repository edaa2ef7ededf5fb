"""What pytest collects from a suite: a `GateItem` a gate, and with `expect: each` a `SampleItem` a sample."""

from __future__ import annotations

import gc
import os
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import pytest

from mtprobe.backends.model import Model
from mtprobe.errors import MissingData, MtprobeError
from mtprobe.gates import Decision, Gate, GateError, GateResult, gates_for, read_bound
from mtprobe.methods import check_evidence
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics import UNBOUNDED
from mtprobe.plan import Judging, judging, sources_to_translate
from mtprobe.pytest_plugin.options import option
from mtprobe.pytest_plugin.session import ProbeSession, start
from mtprobe.pytest_plugin.settings import shown_path
from mtprobe.records import SuiteRun
from mtprobe.report.failure import describe_gate, describe_sample
from mtprobe.suite import Sample, Suite
from mtprobe.suites import load_suite

MANY_SAMPLES = 20_000


class GateFailed(Exception):
    """A gate or a sample did not come out as it must; the message is what the user reads."""


class SuiteFile(pytest.File):
    """One suite. With several models, its gates stand under each model's name."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        session = start(self.config)
        try:
            suite = load_suite(shown_path(self.path), session.settings.data_root)
        except MissingData as missing:
            for gate in dict.fromkeys(missing.gates):
                yield MissingItem.from_parent(self, name=gate, missing=missing)
            return
        check_evidence(suite)
        session.suites[str(suite.path)] = suite
        if len(suite.samples) > MANY_SAMPLES:
            gc.freeze()  # they stay to the end: no later collection need look through them again
        if session.settings.take:
            suite = suite.take(session.settings.take)
        if len(session.models) > 1:
            for model in session.models:
                yield ModelCollector.from_parent(self, name=model.name, suite=suite, model=model)
        else:
            yield from items_of(self, suite, session.models[0] if session.models else None)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ARG002
        """A mistake in the suite is shown as what it is, without a traceback."""
        if isinstance(excinfo.value, MtprobeError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class MissingItem(pytest.Item):
    """A gate of a suite whose data is not here: skipped, and counted as not judged."""

    def __init__(self, *, name: str, parent: pytest.Collector, missing: MissingData, **rest: Any) -> None:
        super().__init__(name=name, parent=parent, nodeid=f"{parent.nodeid}::{name}", **rest)
        self.user_properties.append(("mtprobe_suite", missing.name))
        self.add_marker(pytest.mark.skip(reason=str(missing)))
        self.place = missing.problems[0].place

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        return self.place.path, self.place.line - 1, self.name

    def runtest(self) -> None:
        raise AssertionError("is always skipped")


class ModelCollector(pytest.Collector):
    """A suite's gates on one of several models."""

    def __init__(self, *, suite: Suite, model: Model, **rest: Any) -> None:
        super().__init__(**rest)
        self.suite = suite
        self.model = model

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        yield from items_of(self, self.suite, self.model)


def items_of(parent: pytest.Collector, suite: Suite, model: Model | None) -> Iterator[pytest.Item]:
    """The items of a suite on a model; those that the model cannot be asked are marked as skipped."""
    session = start(parent.config)
    target = model.languages.target if model else None
    gates = tuple(_overridden(gate, suite, session) for gate in gates_for(suite, target))
    skip = _reason_to_skip(suite, model, session)
    found = None
    if model is not None and skip is None:
        found = judging(suite, model, session.evaluator, session.settings.method, session.method_options)
        if not found.methods and found.mistake is None:
            skip = "; ".join(found.left_out.values())
    shared = Shared(session, suite, gates, found, model)
    for gate in gates:
        left_out = found.left_out.get(gate.method or "") if found else None
        if gate.metric == "regression" and session.no_baseline:
            left_out = "no baseline to compare with (--mt-baseline=none)"
        item = GateItem.from_parent(parent, name=gate.key, shared=shared, gate=gate)
        yield _marked(item, suite, skip or left_out, gate)
    if suite.each:
        for sample in suite.samples:
            each = SampleItem.from_parent(parent, name=f"each[{sample.id}]", shared=shared, sample=sample)
            yield _marked(each, suite, skip)


def _reason_to_skip(suite: Suite, model: Model | None, session: ProbeSession) -> str | None:
    if model is None:
        return "no model: name one with --mt-model"
    if not suite.fits(model.languages.source, model.languages.target):
        return f"the suite is for {suite.languages}, {model.name} translates {model.languages}"
    if session.settings.method is not None and session.settings.method not in suite.methods:
        return f"the suite is judged by {', '.join(suite.methods)}, not by {session.settings.method}"
    return None


def _marked(item: ProbeItem, suite: Suite, skip: str | None, gate: Gate | None = None) -> ProbeItem:
    for mark in suite.marks:
        item.add_marker(getattr(pytest.mark, mark))
    if skip:
        item.add_marker(pytest.mark.skip(reason=skip))
    if gate and gate.xfail and not gate.xfail.expired:
        item.add_marker(pytest.mark.xfail(reason=gate.xfail.reason, raises=GateFailed))
    return item


def _overridden(gate: Gate, suite: Suite, session: ProbeSession) -> Gate:
    for name, key, bound in session.settings.overrides:
        if (name, key) == (suite.name, gate.key):
            session.overridden.add((name, key))
            try:
                gate = replace(gate, bound=read_bound(bound, share=gate.metric not in UNBOUNDED))
            except GateError as error:
                raise MtprobeError(f"--mt-set {name}:{key}: {error}") from None
    return gate


class Shared:
    """What the items of one suite on one model have in common: its results, made once."""

    def __init__(
        self,
        session: ProbeSession,
        suite: Suite,
        gates: tuple[Gate, ...],
        judging: Judging | None,
        model: Model | None,
    ) -> None:
        self.session = session
        self.suite = suite
        self.gates = gates
        self.judging = judging
        self.model = model

    def prepare(self) -> None:
        if self.model is not None and self.judging is not None and self.judging.methods:
            progress = self.session.progress()
            methods, notes = self.judging.methods, self.judging.notes
            self.session.run(self.suite, self.gates, methods, self.model, notes, progress)

    def translates(self) -> tuple[Model, list[str]] | None:
        """The model, and the sources that it will be asked to translate."""
        if self.model is None or self.judging is None:
            return None
        asked = self.suite, self.gates, self.judging.methods, self.model, self.session.evaluator
        return self.model, sources_to_translate(*asked)

    def done(self, method: str | None = None) -> SuiteRun:
        """What a method made of the suite; by default the first."""
        if self.model is None:
            raise MtprobeError("no model: name one with --mt-model")
        self.prepare()
        found = self.session.finished[str(self.suite.path), self.model.name]
        if isinstance(found, BaseException):
            raise found
        return next(one for one in found if method in (None, one.method))

    @cached_property
    def results(self) -> dict[str, Result]:
        """The results by the ids of their samples."""
        return {result.id: result for result in self.done().results}


class ProbeItem(pytest.Item):
    """An item that reads a suite's results."""

    def __init__(self, *, name: str, parent: pytest.Collector, shared: Shared, **rest: Any) -> None:
        # The id is given as text, since pytest reads brackets in it as it would when it remembers a failure.
        super().__init__(name=name, parent=parent, nodeid=f"{parent.nodeid}::{name}", **rest)
        self.shared = shared
        self.user_properties.append(("mtprobe_suite", shared.suite.name))
        if shared.model is not None:
            self.user_properties.append(("mtprobe_model", shared.model.name))

    def prepare(self) -> None:
        """Runs the suite if it has not been run; called where output is not captured, so that progress shows."""
        if self.get_closest_marker("skip") is None:
            self.shared.prepare()

    def setup(self) -> None:
        """What cannot be judged is an error; the user's mistakes are told without a traceback."""
        try:
            reason = self.not_judged()
        except MtprobeError as error:
            reason = str(error)
        if reason:
            pytest.fail(reason, pytrace=False)

    @abstractmethod
    def not_judged(self) -> str | None:
        """Why there is no verdict, or None when there is one."""

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
        return self.gate.place.path, self.gate.place.line - 1, f"{self.shared.suite.name}: {self.name}"

    def not_judged(self) -> str | None:
        result = self._result()
        if result.decision is not Decision.ERROR:
            return None
        return f"{self.shared.suite.name}: {self.gate.key} cannot be judged: {result.reason}"

    def runtest(self) -> None:
        result = self._result()
        self._tell(result)
        if result.decision is Decision.PASSED:
            return
        message = describe_gate(result, self.gate, self.shared.done(self.gate.method))
        if result.decision is Decision.UNDECIDED and option(self.config, "undecided") == "skip":
            pytest.skip(message.splitlines()[0])
        raise GateFailed(message)

    def _result(self) -> GateResult:
        return next(gate for gate in self.shared.done(self.gate.method).gates if gate.key == self.gate.key)

    def _tell(self, result: GateResult) -> None:
        """For JUnit and other plugins, in plain values."""
        found = result.measure
        values = {
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "bound": result.bound,
        }
        if (since := result.regression) is not None:
            values |= {"p": since.p, "broken": len(since.broken), "mended": len(since.mended)}
        self.user_properties.extend(
            (f"mtprobe_{name}", value) for name, value in values.items() if value is not None
        )


class SampleItem(ProbeItem):
    """A sample that must be right by itself."""

    def __init__(self, *, sample: Sample, **rest: Any) -> None:
        super().__init__(**rest)
        self.sample = sample

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        return (
            self.sample.place.path,
            max(0, self.sample.place.line - 1),
            f"{self.shared.suite.name}: {self.name}",
        )

    def not_judged(self) -> str | None:
        verdict = self._result().verdict
        return (
            f"{self.sample.id} cannot be judged: {verdict.reason}"
            if verdict.outcome is Outcome.ERROR
            else None
        )

    def runtest(self) -> None:
        result = self._result()
        if result.verdict.outcome not in (Outcome.CORRECT, Outcome.OPEN):
            raise GateFailed("\n".join(describe_sample(result)))

    def _result(self) -> Result:
        found = self.shared.results.get(self.sample.id)
        if found is None:
            raise MtprobeError(f"{self.sample.id} has no evidence for this language")
        return found
