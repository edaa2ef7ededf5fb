"""The base class of metrics: numbers over verdicts, with all information for gates, reports and documentation."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mtprobe.errors import did_you_mean
from mtprobe.methods.audit_pairs.measure import Audited
from mtprobe.methods.verdict import Outcome, Result, one_per_sample
from mtprobe.metrics.selectors import (
    Brackets,
    Selector,
    SelectorError,
    check_attributes,
    choice_example,
    split_brackets,
)
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.bounded import bounded
from mtprobe.statistics.clustered import Ratio
from mtprobe.statistics.measure import Estimated, Measure
from mtprobe.statistics.sequential import ConfidenceSequence, RatioSequence
from mtprobe.suite.sample import Suite

if TYPE_CHECKING:
    from mtprobe.metrics.regression import Regression


@dataclass(frozen=True, slots=True)
class Since:
    """The counterpart of a suite run in the baseline, or the reason why there is none."""

    name: str  # the baseline's model and date
    results: Sequence[Result] | str
    warnings: Sequence[str] = ()
    ambiguous: bool = False  # there are several, and nothing says which one it is
    incomparable: bool = False  # it was judged by another procedure
    same_judge: bool = False  # identical translations got the same verdicts


@dataclass(frozen=True, slots=True)
class MetricContext:
    """The data that metrics are computed from."""

    tally: Tally
    categories: Sequence[str] = ()  # those in which an answer is right or wrong
    audited: Audited | None = None
    since: Since | None = None
    decided_on_labels: bool = False  # gates whose metric labels correct are decided on the corrected number
    label_problem: str = ""  # why the labels are no random sample


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A metric's value for a gate."""

    measure: Measure
    reason: str = ""  # why there is no value
    regression: Regression | None = None  # the flips since the baseline, if the metric needs one
    undecided: str = ""  # why the gate may not pass on this value
    error: str = ""  # why the gate cannot be judged


class Metric(ABC):
    """One metric. A subclass sets the facts that differ and computes `measure`; one object serves all suites."""

    name: str
    about: str  # one line for the documentation, the schema and reports
    brackets: str = "a category, attributes"  # what a gate may have in brackets, for the documentation

    is_share: bool = True  # it lies between 0 and 1, and so does its bound
    higher_is_better: bool | None = True  # None: neither end is better
    of_samples: bool = True  # False: it measures the evaluator's audit, so unjudged samples do not matter
    rests_on_verdicts: bool = (
        True  # False: it counts outcomes, or measures the audit; doubtful verdicts do not matter
    )
    counts_lowest: bool = False  # n is that of the lowest group, which the note names
    compares_groups: bool = False  # a few samples of one category may determine its value
    counts_degenerate: bool = True  # degenerate outputs change its value
    counts_open: bool = True  # it applies to open categories, in which no answer is right
    of_controls: bool | None = False  # of controls alone, or of all other samples; None: of both
    needs_translations: bool = False  # even where the method judges given targets only
    needs_baseline: bool = False
    sequential: bool = False  # it defines `ratios`, so a gate may be decided before all samples were asked
    corrects: bool = False  # labels correct it, where there are any
    no_lower_bound: str = ""  # why a gate may not demand at least some value; empty where it may

    blamed: tuple[Outcome, ...] = (Outcome.INCORRECT, Outcome.DEGENERATE)  # shown when a gate fails
    blamed_as: str = "worst"  # "the worst 3 of 12 samples"

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated | None:
        """The value over decided samples as an estimate; None from a metric that only defines `measure`."""
        return None

    def extremes(self, context: MetricContext, selector: Selector) -> Iterator[MetricContext]:
        """The lowest and the highest values that withheld verdicts allow are found in these; none if there are none.

        By default with all of them wrong and all of them right, which serves whatever rises with correct samples.
        """
        if self.rests_on_verdicts:
            for tally in context.tally.extremes:
                yield replace(context, tally=tally)

    def bounded(self, context: MetricContext, selector: Selector) -> Estimated | None:
        """The estimate; with its bounds where verdicts are withheld."""
        estimated = self.estimate(context, selector)
        if estimated is None:
            return None
        extremes = (self.estimate(extreme, selector) for extreme in self.extremes(context, selector))
        return bounded(estimated, [extreme for extreme in extremes if extreme is not None])

    def corrected(self, context: MetricContext, selector: Selector) -> Estimated | None:
        """The value that verdicts and labels together give; None where labels do not correct the metric or there are none.

        Without an estimate, its note says what is missing.
        """
        return None

    def ratios(self, context: MetricContext, selector: Selector) -> Mapping[str, Ratio]:
        """By group, the ratios that make up the value of a `sequential` metric.

        A sample adds to one of them at most, and what it adds does not depend on other samples.
        """
        raise NotImplementedError(f"{self.name} needs all samples")

    def sequence(self, ratios: Sequence[RatioSequence]) -> ConfidenceSequence:
        """How the ratios make up the value; by default there is only one."""
        return ratios[0]

    def measure(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Measure:
        """The value with its interval and n. A subclass defines this or `estimate`."""
        estimated = self.bounded(context, selector)
        if estimated is None:
            raise NotImplementedError(f"{self.name} defines neither `measure` nor `estimate`")
        return estimated.at(level)

    def evaluate(self, context: MetricContext, selector: Selector, level: float = 0.95) -> Evaluation:
        """The value for a gate, or the reason why there is none."""
        measure = self.measure(context, selector, level)
        return Evaluation(measure, "" if measure.value is not None else measure.note or "no decided sample")

    def read_selector(self, text: str | None, suite: Suite) -> Selector:
        """The text in brackets, checked against the suite; a `SelectorError` says what is wrong with it."""
        brackets = split_brackets(text)
        self.check(brackets, suite)
        return self.select(brackets)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        """Raises a `SelectorError` where the suite lacks what the metric or its brackets need."""
        check_attributes(brackets, suite)
        accepted = [*suite.categories, *(f"{name}=…" for name in suite.attributes)]
        for name in brackets.names:
            if name not in suite.categories:
                raise SelectorError(f'category "{name}" is not declared{did_you_mean(name, accepted)}')
        for name in brackets.names:
            if name in suite.open and not self.counts_open:
                raise SelectorError(
                    f'no answer is right in the open category "{name}"; gate {choice_example(suite)} instead'
                )

    def select(self, brackets: Brackets) -> Selector:
        """Brackets as a selector, unchecked: records name no suite to check them against."""
        return Selector(brackets.names[-1] if brackets.names else None, brackets.attributes)

    def blamed_samples(self, context: MetricContext, selector: Selector, *, is_lower: bool) -> list[Result]:
        """The samples behind a failed gate, the most confident mistakes first; `is_lower`: its bound is a lower one.

        Of a sample's repeats, the first in that order.
        """
        group = self.blamed_group(context, selector)
        if group is None:
            return []
        blamed = (
            result
            for result in context.tally.results
            if result.verdict.outcome in self.blamed and self.of_controls in (None, result.is_control)
        )
        return one_per_sample(sorted(filter(group.concerns, blamed), key=sureness))

    def blamed_group(self, context: MetricContext, selector: Selector) -> Selector | None:
        """The group that determines the value; None if there is none."""
        return selector


def sureness(result: Result) -> tuple[bool, float, str]:
    """Sorts the most confident mistakes to the front, after results without a probability."""
    probability = result.verdict.probability
    return probability is not None, probability or 0.0, result.id
