"""Model error or search error (DiBiMT): does the model score its wrong translation above a good one?

If so, the model is at fault; if not, a good translation had the better score and the search missed it. The paper pairs a
wrong translation with one good one (the first that is given here); against every known good one fewer are model errors.
"""

from __future__ import annotations

import numpy as np

from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Outcome, Result
from mtprobe.metrics.discrepancy import difference
from mtprobe.metrics.metric import Metric, MetricContext
from mtprobe.metrics.selectors import Selector
from mtprobe.metrics.shares import estimated_share
from mtprobe.statistics.measure import Estimated


class _ModelErrors(Metric):
    name = "model_errors"
    about = "the share of wrong translations that the model scores higher than every known good one"
    higher_is_better = None

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """Among the wrong translations that were scored together with good ones."""
        tally = context.tally
        leads = [self.lead(result) for result in tally.results]
        scored = np.array([lead is not None for lead in leads], dtype=bool)
        preferred = np.array([lead is not None and lead > 0 for lead in leads], dtype=bool)
        estimated = estimated_share(tally, preferred, selector.mask(tally) & scored)
        if estimated.estimate is None:
            return Estimated.nothing("no wrong translation that the model scored together with a good one")
        return estimated

    def lead(self, result: Result) -> float | None:
        """The score of a wrong translation minus that of the good ones that it is compared with."""
        return preference(result)


class _ModelErrorsOne(_ModelErrors):
    name = "model_errors_one"
    about = "the share of wrong translations that the model scores higher than the first known good one, as in DiBiMT"

    def lead(self, result: Result) -> float | None:
        return preference_over_first(result)


def preference(result: Result) -> float | None:
    """The score of a wrong translation minus that of the best good one, in nats per token."""
    if result.verdict.outcome is not Outcome.INCORRECT:
        return None
    return difference(result, REFERENCE)


def preference_over_first(result: Result) -> float | None:
    """The same, compared with the first good one alone."""
    if result.verdict.outcome is not Outcome.INCORRECT:
        return None
    first = next((item for item in result.verdict.evidence if item.side == REFERENCE), None)
    own = next((item for item in result.verdict.evidence if item.side == TRANSLATION), None)
    if first is None or own is None or first.score is None or own.score is None:
        return None
    return own.score - first.score


MODEL_ERRORS = _ModelErrors()
MODEL_ERRORS_ONE = _ModelErrorsOne()
