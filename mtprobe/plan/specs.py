"""Opens a model by its spec, for one target language."""

from __future__ import annotations

from dataclasses import replace

from mtprobe.backends.device import parse_dtype
from mtprobe.backends.model import Model, Recipe
from mtprobe.backends.protocols import OpenRequest, ignores_target
from mtprobe.backends.registry import FILLED, ModelSpec
from mtprobe.errors import ModelError
from mtprobe.settings import Settings


def open_spec(spec: ModelSpec, target: str | None, settings: Settings) -> Model:
    """The model for a target language; None: its own."""
    request = OpenRequest(
        source=settings.source,
        target=target,
        device=settings.device,
        threads=settings.threads,
        dtype=parse_dtype(settings.dtype),
        timeout=settings.timeout or None,
    )
    recipe = Recipe(spec, request)
    return Model(spec.name, recipe.open(), recipe)


def open_for_each(spec: ModelSpec, settings: Settings) -> list[Model]:
    """The model under test, once per target of the run. A model with a single target cannot have several."""
    if len(settings.targets) < 2:
        return [open_spec(spec, next(iter(settings.targets), None), settings)]
    models = [_open_for(spec, target, settings) for target in settings.targets]
    if any(ignores_target(model.backend) for model in models) and not spec.names_target:
        raise ModelError(
            f"{spec.name} cannot be run for several targets: it ignores the target language; {_how(spec)}"
        )
    return models


def _open_for(spec: ModelSpec, target: str, settings: Settings) -> Model:
    try:
        model = open_spec(spec, target, settings)
    except ModelError as error:
        raise ModelError(f"{spec.name} cannot be run for the target {target}: {error}") from None
    return replace(model, into=model.languages.target)


def _how(spec: ModelSpec) -> str:
    """How the model could support several targets."""
    if spec.kind == "python":
        return "a callable that knows several languages has a method `for_languages`"
    if spec.kind in FILLED:
        return "write {target} in its spec where the language tag belongs, if there is one per language"
    return "run it for one"
