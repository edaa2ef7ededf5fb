"""Whether a model was its own judge. To be asked for scores of given targets is no judging: that is what a method tests."""

from __future__ import annotations

from mtprobe.methods import METHODS
from mtprobe.records import SuiteRun


def judged_by_itself(suite: SuiteRun) -> bool:
    """Whether the model took the place of an evaluator that was not given."""
    method = METHODS.get(suite.method)
    return suite.judges_itself and (method is None or method.scored_by == "evaluator")
