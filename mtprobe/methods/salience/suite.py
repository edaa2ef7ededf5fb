"""Measures the salience in a suite's sentences, and the importance of triggers over all of them."""

from __future__ import annotations

from mtprobe.backends.model import Model
from mtprobe.engine.neural import NeuralModel
from mtprobe.errors import Failure
from mtprobe.methods.salience.importance import importance, published_importance
from mtprobe.methods.salience.measure import measure
from mtprobe.methods.salience.outcome import Salience, SuiteSalience
from mtprobe.methods.salience.question import questions
from mtprobe.progress import Progress
from mtprobe.suite.sample import Suite


def no_salience(model: Model) -> str | None:
    """Why salience cannot be measured with this model, or None."""
    if isinstance(model.backend, NeuralModel):
        return None
    return (
        f"{model.name} does not run on our graphs, in which a source word can be removed: salience needs demo, "
        "firefox:, onnx: or an hf: model that runs without torch"
    )


def suite_salience(model: Model, suite: Suite, take: int | None, progress: Progress) -> SuiteSalience:
    """For `take` samples, or all. Triggers are searched in all samples, before some are selected."""
    if not isinstance(model.backend, NeuralModel):
        raise TypeError(no_salience(model))
    selected = {sample.id for sample in (suite.take(take) if take else suite).samples}
    asked = [question for question in questions(suite, model.languages.target) if question.id in selected]
    answers = measure(model.backend, asked, progress)
    sentences = tuple(answer for answer in answers if isinstance(answer, Salience))
    return SuiteSalience(
        sentences=sentences,
        importance=importance(sentences, suite.seed),
        of_choice=importance([sentence.of_choice() for sentence in sentences], suite.seed),
        as_published=published_importance(sentences),
        failed=tuple(
            (question.id, answer.reason)
            for question, answer in zip(asked, answers, strict=True)
            if isinstance(answer, Failure)
        ),
        left_out=len(selected) - len(asked),
    )
