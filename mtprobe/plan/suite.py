"""The plan for one suite on one model: the methods that judge it, its gates, and what needs translating."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Request, can_translate, uses_context
from mtprobe.backends.scorer import reads_sources
from mtprobe.backends.stored import stored_translations
from mtprobe.errors import ModelError
from mtprobe.gates import Gate
from mtprobe.methods import Method, MethodOptions, methods_of
from mtprobe.methods.first_decided import FirstDecided
from mtprobe.methods.scoring import scoring_for
from mtprobe.store import Store
from mtprobe.suite.sample import Sample, Suite, text_key

_Remedy = Literal["settings", "install"] | None

NOT_TRANSLATED = "not translated: only its targets are judged, and nothing needs the model's translations"


@dataclass(frozen=True, slots=True)
class SuitePlan:
    """A suite that will run on a model, or the reason why not."""

    suite: Suite
    gates: tuple[Gate, ...]
    model: Model | None
    evaluator: Model | None = None
    methods: tuple[Method, ...] = ()  # in the suite's order; gates that name none read the first
    skipped_gates: Mapping[str, str] = field(default_factory=dict)  # by key, with the reason
    skip: str | None = None  # why the suite does not run on this model
    mistake: str | None = None  # no method is left, and other settings would help
    obstacle: str | None = None  # no method is left until something is installed
    partial: bool = False  # only some of the samples were taken
    notes: tuple[str, ...] = ()
    complete: Suite | None = (
        None  # before samples were taken, if only some were: what is fitted is fitted on it
    )
    witnesses: tuple[Method, ...] = ()  # methods that the suite does not name and that can audit its verdicts
    repeats: int = 1  # translations of each sentence
    back: Model | None = None  # the second model, which translates back
    sequential: bool = False  # samples are asked in blocks until the gates are decided
    selected: frozenset[str] | None = None  # the keys of the gates that have to be decided; None: all

    @property
    def runs(self) -> bool:
        return self.model is not None and bool(self.methods) and self.skip is None

    def gates_of(self, method: Method) -> tuple[Gate, ...]:
        """The gates that are decided on this method's verdicts."""
        first = self.methods[0].name
        return tuple(
            gate
            for gate in self.gates
            if (gate.method or first) == method.name and gate.key not in self.skipped_gates
        )

    def skipped_gates_of(self, method: Method) -> Iterator[tuple[Gate, str]]:
        """The gates decided on this method's verdicts, with the reason; the first method has those of methods that do not judge."""
        names = [method.name for method in self.methods]
        for gate in self.gates:
            decided_on = gate.method if gate.method in names else names[0]
            if decided_on == method.name and gate.key in self.skipped_gates:
                yield gate, self.skipped_gates[gate.key]

    def requests(self) -> dict[str, Request]:
        """The requests to translate, by sample key: all or none, because translating may cost money.

        A model that cannot use context is given the sources alone. With repeats, everything is translated once
        before anything is translated again.

        Methods that judge given targets need no translation, except for the discrepancy: it is measured where a
        gate asks for it, and where the model scores by itself, since then the report shows it.
        """
        if self.model is None or not can_translate(self.model.backend):
            return {}
        gated = any(gate.metric.needs_translations for gate in self.gates)
        if gated or any(self._needs_translations(method) for method in self.methods):
            in_context = uses_context(self.model.backend)
            fitted_on = tuple(self.fitted_on())
            return {
                text_key(text, sample.context, repeat): Request(
                    text, sample.context if in_context else (), repeat
                )
                for repeat in range(self.repeats)
                for sample in (*self.suite.samples, *(() if repeat else fitted_on))
                for text in sample.sentences
            }
        return {}

    def back_requests(self, store: Store | None) -> list[Request]:
        """The requests for back-translation; if they are not known yet, the sources instead, for an estimate."""
        if self.back is None or self.model is None:
            return []
        needed = [
            request
            for key, request in self.requests().items()
            if key in {sample.key for sample in self.suite.samples if self.needs_back(sample)}
        ]
        keys = [request.key for request in needed]
        known = stored_translations(self.model.backend, keys, store) if store is not None else {}
        return [Request(known.get(key, request.text)) for key, request in zip(keys, needed, strict=True)]

    def needs_back(self, sample: Sample) -> bool:
        """Whether one of the methods judges a sample by its back-translation."""
        return any(method.needs_back(sample) for method in self.methods)

    def fitted_on(self) -> Iterator[Sample]:
        """Samples that were not taken, but that a method fits something on."""
        if self.complete is not None:
            for method in self.methods:
                yield from method.fitted_on(self.complete)

    def _needs_translations(self, method: Method) -> bool:
        if self.model is None or method.judges == "translations":
            return True
        scoring = scoring_for(method, self.model, self.evaluator)
        return scoring is not None and scoring.model is self.model and reads_sources(self.model.backend)


@dataclass(frozen=True, slots=True)
class Choice:
    """The methods that can judge a suite for a model; the others with their reasons."""

    methods: tuple[Method, ...]
    skipped: Mapping[str, str]
    mistake: str | None
    obstacle: str | None

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"{name} was skipped: {reason}" for name, reason in self.skipped.items())


def choose_methods(
    suite: Suite, model: Model, evaluator: Model | None, options: MethodOptions, only: Sequence[str] = ()
) -> Choice:
    """`only` are the methods that the user picked; several are not combined, whatever the suite says."""
    possible: list[Method] = []
    skipped: dict[str, str] = {}
    mistakes: dict[_Remedy, str] = {}
    for method in methods_of(suite):
        if only and method.name not in only:
            skipped[method.name] = (
                f"only {' and '.join(only)} {'was' if len(only) == 1 else 'were'} asked for"
            )
            continue
        method = method.configured(options)
        reason, remedy = _reason_against(method, suite, model, evaluator)
        if reason is None:
            possible.append(method)
            continue
        skipped[method.name] = reason
        mistakes.setdefault(remedy, reason)
    mistake, obstacle = (None if possible else mistakes.get(remedy) for remedy in ("settings", "install"))
    if suite.combine is not None and len(possible) > 1 and not only:
        possible = [FirstDecided(possible)]
    return Choice(tuple(possible), skipped, mistake, None if mistake else obstacle)


def _reason_against(
    method: Method, suite: Suite, model: Model, evaluator: Model | None
) -> tuple[str | None, _Remedy]:
    """Why the method cannot judge the suite, and what the user can do about it."""
    target = model.languages.target
    if method.judges == "translations" and not can_translate(model.backend):
        return f"{model.name} cannot translate", None
    lacks: Sequence[str | None] = [method.lacks(sample, target) for sample in suite.samples]
    if lacks and all(lacks):
        return f"{method.name} {lacks[0]}", None
    obstacle = method.obstacle(suite, target)
    if obstacle is not None:
        return obstacle.reason, "install" if obstacle.user_can_fix else None
    try:
        scoring_for(method, model, evaluator)
    except ModelError as error:
        named = method.scored_by == "model" and evaluator is not None
        return str(error), "settings" if method.scored_by == "evaluator" or named else None
    return None, None
