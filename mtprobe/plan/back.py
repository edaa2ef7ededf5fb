"""The model for back-translation, and the samples that are skipped without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import LanguagePair, can_translate
from mtprobe.backends.registry import ModelSpec
from mtprobe.errors import ModelError
from mtprobe.gates import Gate
from mtprobe.language import tags
from mtprobe.methods import Method
from mtprobe.plan.specs import open_spec
from mtprobe.settings import Settings
from mtprobe.suite.sample import Sample, Suite

NO_BACK = "round trips need a model for back-translation (`back`)"


def open_backs(settings: Settings, tested: Sequence[Model], own: Model | None) -> dict[LanguagePair, Model]:
    """For each direction under test the second model that reverses it. One that reverses none is an error."""
    backs: dict[LanguagePair, Model] = {}
    directions = list(dict.fromkeys(model.languages for model in tested))
    if own is not None:
        _check(own)
        fitting = [languages for languages in directions if _reverses(own, languages)]
        if not fitting:
            raise ModelError(_wrong(own.name, own.languages, directions))
        backs.update(dict.fromkeys(fitting, own))
    for spec in settings.back:
        reasons: list[str] = []
        for languages in directions:
            second = _open(spec, languages, settings, reasons)
            if second is not None:
                backs.setdefault(languages, second)
        if directions and len(reasons) == len(directions):
            raise ModelError(reasons[0])
    return backs


def _open(spec: ModelSpec, languages: LanguagePair, settings: Settings, reasons: list[str]) -> Model | None:
    """The model for the opposite direction; None, with one more reason, if it has another one."""
    try:
        second = open_spec(spec, languages.source, replace(settings, source=languages.target))
    except ModelError as error:
        reasons.append(f"the second model {spec.name} cannot translate back from {languages.target}: {error}")
        return None
    _check(second)
    if not _reverses(second, languages):
        reasons.append(_wrong(spec.name, second.languages, [languages]))
        return None
    return second


def _check(second: Model) -> None:
    if not can_translate(second.backend):
        raise ModelError(f"{second.name} cannot translate, so it cannot translate back")


def _reverses(second: Model, languages: LanguagePair) -> bool:
    return tags.fits(second.languages.source, languages.target) and tags.fits(
        languages.source, second.languages.target
    )


def _wrong(name: str, languages: LanguagePair, directions: Sequence[LanguagePair]) -> str:
    wanted = " or ".join(str(LanguagePair(pair.target, pair.source)) for pair in directions)
    return f"the second model {name} translates {languages}; to translate back, it must translate {wanted}"


class OneWay:
    """A suite as it is judged without a second model: without the samples that only one could judge."""

    def __init__(self, suite: Suite, methods: Sequence[Method]) -> None:
        self._waiting = {sample.id for sample in suite.samples if _waits(sample, methods)}
        rest = tuple(sample for sample in suite.samples if sample.id not in self._waiting)
        self._complete = suite
        self.skip = NO_BACK if self._waiting and not rest else None
        self.suite = replace(suite, samples=rest) if self._waiting and rest else suite

    @property
    def notes(self) -> tuple[str, ...]:
        count = len(self._waiting)
        if not count or self.skip:
            return ()
        return (f"{count:,} {'sample was' if count == 1 else 'samples were'} skipped: {NO_BACK}",)

    def reason_to_skip(self, gate: Gate) -> str | None:
        """Why a gate cannot be judged: every sample that it is about needs the second model."""
        if not self._waiting:
            return None
        concerned = [sample for sample in self._complete.samples if gate.selector.concerns(sample)]
        return NO_BACK if concerned and all(sample.id in self._waiting for sample in concerned) else None


def _waits(sample: Sample, methods: Sequence[Method]) -> bool:
    able = [method for method in methods if not method.lacks(sample)]
    return bool(able) and all(method.needs_back(sample) for method in able)
