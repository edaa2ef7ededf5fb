"""Judges the translations of a record again, with another evaluator or newer methods. Nothing is translated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from mtprobe.audit.witnesses import unnamed_witnesses
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import LanguagePair, Request
from mtprobe.errors import Failure, MtprobeError
from mtprobe.gates import gates_for
from mtprobe.methods import MethodOptions, method_named
from mtprobe.methods.first_decided import names_in
from mtprobe.methods.further import AGAINST, BACK, SOURCE
from mtprobe.methods.question.repeats import repeats_in
from mtprobe.methods.relations.method import PROCEDURE
from mtprobe.plan import SuitePlan
from mtprobe.plan.suite import Choice, choose_methods
from mtprobe.plan.tracker import Tracker
from mtprobe.progress import Progress
from mtprobe.records import Run, SuiteRun
from mtprobe.runner import RunContext, new_facts, run_suite, skipped_samples
from mtprobe.store import Store
from mtprobe.suite.sample import Sample, Suite, text_key
from mtprobe.suites import load_suite


class Recorded:
    """The translations of a model in a record; what failed then fails again."""

    takes_requests: Literal[True] = True

    def __init__(self, runs: Sequence[SuiteRun]) -> None:
        self.languages = LanguagePair(runs[0].source, runs[0].target)
        self._table: dict[str, str | Failure] = {}
        for run in runs:
            for result in run.results:
                repeat = max(0, result.repeat - 1)
                key = text_key(result.source, result.context, repeat)
                for item in result.verdict.evidence:
                    if item.side == AGAINST:
                        self._table[text_key(str(item.attributes[SOURCE]), result.context, repeat)] = (
                            item.text
                        )
                if result.translation is not None:
                    self._table[key] = result.translation
                else:
                    reason = result.verdict.reason or "the record has no translation"
                    self._table.setdefault(key, Failure(reason))
        text = repr(sorted((source, str(target)) for source, target in self._table.items()))
        self.fingerprint = "record:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def translate(self, requests: Sequence[Request]) -> list[str | Failure]:
        return [
            self._table.get(request.key, Failure("the record has no translation")) for request in requests
        ]

    def has(self, sample: Sample) -> bool:
        return sample.key in self._table


class RecordedBack:
    """The back-translations in a record, by a second model."""

    def __init__(self, runs: Sequence[SuiteRun]) -> None:
        self.languages = LanguagePair(runs[0].target, runs[0].source)
        self._table = {
            str(item.attributes[SOURCE]): item.text
            for run in runs
            for result in run.results
            for item in result.verdict.evidence
            if item.side == BACK
        }
        # The procedure of a run names the model, and so do verdicts that come from its back-translations.
        named = (run.procedure.partition(PROCEDURE)[2] for run in runs)
        self.fingerprint = next(filter(None, named), "record")

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        missing = Failure("the record has no back-translation")
        return [self._table.get(source, missing) for source in sources]

    def __len__(self) -> int:
        return len(self._table)


@dataclass(frozen=True, slots=True)
class Options:
    data_root: Path | None = None
    changed: bool = False  # suites may have changed: samples without a translation are skipped


def rescore(
    run: Run,
    evaluators: Mapping[str | None, Model],
    options: Options,
    store: Store | None,
    progress: Progress,
) -> Run:
    """The run, judged again by every method that judges translations; suites that have changed are an error.

    `evaluators` are those of target languages; None: of all others. Methods that ask no model need none.
    """
    for suite_run in run.suites:
        if suite_run.stopped is not None:
            raise MtprobeError(
                f"{suite_run.suite} is of a sequential run, whose verdicts decided how many samples were asked: "
                "run it again"
            )
    groups: dict[tuple[str, str, str], list[SuiteRun]] = {}
    for suite_run in run.suites:
        key = (suite_run.path, suite_run.model.name, suite_run.target)
        groups.setdefault(key, []).append(suite_run)
    suites = {path: _load(path, runs[0].digest, options) for (path, _, _), runs in groups.items()}
    done = [
        judged
        for (path, _, target), runs in groups.items()
        for evaluator in [evaluators.get(target, evaluators.get(None))]
        for judged in _judge_again(suites[path], runs, evaluator, store, progress)
    ]
    if not done:
        raise MtprobeError("the record holds no translations that an evaluator could judge")
    return Run(new_facts(), tuple(done), run.failed, run.whole, run.unjudged, run.unselected)


def _load(path: str, digest: str, options: Options) -> Suite:
    if not Path(path).exists():
        raise MtprobeError(f"{path}: there is no such suite; rescore in the folder where the run was made")
    suite = load_suite(Path(path), options.data_root)
    if suite.digest != digest and not options.changed:
        raise MtprobeError(
            f"{path}: the suite or a file that it names has changed since the run ({digest} → {suite.digest}): "
            "run it again, or rescore only what has a translation (--changed)"
        )
    return suite


def _judge_again(
    suite: Suite, runs: Sequence[SuiteRun], evaluator: Model | None, store: Store | None, progress: Progress
) -> Iterator[SuiteRun]:
    backend = Recorded(runs)
    model = Model(runs[0].model.name, backend)
    recorded = {result.id for run in runs for result in run.results}
    partial = any(run.partial for run in runs)
    samples = tuple(
        sample for sample in suite.samples if backend.has(sample) and (sample.id in recorded or not partial)
    )
    before = {name for run in runs for name in names_in(run.method)}
    options = MethodOptions(judge_repeats=max(repeats_in(run.results) for run in runs))
    choice = choose_methods(suite, model, evaluator, options)
    methods = tuple(
        method
        for method in choice.methods
        if not before.isdisjoint(names_in(method.name)) and method.judges == "translations"
    )
    if evaluator is None:
        _check_needs_no_evaluator(before, choice)
    if not methods or not samples:
        return
    names = {name for method in methods for name in names_in(method.name)}
    notes = [
        f"{name} was skipped: it does not judge translations, or cannot be used here"
        for name in sorted(before - names)
    ]
    # A method may never have asked for some samples: only a missing translation is worth a note.
    missing = len(suite.samples) - len(samples) if suite.digest != runs[0].digest else 0
    notes += skipped_samples(missing, "without a translation in the record")
    gates = tuple(
        gate
        for gate in gates_for(suite, model.languages.target)
        if (gate.method or suite.methods[0]) in names and not gate.metric.needs_baseline
    )
    second = RecordedBack(runs)
    plan = SuitePlan(
        replace(suite, samples=samples),
        gates,
        model,
        evaluator,
        methods,
        partial=partial,
        notes=tuple(notes),
        witnesses=unnamed_witnesses(suite, model.languages.target, methods, MethodOptions()),
        complete=suite if partial else None,
        repeats=max((result.repeat for run in runs for result in run.results), default=0) or 1,
        back=Model("the record", second) if len(second) else None,
    )
    for suite_run in run_suite(plan, RunContext(store), Tracker(progress)):
        yield replace(suite_run, model=runs[0].model)


def _check_needs_no_evaluator(before: set[str], choice: Choice) -> None:
    """A method that an evaluator served must not be dropped without a word."""
    for name in sorted(before & choice.skipped.keys()):
        method = method_named(name)
        if method is not None and method.scored_by == "evaluator":
            raise MtprobeError(
                f"{name} needs an evaluator: name one (--evaluator), for example the model itself"
            )
