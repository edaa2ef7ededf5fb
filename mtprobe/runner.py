"""Executes a plan: a suite is translated once, each method judges it, and its gates are decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import mtprobe
from mtprobe.audit.wording import unaudited_reasons, unfit_reasons
from mtprobe.backends.costs import check_budget
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import can_translate, uses_context
from mtprobe.backends.scorer import takes_context
from mtprobe.backends.stored import translate_all
from mtprobe.errors import Failure, MtprobeError
from mtprobe.gates import Consequence, Doubts, VerdictAudit, judge_gate, skipped_gate, with_labels
from mtprobe.methods import Method, Outcome
from mtprobe.methods.minimal_pairs import UNOPPOSED
from mtprobe.methods.salience.outcome import SuiteSalience
from mtprobe.methods.scoring import Scoring
from mtprobe.methods.verdict import Result, first_repeat
from mtprobe.metrics import MetricContext, tally
from mtprobe.metrics.ties import count_ties
from mtprobe.plan import Plan, SuitePlan
from mtprobe.plan.forms import with_best_form
from mtprobe.plan.judgements import Judgements
from mtprobe.plan.suite import NOT_TRANSLATED
from mtprobe.plan.tracker import Tracker
from mtprobe.progress import LOGGER, Progress
from mtprobe.records import Run, RunFacts, SuiteRun
from mtprobe.records.baseline import Baseline, with_adjusted_p
from mtprobe.records.counterpart import with_duplicates_noted
from mtprobe.settings import COUNTERFACTUALS, Settings
from mtprobe.store import Store


@dataclass(frozen=True, slots=True)
class RunContext:
    """What the suites of a run share."""

    store: Store | None = None
    baseline: Baseline | None = None
    salience: int | None = None  # minimal pairs per suite; None: none
    unfit: Consequence = "undecided"  # what gates on verdicts come to that an audit finds wrong too often
    unaudited: Consequence = "warn"  # … and gates on verdicts of an evaluator that could not be audited
    counterfactuals: int = COUNTERFACTUALS  # translations per suite that are exchanged for an audit

    @classmethod
    def of(cls, settings: Settings, store: Store | None, baseline: Baseline | None) -> RunContext:
        return cls(
            store, baseline, settings.salience, settings.unfit, settings.unaudited, settings.counterfactuals
        )


def run_plan(plan: Plan, baseline: Baseline | None = None, progress: Progress | None = None) -> Run:
    """Runs every suite of the plan, one after the other. A run over budget is an error before it starts."""
    settings = plan.settings
    suites: list[SuiteRun] = []
    with Store(settings.store) if settings.store is not None else nullcontext() as store:
        costs = plan.costs(store)
        check_budget(costs, settings.budget)
        for cost in costs:
            LOGGER.warning("%s", cost)
        for suite_plan in plan.running:
            suites += run_suite(suite_plan, RunContext.of(settings, store, baseline), Tracker(progress))
    return Run(new_facts(), with_adjusted_p(with_duplicates_noted(suites)))


def new_facts() -> RunFacts:
    return RunFacts(mtprobe.__version__, datetime.now(UTC).isoformat(timespec="seconds"))


def run_suite(plan: SuitePlan, context: RunContext, tracker: Tracker) -> tuple[SuiteRun, ...]:
    """One result per method; a gate that names no method is decided on the first."""
    if plan.model is None:
        raise ValueError("a suite needs a model to run on")
    if plan.obstacle is not None:
        raise MtprobeError(plan.obstacle)
    requests = plan.requests()
    tracker.begin(plan, list(requests))
    translations: Mapping[str, str | Failure] = {}
    if requests and can_translate(plan.model.runner):
        made = translate_all(plan.model.runner, list(requests.values()), context.store, tracker)
        translations = {key: made[request] for key, request in requests.items()}
    model, chosen = plan.model, with_best_form(plan, plan.model, translations, context.store, tracker)
    held_out = chosen is not plan
    plan = chosen
    judged = Judgements(plan, model, translations, context.store, tracker, held_out=held_out)
    for method in plan.methods:
        tracker.finished.append(_suite_run(plan, model, judged, method, context))
    return tuple(tracker.finished)


def _suite_run(
    plan: SuitePlan, model: Model, judgements: Judgements, method: Method, context: RunContext
) -> SuiteRun:
    suite, languages = plan.suite, judgements.languages
    judgement = judgements.by(method)
    prepared, scoring, results = judgement.method, judgement.scoring, judgement.results
    labels, once = judgements.labels, first_repeat(results)
    salience = prepared.salience(judgement.preparation, context.salience) if context.salience else None
    suite_run = SuiteRun(
        suite=suite.name,
        about=suite.about,
        path=str(suite.path),
        digest=suite.digest,
        method=method.name,
        details=prepared.details,
        procedure=f"{prepared.procedure}{', degenerate ignored' if suite.ignores_degenerate else ''}",
        categories=suite.categories,
        source=languages.source,
        target=languages.target,
        model=model.facts(context.store),
        evaluator=scoring.model.facts(context.store) if scoring and scoring.model is not model else None,
        judges_itself=scoring is not None and scoring.model is model and method.scored_by is not None,
        partial=plan.partial,
        seed=suite.seed,
        results=results,
        audit=prepared.audited.audit if prepared.audited else None,
        salience=salience if isinstance(salience, SuiteSalience) else None,
        variants=suite.variants,
        noise=prepared.noise,
        labelled_by=labels.labelled_by(results),
        notes=(
            *_without_context(plan, scoring),
            *_notes(plan, once, languages.target, translated=judgements.translated, salience=salience),
            *prepared.notes(once),
            *labels.notes(results),
        ),
        in_place=judgements.audit(judgement, context.counterfactuals),
    )
    return _with_gates(suite_run, plan, prepared, context, labels.problem(results))


def _notes(
    plan: SuitePlan,
    results: Sequence[Result],
    target: str,
    *,
    translated: bool,
    salience: SuiteSalience | str | None,
) -> Iterator[str]:
    """What a reader of the results should know."""
    yield from plan.notes
    if plan.suite.ignores_degenerate:
        yield "outputs that are not translations (empty, copied, …) were judged like any other, as the suite says"
    if not translated and plan.model is not None and can_translate(plan.model.backend):
        yield NOT_TRANSLATED
    yield from skipped_samples(len(plan.suite.samples) - len(results), f"without evidence for {target}")
    if unopposed := sum(result.verdict.reason == UNOPPOSED for result in results):
        yield f"{unopposed:,} of {len(results):,} samples have no incorrect target, and count as correct"
    if (ties := count_ties(results)).tied:
        yield str(ties)
    if isinstance(salience, str):
        yield f"salience was not computed: {salience}"


def _without_context(plan: SuitePlan, scoring: Scoring | None) -> Iterator[str]:
    """A note on models that did not see the context of samples."""
    count = sum(bool(sample.context) for sample in plan.suite.samples)
    if not count or plan.model is None:
        return
    asked = {
        plan.model.name: can_translate(plan.model.backend) and not uses_context(plan.model.backend),
    }
    if scoring is not None:
        blind = not takes_context(scoring.scorer)
        asked[scoring.model.name] = asked.get(scoring.model.name, False) or blind
    for name, blind in asked.items():
        if blind:
            yield f"{name} cannot use all of the context that {count:,} samples have: it was asked without it (`concat:SPEC` gives it as text)"


def _with_gates(
    suite_run: SuiteRun, plan: SuitePlan, method: Method, run: RunContext, label_problem: str
) -> SuiteRun:
    errors = [
        result.verdict.reason for result in suite_run.results if result.verdict.outcome is Outcome.ERROR
    ]
    counts = tally(suite_run.results, plan.suite.seed, plan.suite.variants)
    since = run.baseline.since(suite_run) if run.baseline else None
    corrected = plan.suite.corrected and method.judges == "translations"
    context = MetricContext(counts, plan.suite.answered, method.audited, since, corrected, label_problem)
    doubts = Doubts(context, _verdict_audit(suite_run, run))
    gates = tuple(
        doubts.apply(gate, with_labels(gate, context, judge_gate(gate, context, errors)))
        for gate in plan.gates_of(method)
    )
    skipped = tuple(skipped_gate(gate, reason) for gate, reason in plan.skipped_gates_of(method))
    reversals = [gate.reversal for gate in gates if gate.reversal]
    return replace(suite_run, gates=(*gates, *skipped), notes=(*suite_run.notes, *reversals))


def _verdict_audit(suite_run: SuiteRun, run: RunContext) -> VerdictAudit:
    """What the audit in place means for gates."""
    audit = suite_run.in_place
    if audit is None:
        return VerdictAudit()
    return VerdictAudit(
        unfit_reasons(audit), unaudited_reasons(audit, suite_run.results), run.unfit, run.unaudited
    )


def skipped_samples(count: int, why: str) -> Sequence[str]:
    """A note on samples that were skipped, if any were."""
    if count == 1:
        return [f"1 sample {why} was skipped"]
    return [f"{count:,} samples {why} were skipped"] if count else []
