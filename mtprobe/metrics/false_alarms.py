"""False alarms: how often controls are judged incorrect."""

from __future__ import annotations

import numpy as np

from mtprobe.methods.verdict import Outcome
from mtprobe.metrics.metric import MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.metrics.shares import ShareMetric
from mtprobe.statistics.intervals import Mask
from mtprobe.suite.sample import CONTROL, Suite


class _FalseAlarms(ShareMetric):
    name = "false_alarms"
    about = "the share of decided controls (`control: true`) that are judged incorrect"
    higher_is_better = False
    counts_degenerate = False
    counts_open = False
    of_controls = True
    blamed = (Outcome.INCORRECT,)
    blamed_as = "first"

    def counted(self, context: MetricContext, selector: Selector) -> tuple[Mask, Mask]:
        """A degenerate output is neither an alarm nor a silence of the method."""
        tally = context.tally
        judged = np.isin(tally.outcomes, [Outcome.CORRECT, Outcome.INCORRECT])
        alarms = tally.outcomes == Outcome.INCORRECT
        return alarms, selector.mask(tally) & tally.controls & judged

    def check(self, brackets: Brackets, suite: Suite) -> None:
        super().check(brackets, suite)
        if CONTROL not in suite.attributes:  # of the whole suite, even if few samples are taken
            raise SelectorError(f"{self.name} needs controls, samples with `control: true`; there are none")


FALSE_ALARMS = _FalseAlarms()
