"""Opens the models of a run by their specs. Nothing heavy is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtprobe.backends.device import parse_dtype
from mtprobe.backends.ensemble import TOGETHER, Ensemble
from mtprobe.backends.model import LOCAL, Executor, Local, Model, OpenedModel, Recipe, open_executor
from mtprobe.backends.protocols import Opened, OpenRequest
from mtprobe.backends.registry import ModelSpec
from mtprobe.backends.scorer import can_score, reads_sources
from mtprobe.backends.stored import fingerprint_of
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.settings import SettingError, Settings


@dataclass(frozen=True, slots=True)
class Models:
    """The models under test, the evaluator if one is named, and where they run."""

    tested: tuple[Model, ...] = ()
    evaluator: Model | None = None
    executor: Executor = Local()  # noqa: RUF009 - it has no state

    def headline(self) -> str:
        """`mtprobe: model demo (en→pt); evaluator: the model itself`."""
        models = ", ".join(f"{model.name} ({model.languages})" for model in self.tested) or "none"
        itself = "the model itself" if len(self.tested) == 1 else "each model itself"
        evaluator = self.evaluator.name if self.evaluator else itself if self.tested else "none"
        return f"mtprobe: model {models}; evaluator: {evaluator}{self._executor()}"

    def _executor(self) -> str:
        """Where models run, if not here; some stay here all the same."""
        if not self.tested or self.executor.name == LOCAL:
            return ""
        models = [*self.tested, *([self.evaluator] if self.evaluator else [])]
        here = [model.name for model in models if model.elsewhere is None]
        exceptions = f" (not for {', '.join(here)})" if here else ""
        return f"; executor: {self.executor.name}{exceptions}"


def open_models(
    settings: Settings, *, model: Opened | None = None, evaluators: Sequence[Opened] = ()
) -> Models:
    """The models that the settings name; `model` and `evaluators` are objects of the caller's own."""
    names = [spec.name for spec in settings.models]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f'two models are called "{name}": name them, as in A=SPEC and B=SPEC')
    tested = tuple(_open(spec, settings) for spec in settings.models)
    if model is not None:
        tested = (*tested, _own(model))
    judges = [_open_evaluator(spec, settings) for spec in settings.evaluators] + list(map(_own, evaluators))
    executor = _open_executor(settings.executor)
    evaluator = _together(list(map(executor.place, judges)))
    return Models(tuple(map(executor.place, tested)), evaluator, executor)


def _together(judges: Sequence[Model]) -> Model | None:
    """The only evaluator, or one that all of them make up."""
    if len(judges) < 2:
        return next(iter(judges), None)
    for judge in judges:
        if not can_score(judge.backend):
            raise ModelError(f"{judge.name} cannot score, so it cannot be an evaluator")
    backends = [judge.backend for judge in judges]
    if len(set(map(fingerprint_of, backends))) < len(backends):
        raise ModelError("the same evaluator is named twice")
    moved = any(judge.elsewhere is not None for judge in judges)
    elsewhere = Ensemble([judge.runner for judge in judges]) if moved else None
    return Model(TOGETHER.join(judge.name for judge in judges), Ensemble(backends), elsewhere=elsewhere)


def _own(model: Opened) -> Model:
    """An object of the caller's own, or what `mtprobe.open_model` returned."""
    if isinstance(model, OpenedModel):
        return Model(model.name, model.backend)
    return Model(type(model).__name__, model)


def _open_executor(text: str | None) -> Executor:
    try:
        return open_executor(text)
    except MtprobeError as error:
        raise SettingError("executor", error) from None


def _open_evaluator(spec: ModelSpec, settings: Settings) -> Model:
    try:
        evaluator = _open(spec, settings)
    except ModelError as error:
        raise ModelError(f"evaluator {spec.name}: {error}") from None
    if not reads_sources(evaluator.backend):
        raise ModelError(
            f"{spec.name} is a language model, which is shown no source: it cannot judge translations as an evaluator"
        )
    return evaluator


def _open(spec: ModelSpec, settings: Settings) -> Model:
    request = OpenRequest(
        source=settings.source,
        target=settings.target,
        device=settings.device,
        threads=settings.threads,
        dtype=parse_dtype(settings.dtype),
        timeout=settings.timeout or None,
    )
    recipe = Recipe(spec, request)
    return Model(spec.name, recipe.open(), recipe)
