"""Translates and judges the sentences of a hunt: each once, in batches, within a budget of sentences and money."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mtprobe.backends.costs import Cost, check_budget, costs_of
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Request, can_translate
from mtprobe.backends.stored import stored_translations, translate_all
from mtprobe.errors import Failure, ModelError, MtprobeError
from mtprobe.methods import Method, Preparation
from mtprobe.methods.judge import judge_all
from mtprobe.methods.scoring import Scoring, scoring_for
from mtprobe.methods.verdict import Result
from mtprobe.plan import SuitePlan
from mtprobe.plan.forms import with_best_form
from mtprobe.plan.judgements import Judgements
from mtprobe.plan.tracker import Tracker
from mtprobe.progress import Progress
from mtprobe.store import Store
from mtprobe.suite.sample import Sample, Suite, text_key

_SURVEY = 40  # samples of the suite that are asked first; an aligner learns from them


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a hunt may ask for."""

    sentences: int
    dollars: float | None = None  # None: no limit


@dataclass(slots=True)
class Spent:
    """The requests of a hunt so far."""

    sentences: int = 0  # different ones, wherever their translations came from
    stored: int = 0  # of which the store had the translations
    untranslated: int = 0  # of which no translation is needed
    costs: list[Cost] = field(default_factory=list)
    over: bool = False  # something was not asked because of a limit

    @property
    def asked(self) -> int:
        """Sentences that were sent to the model."""
        return self.sentences - self.stored - self.untranslated

    @property
    def dollars(self) -> float:
        return math.fsum(cost.estimate.dollars or 0.0 for cost in self.costs)


