"""The models of a run, opened by their specs; and who scores for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mtprobe.backends.executor import Recipe
from mtprobe.backends.opening import open_request
from mtprobe.backends.protocols import LanguagePair, Opened
from mtprobe.backends.registry import ModelSpec
from mtprobe.backends.scorer import Scorer, can_score, reads_sources
from mtprobe.errors import ModelError
from mtprobe.language import tags
from mtprobe.methods.method import Method
from mtprobe.records import ModelFacts
from mtprobe.settings import Settings
from mtprobe.suite.sample import Suite


@dataclass(frozen=True, slots=True)
class Model:
    """A model under test, or an evaluator."""

    name: str
    backend: Opened
    recipe: Recipe | None = None  # how it was opened; None: an object of the caller's own
    elsewhere: Opened | None = None  # what translates and scores in its place; None: it does so itself

    @property
    def runner(self) -> Opened:
        """What is asked to translate and to score."""
        return self.backend if self.elsewhere is None else self.elsewhere

    @property
    def languages(self) -> LanguagePair:
        return self.backend.languages

    def facts(self) -> ModelFacts:
        """What the record keeps of it. What ran it is known once the model has run."""
        backend = self.backend
        provider = getattr(self.runner, "provider", "") or (
            "from the store" if hasattr(backend, "provider") else ""
        )
        return ModelFacts(
            self.name,
            backend.fingerprint,
            decoding=str(getattr(backend, "decoding", "")),
            dtype=str(getattr(backend, "dtype", "")),
            provider=provider,
        )


def open_models(settings: Settings) -> tuple[tuple[Model, ...], Model | None]:
    """The models under test and the evaluator, if one is named. Nothing heavy is loaded."""
    names = [spec.name for spec in settings.models]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(
                f'two models are called "{name}": name them, as in --mt-model=A=SPEC --mt-model=B=SPEC'
            )
    models = tuple(_open(spec, settings) for spec in settings.models)
    return models, _open_evaluator(settings.evaluator, settings) if settings.evaluator else None


def _open_evaluator(spec: ModelSpec, settings: Settings) -> Model:
    try:
        opened = _open(spec, settings)
    except ModelError as error:
        raise ModelError(f"evaluator {spec.name}: {error}") from None
    if not reads_sources(opened.backend):
        raise ModelError(
            f"{spec.name} is a language model, which is shown no source: it cannot judge translations as an evaluator"
        )
    return opened


def _open(spec: ModelSpec, settings: Settings) -> Model:
    request = open_request(
        source=settings.source,
        target=settings.target,
        device=settings.device,
        dtype=settings.dtype,
        threads=settings.threads,
    )
    recipe = Recipe(spec, request)
    return Model(spec.name, recipe.open(), recipe)


class Scoring(NamedTuple):
    """Who gives scores, as a model and as what it does."""

    model: Model
    scorer: Scorer

    def for_suite(self, suite: Suite, target: str) -> Scorer:
        """The scorer; one that goes by the order of a suite's samples has to be told the suite."""
        by_suite = getattr(self.scorer, "for_suite", None)
        scorer: Scorer = by_suite(suite, target) if by_suite else self.scorer
        return scorer


def scoring_for(model: Model, evaluator: Model | None, method: Method) -> Scoring | None:
    """Who gives the scores that the method asks for, or an error when nobody can."""
    if method.scored_by is None:  # it may still use scores of the model, where it gives some
        if getattr(method, "may_score", False) and can_score(model.runner) and reads_sources(model.runner):
            return Scoring(model, model.runner)
        return None
    if method.scored_by == "language model":
        if not can_score(model.runner) or reads_sources(model.runner):
            raise ModelError(
                f"{method.name} is for language models, and {model.name} is none: --mt-model=mlm:NAME_OR_PATH"
            )
        return Scoring(model, model.runner)
    if can_score(model.runner) and (evaluator is None or method.scored_by == "model"):
        return Scoring(model, model.runner)
    if evaluator is None:
        wanted = "scores of the model itself" if method.scored_by == "model" else "an evaluator"
        place = " in its place" if method.scored_by == "model" else ""
        raise ModelError(
            f"{method.name} needs {wanted}: {model.name} cannot score; name an evaluator{place} with --mt-evaluator"
        )
    if not can_score(evaluator.runner):
        raise ModelError(f"{evaluator.name} cannot score, so it cannot be the evaluator")
    ours, theirs = model.languages, evaluator.languages
    if not (tags.fits(ours.source, theirs.source) and tags.fits(ours.target, theirs.target)):
        raise ModelError(f"the evaluator {evaluator.name} is for {theirs}, the model {model.name} for {ours}")
    return Scoring(evaluator, evaluator.runner)
