"""Executes a plan: a suite is translated once, each method judges it, and its gates are decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Event

import mtprobe
from mtprobe.audit.in_place import audit_in_place
from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.audit.truth import Truth, from_labels, from_witness
from mtprobe.audit.witnesses import needs_witness, testify
from mtprobe.audit.wording import unaudited_reasons, unfit_reasons
from mtprobe.backends.costs import check_budget
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import LanguagePair, can_translate
from mtprobe.backends.stored import translate_all
from mtprobe.errors import Failure
from mtprobe.gates import Consequence, Doubts, VerdictAudit, judge_gate, with_labels
from mtprobe.methods import Method, Outcome, Preparation
from mtprobe.methods.judge import judge_all
from mtprobe.methods.labelled import SuiteLabels
from mtprobe.methods.minimal_pairs import UNOPPOSED
from mtprobe.methods.salience.outcome import SuiteSalience
from mtprobe.methods.scoring import Scoring, scoring_for
from mtprobe.methods.verdict import Result
from mtprobe.metrics import MetricContext, tally
from mtprobe.metrics.ties import count_ties
from mtprobe.plan import Plan, SuitePlan
from mtprobe.plan.forms import with_best_form
from mtprobe.plan.suite import NOT_TRANSLATED
from mtprobe.progress import LOGGER, Progress, Silent, Stopped
from mtprobe.records import Interruption, Run, RunFacts, SuiteRun
from mtprobe.records.baseline import Baseline, with_adjusted_p
from mtprobe.records.counterpart import with_duplicates_noted
from mtprobe.settings import Settings
from mtprobe.store import Store

TRANSLATING = "translating"


@dataclass(frozen=True, slots=True)
class RunContext:
    """What the suites of a run share."""

    store: Store | None = None
    baseline: Baseline | None = None
    salience: int | None = None  # minimal pairs per suite; None: none
    unfit: Consequence = "undecided"  # what gates on verdicts come to that an audit finds wrong too often
    unaudited: Consequence = "warn"  # … and gates on verdicts of an evaluator that could not be audited

    @classmethod
    def of(cls, settings: Settings, store: Store | None, baseline: Baseline | None) -> RunContext:
        return cls(store, baseline, settings.salience, settings.unfit, settings.unaudited)


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
    sources = plan.sources()
    tracker.begin(plan, sources)
    translations: Mapping[str, str | Failure] = {}
    if sources and can_translate(plan.model.runner):
        translations = translate_all(plan.model.runner, sources, context.store, tracker)
    model, plan = plan.model, with_best_form(plan, plan.model, translations, context.store, tracker)
    judged = _Judgements(plan, model, translations, context, tracker)
    for method in plan.methods:
        tracker.finished.append(_suite_run(plan, model, judged, method, context))
    return tuple(tracker.finished)


@dataclass(frozen=True, slots=True)
class _Judgement:
    """What one method made of a suite's translations."""

    method: Method  # prepared
    scoring: Scoring | None
    preparation: Preparation
    results: tuple[Result, ...]


class _Judgements:
    """Each method judges once; one that is a witness may be needed before its turn."""

    def __init__(
        self,
        plan: SuitePlan,
        model: Model,
        translations: Mapping[str, str | Failure],
        context: RunContext,
        tracker: Tracker,
    ) -> None:
        self._plan = plan
        self._model = model
        self._translations = translations
        self._context = context
        self._tracker = tracker
        self.labels = SuiteLabels(plan.complete or plan.suite, self.languages.target)
        self._made: dict[str, _Judgement] = {}
        self._unnamed: tuple[tuple[Truth, ...], tuple[str, ...]] | None = None

    @property
    def languages(self) -> LanguagePair:
        return self._model.languages.with_source(self._plan.suite.source)

    @property
    def translated(self) -> bool:
        return bool(self._translations)

    def by(self, method: Method) -> _Judgement:
        if method.name not in self._made:
            scoring = scoring_for(method, self._model, self._plan.evaluator)
            preparation = self._preparation(scoring)
            prepared = method.prepare(preparation)
            results = tuple(self._tracker.count(judge_all(prepared, preparation)))
            if method.judges == "translations":
                results = self.labels.added_to(results)
            self._made[method.name] = _Judgement(prepared, scoring, preparation, results)
        return self._made[method.name]

    def audit(self, judgement: _Judgement) -> InPlaceAudit | None:
        """The verdicts, compared with labels and, if an evaluator gave them, with what witnesses decide."""
        suite, method, results = self._plan.suite, judgement.method, judgement.results
        if not needs_witness(method):
            return audit_in_place(suite, method, results, [from_labels(results)])
        named = [
            from_witness(method.name, self.by(method).results)
            for method in self._plan.methods
            if method.is_witness
        ]
        if self._unnamed is None:
            self._unnamed = testify(self._plan.witnesses, self._preparation(None))
        unnamed, problems = self._unnamed
        truths = (from_labels(results, self.labels.problem(results)), *named, *unnamed)
        return audit_in_place(suite, method, results, truths, problems)

    def _preparation(self, scoring: Scoring | None) -> Preparation:
        suite, languages = self._plan.suite, self.languages
        scorer = scoring.for_suite(suite, languages.target) if scoring else None
        store = self._context.store
        complete = self._plan.complete
        return Preparation(
            suite, self._model, languages, self._translations, scorer, store, self._tracker, complete
        )


