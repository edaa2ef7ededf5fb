"""A suite asked of a model: the salience of its sentences, and the importance of triggers over all."""

from __future__ import annotations

from mtprobe.backends.model import Model
from mtprobe.engine.neural import NeuralModel
from mtprobe.errors import Failure
from mtprobe.methods.salience.importance import importance
from mtprobe.methods.salience.measure import measure
from mtprobe.methods.salience.outcome import Salience, SuiteSalience
from mtprobe.methods.salience.question import questions
from mtprobe.progress import Progress
from mtprobe.suite.sample import Suite


def no_salience(model: Model) -> str | None:
    """Why salience cannot be computed for this model, or None."""
    if isinstance(model.backend, NeuralModel):
        return None
    return (
        f"{model.name} has no graphs of ours, in which a source word can be left out: salience is for demo, "
        "firefox:, onnx: and those hf: models that need no torch"
    )


def suite_salience(model: Model, suite: Suite, take: int | None, progress: Progress) -> SuiteSalience:
    """Of `take` samples, or of all. Triggers are looked for among all samples, before some are taken."""
    if not isinstance(model.backend, NeuralModel):
        raise TypeError(no_salience(model))
    taken = {sample.id for sample in (suite.take(take) if take else suite).samples}
    asked = [one for one in questions(suite, model.languages.target) if one.id in taken]
    answers = measure(model.backend, asked, progress)
    found = tuple(answer for answer in answers if isinstance(answer, Salience))
    return SuiteSalience(
        sentences=found,
        importance=importance(found, suite.seed),
        of_choice=importance([one.of_choice() for one in found], suite.seed),
        failed=tuple(
            (question.id, answer.reason)
            for question, answer in zip(asked, answers, strict=True)
            if isinstance(answer, Failure)
        ),
        left_out=len(taken) - len(asked),
    )
