"""Suite × model → run: the one place that knows the whole way of the data."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.audit.calibrate import audit_evaluator, calibrated
from mtprobe.gates import Gate, judge_gate
from mtprobe.methods import Method
from mtprobe.methods.judge import judge_all
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import tally
from mtprobe.models import Model, scorer_for
from mtprobe.progress import Progress, Silent
from mtprobe.record import SuiteRun
from mtprobe.store import Store
from mtprobe.suite.sample import Suite
from mtprobe.translate.stored import translate_all


def run_suite(
    suite: Suite,
    gates: Sequence[Gate],
    method: Method,
    model: Model,
    evaluator: Model | None = None,
    *,
    partial: bool = False,
    store: Store | None = None,
    progress: Progress | None = None,
) -> SuiteRun:
    """Audits the evaluator, translates, scores and judges a suite's samples, and its gates on them."""
    shown = progress or Silent()
    languages = model.languages.with_source(suite.source)
    scorer = scorer_for(model, evaluator, method)
    audited = audit_evaluator(suite, method, languages.target, scorer, store, shown)
    method = calibrated(method, suite, languages.target, audited)
    translations = translate_all(model.backend, [sample.source for sample in suite.samples], store, shown)
    results = tuple(judge_all(suite, method, translations, languages, scorer, store, shown))
    errors = [result.verdict.reason for result in results if result.verdict.outcome is Outcome.ERROR]
    counted = tally(results, suite.seed)
    return SuiteRun(
        suite=suite.name,
        about=suite.about,
        path=str(suite.path),
        digest=suite.digest,
        method=method.name,
        categories=suite.categories,
        source=languages.source,
        target=languages.target,
        model=model.facts(),
        evaluator=evaluator.facts() if evaluator and scorer else None,
        judges_itself=scorer is not None and evaluator is None,
        partial=partial,
        seed=suite.seed,
        results=results,
        gates=tuple(judge_gate(gate, counted, suite.answered, errors, audited) for gate in gates),
        audit=audited.audit if audited else None,
    )