def _suite_run(
    plan: SuitePlan, model: Model, judgements: _Judgements, method: Method, context: RunContext
) -> SuiteRun:
    suite, languages = plan.suite, judgements.languages
    judgement = judgements.by(method)
    prepared, scoring, results = judgement.method, judgement.scoring, judgement.results
    labels = judgements.labels
    salience = prepared.salience(judgement.preparation, context.salience) if context.salience else None
    suite_run = SuiteRun(
        suite=suite.name,
        about=suite.about,
        path=str(suite.path),
        digest=suite.digest,
        method=method.name,
        details=prepared.details,
        procedure=prepared.procedure,
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
            *_notes(plan, results, languages.target, translated=judgements.translated, salience=salience),
            *prepared.notes(results),
            *labels.notes(results),
        ),
        in_place=judgements.audit(judgement),
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
    if not translated and plan.model is not None and can_translate(plan.model.backend):
        yield NOT_TRANSLATED
    yield from skipped_samples(len(plan.suite.samples) - len(results), f"without evidence for {target}")
    if unopposed := sum(result.verdict.reason == UNOPPOSED for result in results):
        yield f"{unopposed:,} of {len(results):,} samples have no incorrect target, and count as correct"
    if (ties := count_ties(results)).tied:
        yield str(ties)
    if isinstance(salience, str):
        yield f"salience was not computed: {salience}"


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
    return replace(suite_run, gates=gates)


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


class Tracker:
    """Passes progress on, remembers it, and ends the work at its next step once the run is stopped."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress or Silent()
        self._stopped = Event()
        self._stage = ""
        self._methods: tuple[str, ...] = ()
        self.samples = 0
        self.judged = 0  # by the current method
        self.sentences = 0  # distinct ones
        self.translated = 0
        self.finished: list[SuiteRun] = []  # one for each method that has judged all samples

    def begin(self, plan: SuitePlan, sources: Sequence[str]) -> None:
        self._methods = tuple(method.name for method in plan.methods)
        self.samples = len(plan.suite.samples)
        self.sentences = len(set(sources))

    def count(self, results: Iterable[Result]) -> Iterator[Result]:
        """The results of one method as they arrive."""
        self.judged = 0
        for result in results:
            self.judged += 1
            yield result
        self._check()

    def stop(self) -> None:
        """Called from another thread."""
        self._stopped.set()

    def start(self, stage: str, total: int) -> None:
        self._check()
        self._stage = stage
        if stage == TRANSLATING:
            self.translated = self.sentences - total
        self._progress.start(stage, total)

    def advance(self, steps: int) -> None:
        if self._stage == TRANSLATING:
            self.translated += steps
        self._progress.advance(steps)
        self._check()

    def done(self) -> None:
        self._progress.done()
        self._stage = "judging"
        self._check()

    def note(self, text: str) -> None:
        self._progress.note(text)

    def _check(self) -> None:
        if self._stopped.is_set():
            raise Stopped

    def interruption(self) -> Interruption:
        return Interruption(self.samples, self.judged, self.sentences, self.translated)

    def reason(self) -> str:
        """`interrupted while translating: 120 of 500 sentences translated, 0 of 500 samples judged`."""
        facts = []
        if self.sentences:
            facts.append(f"{self.translated:,} of {self.sentences:,} sentences translated")
        remaining = self._methods[len(self.finished) :]
        by = f" by {remaining[0]}" if remaining and len(self._methods) > 1 else ""
        facts.append(f"{self.judged:,} of {self.samples:,} samples judged{by}")
        return f"interrupted{f' while {self._stage}' if self._stage else ''}: {', '.join(facts)}"
