"""Plans a run: every suite on every model, in the same way for pytest and Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mtprobe.audit.forms import nothing_to_choose_by
from mtprobe.audit.witnesses import unnamed_witnesses
from mtprobe.backends.costs import Cost, Purse, costs_of, purse_of
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Request
from mtprobe.errors import MissingData, did_you_mean
from mtprobe.gates import Gate, GateError, gates_for, read_bound
from mtprobe.methods import MethodOptions, check_evidence
from mtprobe.plan.back import OneWay
from mtprobe.plan.models import Models
from mtprobe.plan.repeats import asked_once, repeats_for, unrepeated
from mtprobe.plan.suite import SuitePlan, choose_methods
from mtprobe.settings import Override, SettingError, Settings
from mtprobe.store import Store
from mtprobe.suite.sample import Suite
from mtprobe.suites import load_suite

_NAMED = 3  # suites in a hint


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run, without suites whose data is missing if they allow that."""

    settings: Settings
    models: Models
    suites: tuple[SuitePlan, ...]
    missing: tuple[MissingData, ...] = ()

    @property
    def running(self) -> tuple[SuitePlan, ...]:
        return tuple(suite for suite in self.suites if suite.runs)

    @property
    def at_most(self) -> str:
        """Completes a cost."""
        return (
            "; at most, since the run is sequential" if any(plan.sequential for plan in self.running) else ""
        )

    def costs(self, store: Store | None) -> list[Cost]:
        """The maximum cost of services; stored results cost nothing."""
        return costs_of(_translated(self.running, store), store)

    def purse(self, store: Store | None, shares: int = 1) -> Purse:
        """The rest of the budget for sequential suites, per process; an error if it is too small for the other suites."""
        at_once, in_blocks = (
            costs_of(
                _translated((plan for plan in self.running if plan.sequential is sequential), store), store
            )
            for sequential in (False, True)
        )
        return purse_of(self.settings.budget, at_once, in_blocks, shares)


def _translated(plans: Iterable[SuitePlan], store: Store | None) -> Iterator[tuple[Model, Sequence[Request]]]:
    for plan in plans:
        if plan.model is not None:
            yield plan.model, list(plan.requests().values())
        if plan.back is not None and (requests := plan.back_requests(store)):
            yield plan.back, requests


