"""Who judged a suite run."""

from __future__ import annotations

from mtprobe.methods import METHODS
from mtprobe.records import SuiteRun


def read_by_evaluator(suite: SuiteRun) -> bool:
    """Whether an evaluator, which may be the model, read the translations through contrastive sources."""
    method = METHODS.get(suite.method)
    return method is not None and method.scored_by == "evaluator"


def judged_by_itself(suite: SuiteRun) -> bool:
    """Whether the model took the place of an evaluator. Scoring given targets does not count: that is the test."""
    return suite.judges_itself and (suite.method not in METHODS or read_by_evaluator(suite))
