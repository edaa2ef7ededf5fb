"""How often the model makes a choice in an open category, in which no answer is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mtprobe.errors import did_you_mean
from mtprobe.methods.verdict import Outcome, Result, one_per_sample
from mtprobe.metrics.metric import MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError, check_attributes, choice_example
from mtprobe.metrics.shares import ShareMetric
from mtprobe.metrics.tally import tally
from mtprobe.statistics.intervals import Mask
from mtprobe.suite.sample import Suite


class _Chosen(ShareMetric):
    name = "chosen"
    about = "how often the model makes a choice if no answer is right"
    brackets = "a choice, attributes"
    higher_is_better = None
    counts_degenerate = False
    blamed_as = "surest"

    def counted(self, context: MetricContext, selector: Selector) -> tuple[Mask, Mask]:
        """Among the open samples in which a choice was made."""
        counts = context.tally
        hits = counts.column("choice", lambda result: result.verdict.choice or "", str) == selector.choice
        return hits, selector.mask(counts) & (counts.outcomes == Outcome.OPEN)

    def extremes(self, context: MetricContext, selector: Selector) -> Iterator[MetricContext]:
        """All translations with withheld verdicts made this choice, or none of them did."""
        withheld = context.tally.withheld & ~context.tally.answered
        if withheld.any():
            for choice in (selector.choice, None):
                results = [
                    replace(result, verdict=replace(result.verdict, outcome=Outcome.OPEN, choice=choice))
                    if inside
                    else result
                    for result, inside in zip(context.tally.results, withheld, strict=True)
                ]
                yield replace(context, tally=tally(results, context.tally.seed, context.tally.variants))

    def check(self, brackets: Brackets, suite: Suite) -> None:
        check_attributes(brackets, suite)
        if not suite.open:
            raise SelectorError(
                "the suite has no open category: one whose cues name choices, not correct and incorrect"
            )
        if len(brackets.names) != 1:
            raise SelectorError(f"chosen needs exactly one choice: {choice_example(suite)}")
        if brackets.names[0] not in suite.choices:
            raise SelectorError(
                f'"{brackets.names[0]}" is not a choice{did_you_mean(brackets.names[0], suite.choices)}'
            )

    def select(self, brackets: Brackets) -> Selector:
        return Selector(choice=brackets.names[0] if brackets.names else None, attributes=brackets.attributes)

    def blamed_samples(self, context: MetricContext, selector: Selector, *, is_lower: bool) -> list[Result]:
        """The samples with too frequent a choice, or with another choice; the most confident first."""
        samples = [
            result
            for result in context.tally.results
            if result.verdict.outcome is Outcome.OPEN
            and (result.verdict.choice == selector.choice) != is_lower
            and selector.concerns(result)
        ]
        return one_per_sample(
            sorted(samples, key=lambda result: (-(result.verdict.probability or 0.0), result.id))
        )


CHOSEN = _Chosen()
