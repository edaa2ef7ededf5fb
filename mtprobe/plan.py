"""Which of a suite's methods can judge it for a model; what is left out says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtprobe.backends.model import Model, scoring_for
from mtprobe.backends.protocols import can_translate
from mtprobe.backends.scorer import reads_sources
from mtprobe.errors import ModelError
from mtprobe.gates import Gate
from mtprobe.methods import Method, methods_of
from mtprobe.methods.audit_pairs.calibrate import cannot_calibrate
from mtprobe.methods.gender_morphology import cannot_read
from mtprobe.methods.method import Configurable, MethodOptions
from mtprobe.suite.sample import Suite

NOT_TRANSLATED = (
    "it was not translated: its targets alone are judged, and nothing needs the model's translations"
)


@dataclass(frozen=True, slots=True)
class Judging:
    """Methods in the suite's order; gates that name none read the first."""

    methods: tuple[Method, ...]
    left_out: Mapping[str, str]  # the others by their names, each with the reason
    mistake: str | None = (
        None  # no method is left because the user named no evaluator, or one that does not fit
    )

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"{name} was left out: {reason}" for name, reason in self.left_out.items())


def judging(
    suite: Suite,
    model: Model,
    evaluator: Model | None,
    only: str | None = None,
    options: MethodOptions | None = None,
) -> Judging:
    """The methods that judge the suite for this model; `only` is the one that the user picked."""
    possible: list[Method] = []
    left_out: dict[str, str] = {}
    mistakes: list[str] = []
    for method in methods_of(suite):
        if only is not None and method.name != only:
            left_out[method.name] = f"--mt-method={only} was asked for"
            continue
        if isinstance(method, Configurable):
            method = method.configured(options or MethodOptions())
        reason = _reason_against(method, suite, model)
        if reason is None and isinstance(method, Configurable):
            reason = method.cannot(model.languages.target)
            if reason is not None:
                reason = f"{method.name}: {reason}"
                mistakes.append(reason)
        if reason is None:
            try:
                scoring_for(model, evaluator, method)
            except ModelError as error:
                reason = str(error)
                if method.scored_by == "evaluator" or (method.scored_by == "model" and evaluator is not None):
                    mistakes.append(reason)
        if reason is None:
            possible.append(method)
        else:
            left_out[method.name] = reason
    return Judging(tuple(possible), left_out, None if possible or not mistakes else mistakes[0])


def sources_to_translate(
    suite: Suite, gates: Sequence[Gate], methods: Sequence[Method], model: Model, evaluator: Model | None
) -> list[str]:
    """The sources whose translations something needs: all, or none, since translating may cost money.

    Methods that judge given targets need none, unless the discrepancy is to be told: it is where a gate asks for it,
    and where the model scores by itself, since then the report shows it.
    """
    if not can_translate(model.backend):
        return []

    def needs(method: Method) -> bool:
        if method.judges == "translations":
            return True
        scoring = scoring_for(model, evaluator, method)
        return scoring is not None and scoring.model is model and reads_sources(model.backend)

    asked = any(gate.metric.needs_translations for gate in gates)
    return [sample.source for sample in suite.samples] if asked or any(map(needs, methods)) else []


def _reason_against(method: Method, suite: Suite, model: Model) -> str | None:
    if method.judges == "translations" and not can_translate(model.backend):
        return f"{model.name} cannot translate"
    lacks = [method.lacks(sample, model.languages.target) for sample in suite.samples]
    if lacks and all(lacks):
        return f"{method.name} {lacks[0]}"
    target = model.languages.target
    return cannot_calibrate(suite, method, target) or cannot_read(suite, method, target)
