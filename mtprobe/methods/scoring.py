"""Selects the model that provides the scores or answers that a method needs."""

from __future__ import annotations

from typing import NamedTuple

from mtprobe.backends.answers import Answers, Completes, can_answer, can_complete
from mtprobe.backends.model import Model
from mtprobe.backends.scorer import Scorer, can_score, reads_sources
from mtprobe.errors import ModelError
from mtprobe.language import tags
from mtprobe.methods.method import Method
from mtprobe.suite.sample import Suite

_HOW = "name a language model, as in lm:NAME_OR_PATH"


class Scoring(NamedTuple):
    """The model that provides scores, and its scorer; or the model that answers questions."""

    model: Model
    scorer: Scorer | None
    judge: Answers | Completes | None = None

    def for_suite(self, suite: Suite, target: str) -> Scorer | None:
        """The scorer; one that relies on the order of a suite's samples has to know the suite."""
        by_suite = getattr(self.scorer, "for_suite", None)
        scorer: Scorer | None = by_suite(suite, target) if by_suite else self.scorer
        return scorer


def scoring_for(method: Method, model: Model, evaluator: Model | None) -> Scoring | None:
    """The model that provides the method's scores or answers, or an error if none can."""
    if method.scored_by is None:
        if method.scores_wrong_translations and can_score(model.runner) and reads_sources(model.runner):
            return Scoring(model, model.runner)
        return None
    if method.scored_by == "language model":
        if not can_score(model.runner) or reads_sources(model.runner):
            raise ModelError(
                f"{method.name} is for language models that read no source, but {model.name} is not one: name one as "
                "mlm:NAME_OR_PATH, or as lm:NAME_OR_PATH?prompt=none"
            )
        return Scoring(model, model.runner)
    own = _from(method, model)
    if isinstance(own, Scoring) and (evaluator is None or method.scored_by == "model"):
        return own
    if evaluator is None:
        raise ModelError(_nobody(method, model, str(own)))
    given = _from(method, evaluator)
    if isinstance(given, str):
        how = f": {_HOW}" if "answer" in given else ""
        raise ModelError(f"{evaluator.name} {given}, so it cannot be the evaluator of {method.name}{how}")
    ours, theirs = model.languages, evaluator.languages
    fits = tags.fits(ours.source, theirs.source) and tags.fits(ours.target, theirs.target)
    if "scores" in method.asks_for and not fits:
        raise ModelError(f"the evaluator {evaluator.name} is for {theirs}, the model {model.name} for {ours}")
    return given


def _from(method: Method, model: Model) -> Scoring | str:
    """What the model provides for the method, or what it cannot do."""
    scorer = judge = None
    if "scores" in method.asks_for:
        if not can_score(model.runner):
            return model.cannot_score
        scorer = model.runner
    if "answers" in method.asks_for:
        judge = _judge(model)
        if judge is None:
            return "cannot answer questions"
    return Scoring(model, scorer, judge)


def _judge(model: Model) -> Answers | Completes | None:
    """Log-probabilities rather than words; here, if nothing elsewhere can answer."""
    for asked in (model.runner, model.backend):
        if can_answer(asked):
            return asked
        if can_complete(asked):
            return asked
    return None


def _nobody(method: Method, model: Model, lack: str) -> str:
    wanted = "the model's own scores" if method.scored_by == "model" else "an evaluator"
    instead = " instead" if method.scored_by == "model" else ""
    setting = f"evaluator={model.into}=SPEC" if model.into else "evaluator"
    how = " to a language model, as in lm:NAME_OR_PATH" if "answer" in lack else ""
    return f"{method.name} needs {wanted}, and {model.title} {lack}: set `{setting}`{instead}{how}"
