"""Which model provides the scores that a method asks for."""

from __future__ import annotations

from typing import NamedTuple

from mtprobe.backends.model import Model
from mtprobe.backends.scorer import Scorer, can_score, reads_sources
from mtprobe.errors import ModelError
from mtprobe.language import tags
from mtprobe.methods.method import Method
from mtprobe.suite.sample import Suite


class Scoring(NamedTuple):
    """The model that provides scores, and its scorer."""

    model: Model
    scorer: Scorer

    def for_suite(self, suite: Suite, target: str) -> Scorer:
        """The scorer; one that relies on the order of a suite's samples has to know the suite."""
        by_suite = getattr(self.scorer, "for_suite", None)
        scorer: Scorer = by_suite(suite, target) if by_suite else self.scorer
        return scorer


def scoring_for(method: Method, model: Model, evaluator: Model | None) -> Scoring | None:
    """The model that provides the method's scores, or an error if none can."""
    if method.scored_by is None:
        if method.scores_wrong_translations and can_score(model.runner) and reads_sources(model.runner):
            return Scoring(model, model.runner)
        return None
    if method.scored_by == "language model":
        if not can_score(model.runner) or reads_sources(model.runner):
            raise ModelError(
                f"{method.name} is for language models, but {model.name} is not one: name one as mlm:NAME_OR_PATH"
            )
        return Scoring(model, model.runner)
    if can_score(model.runner) and (evaluator is None or method.scored_by == "model"):
        return Scoring(model, model.runner)
    if evaluator is None:
        wanted = "the model's own scores" if method.scored_by == "model" else "an evaluator"
        instead = " instead" if method.scored_by == "model" else ""
        raise ModelError(
            f"{method.name} needs {wanted}, and {model.title} cannot score: set `evaluator`{instead}"
        )
    if not can_score(evaluator.runner):
        raise ModelError(f"{evaluator.name} cannot score, so it cannot be the evaluator")
    ours, theirs = model.languages, evaluator.languages
    if not (tags.fits(ours.source, theirs.source) and tags.fits(ours.target, theirs.target)):
        raise ModelError(f"the evaluator {evaluator.name} is for {theirs}, the model {model.name} for {ours}")
    return Scoring(evaluator, evaluator.runner)
