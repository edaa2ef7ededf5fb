"""Judges additional texts in the same way as a suite's translations: same methods, same scores, through the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import can_translate
from mtprobe.backends.stored import translate_all
from mtprobe.errors import Failure
from mtprobe.methods import Method
from mtprobe.methods.verdict import Result
from mtprobe.plan import SuitePlan
from mtprobe.plan.forms import with_best_form
from mtprobe.plan.judgements import Judgement, Judgements
from mtprobe.plan.tracker import Tracker
from mtprobe.store import Store
from mtprobe.suite.sample import Sample, text_key

Texts = Mapping[str, Iterable[str]]
"""By sample id."""
Judged = Mapping[tuple[str, str], Result]
"""By sample id and text."""


@dataclass(frozen=True, slots=True)
class Translations:
    """A suite with the model's translations of it."""

    plan: SuitePlan
    model: Model
    texts: Mapping[str, str | Failure]  # by `Sample.key`
    store: Store | None
    tracker: Tracker

    @classmethod
    def make(cls, plan: SuitePlan, model: Model, store: Store | None, tracker: Tracker) -> Translations:
        """Translates what the store does not have."""
        plan = replace(plan, repeats=1)
        requests = plan.requests()
        tracker.begin(plan, list(requests))
        texts: Mapping[str, str | Failure] = {}
        if requests and can_translate(model.runner):
            made = translate_all(model.runner, list(requests.values()), store, tracker)
            texts = {key: made[request] for key, request in requests.items()}
        return cls(with_best_form(plan, model, texts, store, tracker), model, texts, store, tracker)

    def judged(self, method: Method) -> Judgement:
        """The translations themselves, as a run judges them."""
        return self._judgements(self.plan, self.texts).by(method)

    def judge(self, method: Method, texts: Texts) -> Judged:
        """Other texts for the same sources, judged as if the model had given them beside its translations.

        Whatever a method learns from a suite (word alignment, for example) it learns from all of them together.
        """
        slots = self._slots(texts)
        repeats = max(map(len, slots.values()), default=1)
        given = dict(self.texts)
        for sample in self.plan.suite.samples:
            own = self.texts.get(sample.key)
            if own is None:
                continue
            listed = slots.get(sample.key, [])
            for repeat in range(1, repeats):
                key = text_key(sample.source, sample.context, repeat)
                given[key] = listed[repeat] if repeat < len(listed) else own
        for sample in self.plan.suite.samples:
            for text in sample.sentences[1:]:  # further sources keep their translations
                own = self.texts.get(text_key(text, sample.context))
                if own is not None:
                    for repeat in range(1, repeats):
                        given.setdefault(text_key(text, sample.context, repeat), own)
        judgement = self._judgements(replace(self.plan, repeats=repeats), given).by(method)
        wanted = {(sample_id, text) for sample_id, several in texts.items() for text in several}
        return {
            (result.id, result.translation): plain(result)
            for result in judgement.results
            if result.translation is not None and (result.id, result.translation) in wanted
        }

    def _slots(self, texts: Texts) -> dict[str, list[str]]:
        """The texts of each source, its translation first: samples may share a source."""
        slots: dict[str, list[str]] = {}
        for sample in self.plan.suite.samples:
            own = self.texts.get(sample.key)
            if isinstance(own, str) and sample.id in texts:
                listed = slots.setdefault(sample.key, [own])
                listed += [text for text in dict.fromkeys(texts[sample.id]) if text not in listed]
        return slots

    def _judgements(self, plan: SuitePlan, texts: Mapping[str, str | Failure]) -> Judgements:
        return Judgements(plan, self.model, texts, self.store, self.tracker, held_out=False)

    def samples(self) -> dict[str, Sample]:
        return {sample.id: sample for sample in self.plan.suite.samples}


def plain(result: Result) -> Result:
    """A result of the translation alone: no label, and not one of several."""
    return replace(result, repeat=0, label="", drawn=None)
