"""The judgements of a plan's methods on a suite's translations, and the audit of their verdicts in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mtprobe.audit.counterfactuals import counterfactual_audit
from mtprobe.audit.in_place import audit_in_place
from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.audit.truth import Truth, from_labels, from_witness
from mtprobe.audit.witnesses import needs_witness, testify
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Failure
from mtprobe.methods import Method, Preparation
from mtprobe.methods.judge import judge_all
from mtprobe.methods.labelled import SuiteLabels
from mtprobe.methods.scoring import Scoring, scoring_for
from mtprobe.methods.verdict import Result, first_repeat
from mtprobe.plan.suite import SuitePlan
from mtprobe.plan.tracker import Tracker
from mtprobe.store import Store


@dataclass(frozen=True, slots=True)
class Judgement:
    """The results of one method on a suite's translations."""

    method: Method  # prepared
    scoring: Scoring | None
    preparation: Preparation
    results: tuple[Result, ...]


class Judgements:
    """Each method judges once; one that is a witness may be needed before its turn."""

    def __init__(
        self,
        plan: SuitePlan,
        model: Model,
        translations: Mapping[str, str | Failure],
        store: Store | None,
        tracker: Tracker,
        *,
        held_out: bool,
    ) -> None:
        self._plan = plan
        self._held_out = held_out  # the cue form was chosen on one half of the words
        self._model = model
        self._translations = translations
        self._store = store
        self._tracker = tracker
        self.labels = SuiteLabels(plan.complete or plan.suite, self.languages.target)
        self._made: dict[str, Judgement] = {}
        self._unnamed: tuple[tuple[Truth, ...], tuple[str, ...]] | None = None

    @property
    def languages(self) -> LanguagePair:
        return self._model.languages.with_source(self._plan.suite.source)

    @property
    def translated(self) -> bool:
        return bool(self._translations)

    def by(self, method: Method) -> Judgement:
        if method.name not in self._made:
            scoring = scoring_for(method, self._model, self._plan.evaluator)
            preparation = self.preparation(scoring)
            prepared = method
            results: tuple[Result, ...] = ()
            if self._plan.suite.samples:  # a budget may allow for none
                prepared = method.prepare(preparation)
                results = tuple(self._tracker.count(judge_all(prepared, preparation)))
            if method.judges == "translations":
                results = self.labels.added_to(results)
            self._made[method.name] = Judgement(prepared, scoring, preparation, results)
        return self._made[method.name]

    def audit(self, judgement: Judgement, counterfactuals: int) -> InPlaceAudit | None:
        """The verdicts, compared with labels and, if an evaluator gave them, with what witnesses decide.

        At most this many translations are put into their other reading, to see whether the evaluator notices.
        Of several translations of a sentence the first is compared: samples have to be independent.
        """
        suite, method, results = self._plan.suite, judgement.method, first_repeat(judgement.results)
        if not needs_witness(method):
            return audit_in_place(
                suite, method, results, [from_labels(results, self.labels.problem(results))]
            )
        named = [
            from_witness(method.name, first_repeat(self.by(method).results))
            for method in self._plan.methods
            if method.is_witness
        ]
        if self._unnamed is None:
            self._unnamed = testify(self._plan.witnesses, self.preparation(None))
        unnamed, problems = self._unnamed
        truths = (from_labels(results, self.labels.problem(results)), *named, *unnamed)
        audit = audit_in_place(suite, method, results, truths, problems, held_out=self._held_out)
        if audit is None:
            return None
        rows = counterfactual_audit(method, judgement.preparation, results, counterfactuals)
        return replace(audit, counterfactuals=rows)

    def preparation(self, scoring: Scoring | None) -> Preparation:
        """The input for a method's preparation on the plan's suite, with these scores."""
        suite, languages = self._plan.suite, self.languages
        scorer = scoring.for_suite(suite, languages.target) if scoring else None
        complete = self._plan.complete
        return Preparation(
            suite,
            self._model,
            languages,
            self._translations,
            scorer,
            self._store,
            self._tracker,
            complete,
            repeats=self._plan.repeats,
            back=self._plan.back,
            judge=scoring.judge if scoring else None,
        )
