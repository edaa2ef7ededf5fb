"""Judges the translations of a record anew, by another evaluator. Nothing is translated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import mtprobe
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Failure, MtprobeError
from mtprobe.gates import gates_for
from mtprobe.plan import judging
from mtprobe.progress import Progress
from mtprobe.records import Run, RunFacts, SuiteRun
from mtprobe.runner import left_out, run_suite
from mtprobe.store import Store
from mtprobe.suite.sample import Suite
from mtprobe.suites import load_suite


class Recorded:
    """A model's translations as a record has them; what it could not translate then fails again."""

    def __init__(self, runs: Sequence[SuiteRun]) -> None:
        self.languages = LanguagePair(runs[0].source, runs[0].target)
        self._table: dict[str, str | Failure] = {}
        for run in runs:
            for result in run.results:
                if result.translation is not None:
                    self._table[result.source] = result.translation
                else:
                    reason = result.verdict.reason or "the record has no translation"
                    self._table.setdefault(result.source, Failure(reason))
        text = repr(sorted((source, str(made)) for source, made in self._table.items()))
        self.fingerprint = "record:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        return [self._table[source] for source in sources]

    def has(self, source: str) -> bool:
        return source in self._table


@dataclass(frozen=True, slots=True)
class Options:
    data_root: Path | None = None
    changed: bool = False  # suites may have changed: what has no translation is left out


def rescore(run: Run, evaluator: Model, options: Options, store: Store | None, progress: Progress) -> Run:
    """The run with every method that judges translations asked again; an error says which suites have changed."""
    groups: dict[tuple[str, str, str], list[SuiteRun]] = {}
    for one in run.suites:
        groups.setdefault((one.path, one.model.name, one.target), []).append(one)
    suites = {
        path: _load(path, [one for one in run.suites if one.path == path], options) for path, _, _ in groups
    }
    done = [
        judged
        for (path, _, _), runs in groups.items()
        for judged in _judge_again(suites[path], runs, evaluator, store, progress)
    ]
    if not done:
        raise MtprobeError("the record holds no translations that an evaluator could judge")
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(RunFacts(mtprobe.__version__, created), tuple(done), run.failed, run.whole)


def _load(path: str, runs: Sequence[SuiteRun], options: Options) -> Suite:
    if not Path(path).exists():
        raise MtprobeError(
            f"{path}: the suite is not there; judge again where the run was made, as the record names it from there"
        )
    suite = load_suite(Path(path), options.data_root)
    if suite.digest != runs[0].digest and not options.changed:
        raise MtprobeError(
            f"{path}: the suite or a file that it names has changed since the run ({runs[0].digest} → {suite.digest}): "
            "run it again, or judge what has a translation with --changed"
        )
    return suite


def _judge_again(
    suite: Suite, runs: Sequence[SuiteRun], evaluator: Model, store: Store | None, progress: Progress
) -> Iterator[SuiteRun]:
    backend = Recorded(runs)
    model = Model(runs[0].model.name, backend)
    known = {result.id for run in runs for result in run.results}
    partial = any(run.partial for run in runs)
    samples = tuple(
        one for one in suite.samples if backend.has(one.source) and (one.id in known or not partial)
    )
    found = judging(suite, model, evaluator)
    before = {run.method for run in runs}
    methods = [
        method for method in found.methods if method.name in before and method.judges == "translations"
    ]
    if not methods or not samples:
        return
    left = sorted(before - {method.name for method in methods})
    notes = [f"{name} was left out: it judges no translations, or cannot be asked" for name in left]
    # Targets may hold samples that the method never asked for: only what has no translation is worth a word.
    missing = len(suite.samples) - len(samples) if suite.digest != runs[0].digest else 0
    notes += left_out(missing, "without a translation in the record")
    gates = [
        gate
        for gate in gates_for(suite, model.languages.target)
        if (gate.method or suite.methods[0]) in {method.name for method in methods}
    ]
    done = run_suite(
        replace(suite, samples=samples),
        gates,
        methods,
        model,
        evaluator,
        notes=notes,
        partial=partial,
        store=store,
        progress=progress,
    )
    for one in done:
        yield replace(one, model=runs[0].model)
