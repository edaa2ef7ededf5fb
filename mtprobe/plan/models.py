"""Opens the models of a run by their specs, once per target, without loading anything heavy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mtprobe.backends.model import LOCAL, Executor, Local, Model, OpenedModel, open_executor
from mtprobe.backends.protocols import LanguagePair, Opened
from mtprobe.backends.scorer import can_score
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.plan.back import open_backs
from mtprobe.plan.evaluators import open_evaluators
from mtprobe.plan.specs import open_for_each
from mtprobe.settings import SettingError, Settings


@dataclass(frozen=True, slots=True)
class Models:
    """The models under test, once per target, the evaluators of their targets, and where they run."""

    tested: tuple[Model, ...] = ()
    evaluators: Mapping[str | None, Model] = field(default_factory=dict)  # by target language
    executor: Executor = Local()  # noqa: RUF009 - it has no state
    backs: Mapping[LanguagePair, Model] = field(default_factory=dict)  # by the direction that they reverse

    def back_of(self, model: Model) -> Model | None:
        """The second model that translates a model's translations back; None if none was named."""
        return self.backs.get(model.languages)

    def evaluator_of(self, model: Model) -> Model | None:
        """The evaluator of a model's translations; None: the model itself, if it can score."""
        return self.evaluators.get(model.languages.target)

    @property
    def opened(self) -> tuple[Model, ...]:
        """The models under test and the evaluators."""
        return (*self.tested, *self.evaluators.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models under test."""
        return tuple(dict.fromkeys(model.name for model in self.tested))

    def headline(self) -> str:
        """`mtprobe: model demo (en→pt); evaluator: the model itself`."""
        pairs = {name: [str(m.languages) for m in self.tested if m.name == name] for name in self.names}
        models = ", ".join(f"{name} ({', '.join(of)})" for name, of in pairs.items()) or "none"
        back = ", ".join(dict.fromkeys(second.name for second in self.backs.values()))
        second = f"; translates back: {back}" if back else ""
        return f"mtprobe: model {models}; evaluator: {self._evaluators()}{second}{self._executor()}"

    def _evaluators(self) -> str:
        itself = "the model itself" if len(self.names) == 1 else "each model itself"
        alone = [model for model in self.tested if self.evaluator_of(model) is None]
        without = [model.languages.target for model in alone if can_score(model.backend)]
        targets: dict[str, list[str]] = {}
        for target, evaluator in self.evaluators.items():
            targets.setdefault(evaluator.name, []).append(str(target))
        if without and self.evaluators:
            targets[itself] = list(dict.fromkeys(without))
        if len(targets) > 1:
            return ", ".join(f"{name} ({', '.join(of)})" for name, of in targets.items())
        return next(iter(targets), itself if without else "none")

    def _executor(self) -> str:
        """Where models run, if not here; some stay here in any case."""
        if not self.tested or self.executor.name == LOCAL:
            return ""
        here = dict.fromkeys(model.name for model in self.opened if model.elsewhere is None)
        exceptions = f" (not for {', '.join(here)})" if here else ""
        return f"; executor: {self.executor.name}{exceptions}"


def open_models(
    settings: Settings,
    *,
    model: Opened | None = None,
    evaluators: Sequence[tuple[str | None, Opened]] = (),
    back: Opened | None = None,
) -> Models:
    """The models that the settings name; `model`, `back` and `evaluators`, each for one target or for all, are the caller's own."""
    names = [spec.name for spec in settings.models]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f'two models are called "{name}": name them, as in A=SPEC and B=SPEC')
    tested = [opened for spec in settings.models for opened in open_for_each(spec, settings)]
    if model is not None:
        if len(settings.targets) > 1:
            raise ModelError(
                "an opened model has one target language: name a model by its spec to run it for several"
            )
        tested.append(_with_languages(_own(model, "model")))
    executor = _open_executor(settings.executor)
    own = [(tag, executor.place(_own(evaluator, "evaluator"))) for tag, evaluator in evaluators]
    judges = open_evaluators(settings, tested, own, executor)
    backs = open_backs(settings, tested, None if back is None else _with_languages(_own(back, "model")))
    placed = {languages: executor.place(second) for languages, second in backs.items()}
    return Models(tuple(map(executor.place, tested)), judges, executor, placed)


def _own(model: Opened, role: str) -> Model:
    """An object of the caller's own, or what `mtprobe.open_model` returned."""
    if isinstance(model, OpenedModel):
        return Model(model.name, model.backend)
    name = type(model).__name__
    methods = ("translate", "score") if role == "model" else ("score", "answer_scores", "complete")
    if not any(callable(getattr(model, method, None)) for method in methods):
        wanted = " or ".join(f"`{method}`" for method in methods)
        raise ModelError(f"the {role} is neither a spec nor an object with a method {wanted}, but a {name}")
    if not isinstance(getattr(model, "fingerprint", None), str):
        raise ModelError(f"{name} has no `fingerprint`, a text that changes whenever its outputs may change")
    return Model(name, model)


def _with_languages(model: Model) -> Model:
    languages = getattr(model.backend, "languages", None)
    if not isinstance(languages, LanguagePair):
        raise ModelError(
            f'{model.name}: `languages` is {languages!r}; a model needs a LanguagePair, as in LanguagePair("en", "pt") '
            "from mtprobe.backends"
        )
    return model


def _open_executor(text: str | None) -> Executor:
    try:
        return open_executor(text)
    except MtprobeError as error:
        raise SettingError("executor", error) from None
