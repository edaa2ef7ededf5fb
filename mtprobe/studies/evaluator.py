"""An evaluator on one suite, with each form of its cues: audit pairs, and its verdicts on a model's translations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mtprobe.audit.fitness import LABELS
from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.audit.truth import answer_of
from mtprobe.audit.witnesses import needs_witness, unnamed_witnesses
from mtprobe.backends.model import Model
from mtprobe.methods import MethodOptions, methods_of
from mtprobe.methods.audit_pairs.measure import audit_forms
from mtprobe.methods.audit_pairs.outcome import Audit
from mtprobe.plan import SuitePlan
from mtprobe.plan.tracker import Tracker
from mtprobe.progress import Progress
from mtprobe.records import SuiteRun
from mtprobe.runner import RunContext, run_suite
from mtprobe.store import Store
from mtprobe.suite.sample import Suite

OWN_CUES = "own cues"  # of a suite whose samples have cues of their own


@dataclass(frozen=True, slots=True)
class Usefulness:
    """How much verdicts with a form say about translations: a form that decides little may well agree."""

    agreement: float  # of the verdicts, with labels or a witness
    decided: float  # the share of samples with a verdict

    @property
    def right(self) -> float:
        """The share of all samples with a verdict that agrees."""
        return self.agreement * self.decided


@dataclass(frozen=True, slots=True)
class FormAudit:
    """The audit of an evaluator with one form of a suite's cues."""

    form: str
    pairs: Audit | None = None  # None: there are no audit pairs for the language
    judged: SuiteRun | None = None  # its verdicts on translations; None: nothing was translated

    @property
    def in_place(self) -> InPlaceAudit | None:
        return self.judged.in_place if self.judged else None

    @property
    def audited(self) -> bool:
        """Whether its verdicts on translations could be compared with anything."""
        return self.in_place is not None and bool(self.in_place.audited)

    @property
    def fit(self) -> bool:
        return self.in_place is not None and self.in_place.fit

    @property
    def unfit(self) -> bool:
        """Whether verdicts with it cannot be believed, in place or by the audit pairs."""
        pairs = self.pairs is not None and not self.pairs.trusted
        return pairs or (self.in_place is not None and bool(self.in_place.unfit))

    def decided(self, category: str | None) -> float:
        """The share of a category's samples with a verdict."""
        results = self.judged.results if self.judged else ()
        answers = [answer_of(result) for result in results if result.category == category]
        return sum(answer is not None for answer in answers) / len(answers) if answers else 0.0

    @property
    def usefulness(self) -> Usefulness:
        """In the category where it is smallest."""
        rows = self.in_place.deciding() if self.in_place else ()
        return min(
            (Usefulness(row.agreement.value or 0.0, self.decided(row.category)) for row in rows),
            key=lambda found: found.right,
            default=Usefulness(0.0, 0.0),
        )


@dataclass(frozen=True, slots=True)
class EvaluatorAudit:
    """One evaluator on one suite; the form that runs use comes first."""

    suite: Suite
    evaluator: Model
    model: Model | None  # that translated
    forms: tuple[FormAudit, ...]

    @property
    def used(self) -> FormAudit:
        return self.forms[0]

    @property
    def pairs(self) -> tuple[Audit, ...]:
        return tuple(form.pairs for form in self.forms if form.pairs)

    @property
    def measured(self) -> bool:
        return bool(self.pairs) or any(form.audited for form in self.forms)

    @property
    def best(self) -> FormAudit | None:
        """The form that is right on most samples of its worst category, of those that are not unfit; the first of equals."""
        candidates = [form for form in self.forms if form.audited and not form.unfit]
        return max(candidates, key=lambda form: form.usefulness.right, default=None)

    @property
    def labelled(self) -> bool:
        """Whether people have said what these translations convey."""
        return self.used.in_place is not None and any(
            row.source == LABELS for row in self.used.in_place.fitness
        )

    @property
    def witness(self) -> tuple[str, float] | None:
        """The witness that decides the largest share of the samples, of those that it was asked about."""
        rows = self.used.in_place.fitness if self.used.in_place else ()
        shares: dict[str, list[float]] = {}
        for row in rows:
            if row.source != LABELS and row.measured:
                shares.setdefault(row.source, []).append(row.covered)
        least = {source: min(found) for source, found in shares.items()}
        return max(least.items(), key=lambda item: item[1], default=None)


def audit_evaluator(
    suite: Suite, evaluator: Model, model: Model | None, store: Store | None, progress: Progress
) -> EvaluatorAudit | None:
    """None if the suite is for other languages. `model` translates; without one, only audit pairs are scored."""
    languages = evaluator.languages
    if not suite.fits(languages.source, languages.target):
        return None
    scored = audit_forms(suite, languages.target, evaluator.backend, store, progress)  # type: ignore[arg-type]
    pairs = {audited.audit.form: audited.audit for audited in scored}
    forms = tuple(
        FormAudit(form, pairs.get(form), _judged(variant, evaluator, model, store, progress))
        for form, variant in _variants(suite)
    )
    return EvaluatorAudit(suite, evaluator, model, forms)


def asks_evaluator(suite: Suite) -> bool:
    """Whether an evaluator decides any of the suite's verdicts, or has audit pairs to be audited on."""
    return bool(suite.audit) or any(needs_witness(method) for method in methods_of(suite))


def _variants(suite: Suite) -> Iterator[tuple[str, Suite]]:
    if not suite.cue_forms:
        yield OWN_CUES, suite
    for form in suite.cue_forms:
        yield form, suite.with_form(form)


def _judged(
    suite: Suite, evaluator: Model, model: Model | None, store: Store | None, progress: Progress
) -> SuiteRun | None:
    """By the first method of the suite that asks an evaluator, by itself even where the suite combines several."""
    options = MethodOptions()
    judges = [method.configured(options) for method in methods_of(suite) if needs_witness(method)][:1]
    if model is None or not judges:
        return None
    witnesses = unnamed_witnesses(suite, model.languages.target, judges, options)
    judge = None if evaluator is model else evaluator
    plan = SuitePlan(suite, (), model, judge, tuple(judges), witnesses=witnesses)
    return run_suite(plan, RunContext(store), Tracker(progress))[0]
