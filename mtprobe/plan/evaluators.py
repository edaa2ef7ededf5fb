"""Opens the evaluators of a run: for each target language, one evaluator or several that score together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from mtprobe.backends.answers import can_answer
from mtprobe.backends.ensemble import TOGETHER, AnsweringEnsemble, Ensemble
from mtprobe.backends.model import Executor, Model
from mtprobe.backends.registry import ModelSpec
from mtprobe.backends.scorer import can_score, reads_sources
from mtprobe.backends.stored import fingerprint_of
from mtprobe.errors import ModelError
from mtprobe.language import tags
from mtprobe.plan.specs import open_spec
from mtprobe.settings import Settings


def open_evaluators(
    settings: Settings, tested: Sequence[Model], own: Sequence[tuple[str | None, Model]], executor: Executor
) -> Mapping[str | None, Model]:
    """The evaluator of each target, if there is one; `own` are objects of the caller's, each for one target or for all."""
    named: Sequence[str | None] = settings.targets or (None,)
    targets: Sequence[str | None] = list(dict.fromkeys(model.languages.target for model in tested)) or named
    several = len(targets) > 1
    tagged = [(given.spec.name, given.target) for given in settings.evaluators]
    for name, tag in [*tagged, *((judge.name, tag) for tag, judge in own)]:
        if tag is not None and not any(_fits(tag, target) for target in targets):
            known = ", ".join(map(str, targets))
            raise ModelError(f"the evaluator {name} is for {tag}, but this run translates into {known}")

    @cache
    def opened(spec: ModelSpec, target: str | None) -> Model:
        try:
            evaluator = _open(spec, target, settings, tested)
        except ModelError as error:
            where = f" cannot score for the target {target}" if several and target else ""
            raise ModelError(f"evaluator {spec.name}{where}: {error}") from None
        if not reads_sources(evaluator.backend):
            raise ModelError(
                f"{spec.name} is a language model that does not read the source, so it cannot judge translations "
                "as an evaluator"
            )
        return executor.place(evaluator)

    evaluators: dict[str | None, Model] = {}
    for target in targets:
        asked = target if len(named) > 1 else named[0]  # None: the evaluator's own
        judges = [
            opened(given.spec, target if given.target else asked)
            for given in settings.evaluators
            if given.target is None or _fits(given.target, target)
        ]
        judges += [judge for tag, judge in own if tag is None or _fits(tag, target)]
        for judge in judges if several and len(named) > 1 else ():
            if not _fits(judge.languages.target, target):
                raise ModelError(
                    f"evaluator {judge.name} is for {judge.languages}: it cannot score for {target}"
                )
        if judges:
            evaluators[target] = _together(judges)
    return evaluators


def _open(spec: ModelSpec, target: str | None, settings: Settings, tested: Sequence[Model]) -> Model:
    """With the languages of the model under test, if it has none of its own, as a language model."""
    try:
        return open_spec(spec, target, settings)
    except ModelError:
        pairs = {model.languages for model in tested}
        if target is not None or len(pairs) != 1:
            raise
        (pair,) = pairs
        try:
            return open_spec(spec, pair.target, replace(settings, source=settings.source or pair.source))
        except ModelError:
            pass
        raise


def _fits(tag: str, target: str | None) -> bool:
    return target is None or tags.fits(tag, target)


def _together(judges: Sequence[Model]) -> Model:
    """The only evaluator, or one that all of them make up."""
    if len(judges) == 1:
        return judges[0]
    for judge in judges:
        if not can_score(judge.backend):
            raise ModelError(f"{judge.name} {judge.cannot_score}, so it cannot be an evaluator")
    backends = [judge.backend for judge in judges]
    if len(set(map(fingerprint_of, backends))) < len(backends):
        raise ModelError("the same evaluator is given twice")
    kind = AnsweringEnsemble if all(can_answer(backend) for backend in backends) else Ensemble
    moved = any(judge.elsewhere is not None for judge in judges)
    elsewhere = kind([judge.runner for judge in judges]) if moved else None
    return Model(TOGETHER.join(judge.name for judge in judges), kind(backends), elsewhere=elsewhere)
