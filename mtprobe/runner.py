"""Executes a plan: a suite is translated once, each method judges it, and its gates are decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import mtprobe
from mtprobe.audit.wording import unaudited_reasons, unfit_reasons
from mtprobe.backends.costs import Purse, hold_budget
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import can_translate, uses_context
from mtprobe.backends.scorer import takes_context
from mtprobe.backends.stored import translate_all
from mtprobe.errors import Failure, MtprobeError
from mtprobe.gates import Consequence, Doubts, Early, VerdictAudit, judge_gate, skipped_gate, with_labels
from mtprobe.language.identify import expect_texts
from mtprobe.language.kept import keeping
from mtprobe.methods import Method, Outcome
from mtprobe.methods.minimal_pairs import UNOPPOSED
from mtprobe.methods.salience.outcome import SuiteSalience
from mtprobe.methods.scoring import Scoring
from mtprobe.methods.verdict import Result, first_repeat
from mtprobe.metrics import MetricContext, tally
from mtprobe.metrics.ties import count_ties
from mtprobe.plan import Plan, SuitePlan
from mtprobe.plan.blocks import Block, blocks_of
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
    """The state shared by the suites of a run."""

    store: Store | None = None
    baseline: Baseline | None = None
    salience: int | None = None  # minimal pairs per suite; None: none
    unfit: Consequence = "undecided"  # what gates on verdicts come to that an audit finds wrong too often
    unaudited: Consequence = "warn"  # … and gates on verdicts of an evaluator that could not be audited
    counterfactuals: int = COUNTERFACTUALS  # translations per suite that are exchanged for an audit
    purse: Purse = field(default_factory=Purse)  # what suites that are asked block by block may cost

    @classmethod
    def of(
        cls, settings: Settings, store: Store | None, baseline: Baseline | None, purse: Purse
    ) -> RunContext:
        return cls(
            store,
            baseline,
            settings.salience,
            settings.unfit,
            settings.unaudited,
            settings.counterfactuals,
            purse,
        )


def run_plan(plan: Plan, baseline: Baseline | None = None, progress: Progress | None = None) -> Run:
    """Runs every suite of the plan, one after the other. A run over budget is an error before it starts."""
    settings = plan.settings
    suites: list[SuiteRun] = []
    with Store(settings.store) if settings.store is not None else nullcontext() as store:
        context = RunContext.of(settings, store, baseline, plan.purse(store))
        costs = plan.costs(store)
        hold_budget(plan.models.opened, costs, settings.budget)
        for cost in costs:
            LOGGER.warning("%s%s", cost, plan.at_most)
        for suite_plan in plan.running:
            suites += run_suite(suite_plan, context, Tracker(progress))
    return Run(new_facts(), with_adjusted_p(with_duplicates_noted(suites)))


def new_facts() -> RunFacts:
    return RunFacts(mtprobe.__version__, datetime.now(UTC).isoformat(timespec="seconds"))


def run_suite(plan: SuitePlan, context: RunContext, tracker: Tracker) -> tuple[SuiteRun, ...]:
    """One result per method; a gate that names no method is decided on the first."""
    if plan.model is None:
        raise ValueError("a suite needs a model to run on")
    if plan.obstacle is not None:
        raise MtprobeError(plan.obstacle)
    with keeping(context.store):
        return _run_kept(plan, plan.model, context, tracker)


def _run_kept(plan: SuitePlan, model: Model, context: RunContext, tracker: Tracker) -> tuple[SuiteRun, ...]:
    if not plan.sequential:
        return _run_all(plan, model, context, tracker)
    with _with_store(context) as kept:
        for block in blocks_of(plan, model, kept.store, kept.purse):
            if block.is_complete:
                return _run_all(block.plan, model, kept, tracker)
            if runs := _run_block(block, model, kept, tracker):
                tracker.finished += runs
                return tuple(runs)
    raise AssertionError("no block is the last one")


def _run_all(plan: SuitePlan, model: Model, context: RunContext, tracker: Tracker) -> tuple[SuiteRun, ...]:
    plan, judged = _translated(plan, model, context, tracker)
    for method in plan.methods:
        suite_run = _suite_run(plan, model, judged, method, context)
        tracker.finished.append(_with_gates(suite_run, plan, judged, method, context))
    return tuple(tracker.finished)


def _run_block(block: Block, model: Model, context: RunContext, tracker: Tracker) -> list[SuiteRun]:
    """The results of the first samples; none if they do not decide the gates and there are more to come."""
    plan, judged = _translated(block.plan, model, context, tracker)

    def results(run: RunContext, early: Block) -> list[SuiteRun]:
        suite_runs = [(method, _suite_run(plan, model, judged, method, run)) for method in plan.methods]
        return [_with_gates(done, plan, judged, method, run, early) for method, done in suite_runs]

    if not block.is_last:  # what only the final result needs is left for it
        first_look = results(replace(context, salience=None, counterfactuals=0), block)
        if not block.decides(first_look):
            return []
    final = replace(block, is_last=True)
    stopped = final.early_stop(plan, translated=judged.translated)
    runs = [
        replace(run, stopped=stopped, notes=(str(stopped), *run.notes)) for run in results(context, final)
    ]
    return runs if block.is_last or block.decides(runs) else []


def _translated(
    plan: SuitePlan, model: Model, context: RunContext, tracker: Tracker
) -> tuple[SuitePlan, Judgements]:
    """The plan with its cue form, and everything that methods judge."""
    requests = plan.requests() if plan.suite.samples else {}
    tracker.begin(plan, list(requests))
    translations: Mapping[str, str | Failure] = {}
    if requests and can_translate(model.runner):
        made = translate_all(model.runner, list(requests.values()), context.store, tracker)
        translations = {key: made[request] for key, request in requests.items()}
        expect_texts((text for text in made.values() if isinstance(text, str)), model.languages.target)
    chosen = with_best_form(plan, model, translations, context.store, tracker) if plan.suite.samples else plan
    held_out = chosen is not plan
    return chosen, Judgements(chosen, model, translations, context.store, tracker, held_out=held_out)


@contextmanager
def _with_store(context: RunContext) -> Iterator[RunContext]:
    """No block asks again what an earlier one has asked, even if nothing is kept after the run."""
    if context.store is not None:
        yield context
        return
    with TemporaryDirectory(prefix="mtprobe-") as folder, Store(Path(folder) / "store.sqlite") as store:
        yield replace(context, store=store)


def _suite_run(
    plan: SuitePlan, model: Model, judgements: Judgements, method: Method, context: RunContext
) -> SuiteRun:
    suite, languages = plan.suite, judgements.languages
    judgement = judgements.by(method)
    prepared, scoring, results = judgement.method, judgement.scoring, judgement.results
    labels, once = judgements.labels, first_repeat(results)
    salience = prepared.salience(judgement.preparation, context.salience) if context.salience else None
    return SuiteRun(
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
        in_place=judgements.audit(judgement, context.counterfactuals) if results else None,
    )


def _notes(
    plan: SuitePlan,
    results: Sequence[Result],
    target: str,
    *,
    translated: bool,
    salience: SuiteSalience | str | None,
) -> Iterator[str]:
    """Notes for readers of the results."""
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
    suite_run: SuiteRun,
    plan: SuitePlan,
    judgements: Judgements,
    method: Method,
    run: RunContext,
    block: Block | None = None,
) -> SuiteRun:
    """With its gates; those of a block are decided on what its samples show about all."""
    suite, results, prepared = plan.suite, suite_run.results, judgements.by(method).method
    errors = [result.verdict.reason for result in results if result.verdict.outcome is Outcome.ERROR]
    since = run.baseline.since(suite_run) if run.baseline else None
    context = MetricContext(
        tally(results, suite.seed, suite.variants),
        suite.answered,
        prepared.audited,
        block.compared(since) if block and since else since,
        suite.corrected and method.judges == "translations",
        judgements.labels.problem(results),
    )
    doubts = Doubts(context, _verdict_audit(suite_run, run))
    early = None
    if block is not None:
        population = block.population(method, suite_run.target, plan.complete or suite)
        early = Early(context, population, block.undecided)
    gates = []
    for gate in plan.gates_of(method):
        result = judge_gate(gate, context, errors)
        result = early.decided(gate, result) if early else with_labels(gate, context, result)
        gates.append(doubts.apply(gate, result))
    skipped = tuple(skipped_gate(gate, reason) for gate, reason in plan.skipped_gates_of(method))
    reversals = [gate.reversal for gate in gates if gate.reversal]
    return replace(suite_run, gates=(*gates, *skipped), notes=(*suite_run.notes, *reversals))


def _verdict_audit(suite_run: SuiteRun, run: RunContext) -> VerdictAudit:
    """The consequences of the audit in place for gates."""
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
