"""A suite asked of a model: the salience of every sentence, and the importance of triggers over all."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.errors import Failure, ModelError, MtprobeError
from mtprobe.models import Model
from mtprobe.progress import Progress, Silent
from mtprobe.record import ModelFacts
from mtprobe.salience.importance import Importance, importance
from mtprobe.salience.measure import Salience, measure
from mtprobe.salience.question import questions
from mtprobe.suite.sample import Suite
from mtprobe.translate.neural import NeuralModel


@dataclass(frozen=True, slots=True)
class SaliencePage:
    """All that is shown of it."""

    suite: str
    digest: str
    source: str
    target: str
    model: ModelFacts
    sentences: tuple[Salience, ...]
    importance: Importance | None  # None: no sentence has triggers
    failed: tuple[tuple[str, str], ...]  # samples that could not be read, each with the reason
    left_out: int  # samples in whose targets no word differs, or without any in this language


def salience_page(
    model: Model, suite: Suite, take: int | None = None, progress: Progress | None = None
) -> SaliencePage:
    """What cannot be asked at all is an error. Triggers are looked for before some samples are taken."""
    backend, languages = model.backend, model.languages
    if not isinstance(backend, NeuralModel):
        raise ModelError(
            f"{model.name} has no graphs of ours, in which a source word can be left out: salience is for demo, "
            "firefox:, onnx: and those hf: models that need no torch"
        )
    if not suite.fits(languages.source, languages.target):
        raise MtprobeError(
            f"{suite.path}: the suite is for {suite.languages}, {model.name} translates {languages}"
        )
    taken = {sample.id for sample in (suite.take(take) if take else suite).samples}
    asked = [question for question in questions(suite, languages.target) if question.id in taken]
    if not asked:
        raise MtprobeError(
            f"{suite.path}: no sample has `targets` in {languages.target} of which the right one has a word of its own"
        )
    answers = measure(backend, asked, progress or Silent())
    found = tuple(answer for answer in answers if isinstance(answer, Salience))
    return SaliencePage(
        suite=suite.name,
        digest=suite.digest,
        source=suite.source,
        target=languages.target,
        model=model.facts(),
        sentences=found,
        importance=importance(found, suite.seed),
        failed=tuple(
            (question.id, answer.reason)
            for question, answer in zip(asked, answers, strict=True)
            if isinstance(answer, Failure)
        ),
        left_out=len(taken) - len(asked),
    )
