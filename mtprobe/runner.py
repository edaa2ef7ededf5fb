"""Suite × model → run: the one place that knows the whole way of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mtprobe.backends.model import Model, scoring_for
from mtprobe.backends.protocols import can_translate
from mtprobe.backends.translating import translate_all
from mtprobe.errors import Failure
from mtprobe.gates import Gate, judge_gate
from mtprobe.methods import Method
from mtprobe.methods.alignment import with_alignments
from mtprobe.methods.audit_pairs.calibrate import audit_evaluator, calibrated
from mtprobe.methods.judge import judge_all
from mtprobe.methods.method import Configurable
from mtprobe.methods.minimal_pairs import MinimalPairs
from mtprobe.methods.salience.suite import cannot_tell, suite_salience
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import Context, tally
from mtprobe.plan import NOT_TRANSLATED, sources_to_translate
from mtprobe.progress import Progress
from mtprobe.records import SuiteRun
from mtprobe.records.baseline import Baseline
from mtprobe.store import Store
from mtprobe.suite.sample import Suite
from mtprobe.underway import Underway


def run_suite(
    suite: Suite,
    gates: Sequence[Gate],
    methods: Sequence[Method],
    model: Model,
    evaluator: Model | None = None,
    *,
    notes: Sequence[str] = (),
    partial: bool = False,
    salience: int | None = None,
    store: Store | None = None,
    progress: Progress | None = None,
    underway: Underway | None = None,
    baseline: Baseline | None = None,
) -> tuple[SuiteRun, ...]:
    """Translates a suite's samples once, and has each method judge them; a gate that names none reads the first.

    `underway` tells another thread how far it is, and lets it stop it; it has a progress of its own.
    `salience`: of how many minimal pairs the salience of source words is computed.
    Gates on regression are judged against the baseline; without one they are left out.
    """
    shown = underway or Underway(progress)
    languages = model.languages.with_source(suite.source)
    sources = sources_to_translate(suite, gates, methods, model, evaluator)
    shown.begin(suite, methods, sources)
    translations: Mapping[str, str | Failure] = {}
    if sources and can_translate(model.runner):
        translations = translate_all(model.runner, sources, store, shown)

    def judged(method: Method) -> SuiteRun:
        scoring = scoring_for(model, evaluator, method)
        scorer = scoring.for_suite(suite, languages.target) if scoring else None
        audited = audit_evaluator(suite, method, languages.target, scorer, store, shown)
        method = calibrated(method, suite, languages.target, audited)
        method = with_alignments(method, suite, model, translations)
        results = tuple(
            shown.counted(judge_all(suite, method, translations, languages, scorer, store, shown))
        )
        errors = [result.verdict.reason for result in results if result.verdict.outcome is Outcome.ERROR]
        counted = tally(results, suite.seed, suite.variants)
        looks, blind = salience and method.name == MinimalPairs.name, cannot_tell(model)
        own = [gate for gate in gates if (gate.method or methods[0].name) == method.name]
        done = SuiteRun(
            suite=suite.name,
            about=suite.about,
            path=str(suite.path),
            digest=suite.digest,
            method=method.name,
            details=method.details if isinstance(method, Configurable) else "",
            categories=suite.categories,
            source=languages.source,
            target=languages.target,
            model=model.facts(),
            evaluator=scoring.model.facts() if scoring and scoring.model is not model else None,
            judges_itself=scoring is not None and scoring.model is model and method.scored_by is not None,
            partial=partial,
            seed=suite.seed,
            results=results,
            audit=audited.audit if audited else None,
            salience=suite_salience(model, suite, salience, shown) if looks and not blind else None,
            variants=suite.variants,
            notes=(
                *notes,
                *([NOT_TRANSLATED] if not sources and can_translate(model.backend) else ()),
                *left_out(len(suite.samples) - len(results), f"without evidence for {languages.target}"),
                *([f"salience was left out: {blind}"] if looks and blind else ()),
            ),
        )
        since = baseline.since(done) if baseline else None
        context = Context(counted, suite.answered, audited, since)
        judged_now = [gate for gate in own if since or not gate.metric.needs_baseline]
        return replace(
            done,
            gates=tuple(judge_gate(gate, context, errors) for gate in judged_now),
        )

    for method in methods:
        shown.finished.append(judged(method))
    return tuple(shown.finished)


def left_out(count: int, why: str) -> Sequence[str]:
    """A note on samples that were left out, if any were."""
    if count == 1:
        return [f"1 sample {why} was left out"]
    return [f"{count:,} samples {why} were left out"] if count else []