class Meter:
    """Shows one stage for the whole hunt, whatever it is made of, and lets it be stopped between any two steps."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def start(self, stage: str, total: int) -> None:  # noqa: ARG002 - the stage is the hunt
        self._progress.advance(0)

    def advance(self, steps: int) -> None:  # noqa: ARG002
        self._progress.advance(0)

    def done(self) -> None: ...

    def note(self, text: str) -> None:
        self._progress.note(text)


class Asker:
    """Judges samples of one suite on one model by the first of the plan's methods, as a run of the suite would."""

    def __init__(self, plan: SuitePlan, store: Store | None, progress: Progress, limits: Limits) -> None:
        if plan.model is None or not plan.methods:
            raise MtprobeError(plan.mistake or plan.obstacle or plan.skip or "no method can judge the suite")
        if all(sample.choices for sample in plan.suite.samples):
            raise MtprobeError(f"{plan.suite.path}: no sentence has a right answer, so none can fail")
        if all(map(plan.needs_back, plan.suite.samples)):
            raise MtprobeError(f"{plan.suite.path}: a hunt has one model, and round trips need a second one")
        self.plan = replace(plan, repeats=1, methods=plan.methods[:1])
        self.model: Model = plan.model
        self.spent = Spent()
        self.fixed: Suite = plan.complete or plan.suite  # what is fitted is fitted on it
        self._as_written = self.fixed  # before a cue form was chosen
        self._store, self._progress, self._limits = store, progress, limits
        self._meter = Meter(progress)
        self._scoring: Scoring | None = None
        self._method: Method = plan.methods[0]
        self._form = ""
        self._translations: dict[str, str | Failure] = {}  # by the keys of samples

    @property
    def method(self) -> Method:
        """Prepared, once `fit` was called."""
        return self._method

    @property
    def share_spent(self) -> float:
        """The used share of the budget of sentences."""
        return self.spent.sentences / self._limits.sentences

    def lacks(self, sample: Sample) -> str | None:
        if self.plan.needs_back(sample):
            return "needs a second model"
        return self._method.lacks(sample, self.model.languages.target)

    def know(self, results: Sequence[Result]) -> None:
        """Takes over the translations of a run, which cost nothing here."""
        self._translations.update(
            {
                text_key(result.source, result.context): result.translation
                for result in results
                if result.translation is not None and result.is_first
            }
        )

    def fit(self, *, counts: bool = True) -> list[Sample]:
        """Prepares the method on fixed samples, whatever is asked later; returns samples whose translations it has.

        What that asks for counts against the budget unless `counts` is false.
        """
        count = min(_SURVEY, max(1, self._limits.sentences // 4))
        survey = self.fixed.take(count)
        reads = self._reads_translations
        requests = replace(self.plan, suite=survey, complete=self.fixed).requests() if reads else {}
        new = {key: request for key, request in requests.items() if key not in self._translations}
        if counts and len(new) >= self._limits.sentences:
            raise MtprobeError(
                f"{self._method.name} needs {len(new)} sentences of the suite before it can judge others; "
                f"a budget of {self._limits.sentences} is too small"
            )
        before = replace(self.spent)
        if not self._translate(new):
            raise ModelError("what the method needs to begin with costs more than the hunt may cost")
        if not counts:
            self.spent.sentences, self.spent.stored = before.sentences, before.stored
        complete = replace(self.plan, suite=self.fixed, complete=self.fixed)
        chosen = with_best_form(complete, self.model, self._translations, self._store, self._meter)
        if chosen is not complete:
            self._form = next(iter(chosen.suite.cue_forms))
            self.fixed = chosen.suite
        self._scoring = scoring_for(self._method, self.model, self.plan.evaluator)
        fitted_on = {key: self._translations[key] for key in requests}
        self._method = self._method.prepare(self._preparation(self.fixed, fitted_on))
        return [sample for sample in self.fixed.samples if sample.key in self._translations]

    def results(self, samples: Sequence[Sample]) -> list[Result | None]:
        """The result of each sample; None if the budget is exhausted or no method can judge it."""
        affordable: list[Sample] = []
        new: dict[str, Request] = {}
        for sample in samples:
            requests = self._missing([sample])
            more = {key: request for key, request in requests.items() if key not in new}
            count = len(new) + len(more) if self._reads_translations else len(affordable) + 1
            if self.spent.sentences + count > self._limits.sentences:
                self.spent.over = True
                break
            affordable.append(sample)
            new |= more
        if not self._translate(new):
            affordable = [sample for sample in affordable if not self._missing([sample])]
        if not self._reads_translations:
            self.spent.sentences += len(affordable)
            self.spent.untranslated += len(affordable)
            self._progress.advance(len(affordable))
        if not affordable:
            return [None] * len(samples)
        preparation = self._preparation(self._suite_of(affordable), self._translations)
        judged = {result.id: result for result in judge_all(self._method, preparation)}
        return [judged.get(sample.id) for sample in samples]

    def as_judged(self, sample: Sample) -> Sample:
        """The sample with the cues of the form that was chosen, if one was."""
        return self._suite_of([sample]).samples[0]

    def _suite_of(self, samples: Sequence[Sample]) -> Suite:
        suite = replace(self._as_written, samples=tuple(samples))
        return suite.with_form(self._form) if self._form else suite

    @property
    def _reads_translations(self) -> bool:
        return self._method.judges == "translations"

    def _missing(self, samples: Sequence[Sample]) -> dict[str, Request]:
        """The sentences that have to be translated to judge these samples."""
        if not self._reads_translations:
            return {}
        suite = replace(self._as_written, samples=tuple(samples))
        requests = replace(self.plan, suite=suite, complete=None).requests()
        return {key: request for key, request in requests.items() if key not in self._translations}

    def _translate(self, requests: Mapping[str, Request]) -> bool:
        """False where that would cost too much; then nothing is asked."""
        runner = self.model.runner
        if not requests or not can_translate(runner):
            return True
        listed = list(requests.values())
        costs = costs_of([(self.model, listed)], self._store)
        if self._limits.dollars is not None and costs:
            check_budget([cost for cost in costs if cost.estimate.dollars is None], self._limits.dollars)
            if (
                self.spent.dollars + math.fsum(c.estimate.dollars or 0.0 for c in costs)
                > self._limits.dollars
            ):
                self.spent.over = True
                return False
        for cost in costs if not self.spent.costs else ():
            of = f"{len(listed):,} of at most {self._limits.sentences:,} sentences"
            self._progress.note(f"the first {of} cost: {cost}")
        keys = [request.key for request in listed]
        stored = stored_translations(self.model.backend, keys, self._store) if self._store else {}
        made = translate_all(runner, listed, self._store, self._meter)
        self._translations.update({key: made[request] for key, request in requests.items()})
        self.spent.costs += costs
        self.spent.sentences += len(listed)
        self.spent.stored += len(stored)
        self._progress.advance(len(listed))
        return True

    def _preparation(self, suite: Suite, translations: Mapping[str, str | Failure]) -> Preparation:
        plan = replace(self.plan, suite=suite, complete=self.fixed)
        judgements = Judgements(
            plan, self.model, translations, self._store, Tracker(self._meter), held_out=False
        )
        return judgements.preparation(self._scoring)