class Planner:
    """Plans suite by suite, as pytest collects them, or a whole run at once."""

    def __init__(self, settings: Settings, models: Models, *, has_baseline: bool) -> None:
        self._settings = settings
        self._models = models
        self._has_baseline = has_baseline
        self._loaded: dict[str, Suite] = {}  # by path, with all samples
        self._overridden: set[Override] = set()

    def load(self, path: Path) -> Suite:
        """A suite that can be judged at all; `MissingData` if its data is not here and it allows that."""
        suite = load_suite(path, self._settings.data_root)
        check_evidence(suite)
        self._loaded[str(path)] = suite
        return suite.take(self._settings.take) if self._settings.take else suite

    def plan(self, paths: Iterable[Path]) -> Plan:
        """Every suite on every model."""
        plans: list[SuitePlan] = []
        missing: list[MissingData] = []
        for path in paths:
            try:
                suite = self.load(path)
            except MissingData as error:
                missing.append(error)
                continue
            plans += [self.plan_suite(suite, model) for model in self._models.tested]
        self.check_overrides()
        return Plan(self._settings, self._models, tuple(plans), tuple(missing))

    def plan_suite(self, suite: Suite, model: Model | None) -> SuitePlan:
        """One suite on one model."""
        settings = self._settings
        target = model.languages.target if model else None
        gates = tuple(self._with_override(gate, suite) for gate in gates_for(suite, target))
        reason = self._reason_to_skip(suite, model)
        if model is None or reason is not None:
            return SuitePlan(suite, gates, model, skip=reason)
        evaluator = self._models.evaluator_of(model)
        options = MethodOptions(settings.lemmatizer, settings.alignment, settings.judge_repeat)
        choice = choose_methods(suite, model, evaluator, options, settings.method)
        if not (choice.methods or choice.mistake or choice.obstacle):
            reason = "; ".join(choice.skipped.values())
        back = self._models.back_of(model)
        oneway = OneWay(suite, choice.methods) if back is None else OneWay(suite, ())
        suite, reason = oneway.suite, reason or oneway.skip
        witnesses = unnamed_witnesses(suite, model.languages.target, choice.methods, options)
        no_form = nothing_to_choose_by(suite, model.languages.target, choice.methods, witnesses)
        return SuitePlan(
            suite,
            gates,
            model,
            evaluator,
            choice.methods,
            {
                gate.key: why
                for gate in gates
                if (why := self._reason_to_skip_gate(gate, choice.skipped) or oneway.reason_to_skip(gate))
            },
            reason,
            choice.mistake or no_form,
            choice.obstacle,
            partial=settings.take is not None,
            notes=(
                *choice.notes,
                *oneway.notes,
                *unrepeated(settings.repeat, model, choice.methods),
                *asked_once(settings.judge_repeat, suite, model, evaluator, choice.methods),
            ),
            complete=self._loaded.get(str(suite.path)) if settings.take is not None else None,
            witnesses=witnesses,
            repeats=repeats_for(settings.repeat, model, choice.methods),
            back=back,
            sequential=suite.sequential if settings.sequential is None else settings.sequential,
        )

    def _reason_to_skip(self, suite: Suite, model: Model | None) -> str | None:
        if model is None:
            return "no model is named"
        if not suite.fits(model.languages.source, model.languages.target):
            return f"the suite is for {suite.languages}, but {model.name} translates {model.languages}"
        picked = self._settings.method
        if picked and not set(picked) & set(suite.methods):
            return f"the suite is judged by {', '.join(suite.methods)}, not by {' or '.join(picked)}"
        return None

    def _reason_to_skip_gate(self, gate: Gate, skipped_methods: Mapping[str, str]) -> str | None:
        if gate.method is not None and gate.method in skipped_methods:
            return skipped_methods[gate.method]
        if gate.metric.needs_baseline and not self._has_baseline:
            return "there is no baseline to compare with"
        return None

    def _with_override(self, gate: Gate, suite: Suite) -> Gate:
        for override in self._settings.overrides:
            if (override.suite, override.gate) == (suite.name, gate.key):
                self._overridden.add(override)
                try:
                    bound = read_bound(override.bound, share=gate.metric.is_share)
                except GateError as error:
                    raise SettingError("set", f"{override.suite}:{override.gate}: {error}") from None
                gate = replace(gate, bound=bound)
        return gate

    def check_overrides(self) -> None:
        """An override that changed no gate is a mistake."""
        suites = {suite.name: suite for suite in self._loaded.values()}
        for override in self._settings.overrides:
            if override in self._overridden:
                continue
            if not override.suite:
                having = [
                    name
                    for name, suite in suites.items()
                    if any(text.key == override.gate for text in suite.gates)
                ]
                write = " or ".join(f"'{name}:{override.gate}={override.bound}'" for name in having[:_NAMED])
                known = [text.key for suite in suites.values() for text in suite.gates]
                how = (
                    f": write {write}"
                    if having
                    else f', and no suite has a gate "{override.gate}"{did_you_mean(override.gate, known)}'
                )
                raise SettingError("set", f"the suite is missing{how}")
            if override.suite not in suites:
                raise SettingError(
                    "set", f'there is no suite "{override.suite}"{did_you_mean(override.suite, suites)}'
                )
            gates = [text.key for text in suites[override.suite].gates]
            hint = did_you_mean(override.gate, gates)
            raise SettingError("set", f'{override.suite} has no gate "{override.gate}"{hint}')
