"""The fitness of combined methods: witnesses give most verdicts themselves, and only those of the others can be biased."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mtprobe.audit.compare import Pairs
from mtprobe.audit.fitness import CategoryFitness, fitness_of
from mtprobe.audit.truth import answer_of
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.measure import Measure


def compare_combined(
    results: Sequence[Result], categories: Sequence[str], witnesses: Sequence[str]
) -> Iterator[CategoryFitness]:
    """One comparison per category in which an answer is right."""
    groups: dict[str | None, list[Result]] = {}
    for result in results:
        if answer_of(result) is not None and not result.choices:
            groups.setdefault(result.category, []).append(result)
    order = {name: place for place, name in enumerate(categories)}
    for category in sorted(groups, key=lambda name: order.get(name or "", len(order))):
        yield _comparison(category, groups[category], witnesses)


def _comparison(category: str | None, decided: Sequence[Result], witnesses: Sequence[str]) -> CategoryFitness:
    right = np.array([answer_of(result) == Outcome.CORRECT for result in decided], dtype=bool)
    reported = Pairs(right, right).share(right)
    share = sum(result.verdict.by not in witnesses for result in decided) / len(decided)
    if not share:  # a witness that is compared with itself always agrees
        return _nothing_to_compare(category, reported, witnesses[0])
    others, agreement = _others(decided, witnesses)
    value, low, high = (share * end for end in (others.value or 0.0, others.low, others.high))
    accuracy = reported.value or 0.0
    bias = Measure(value, low, high, len(decided))
    return CategoryFitness(
        category=category,
        fitness=fitness_of(bias),
        source=witnesses[0],
        reported=reported,
        truth=Measure(accuracy - value, accuracy - high, accuracy - low, len(decided)),
        bias=bias,
        agreement=agreement,
        share=share,
    )


def _nothing_to_compare(category: str | None, reported: Measure, witness: str) -> CategoryFitness:
    nothing = Measure.nothing("the witness gives every verdict itself")
    return CategoryFitness(
        category, fitness_of(nothing), witness, reported, nothing, nothing, nothing, share=0.0
    )


def _others(decided: Sequence[Result], witnesses: Sequence[str]) -> tuple[Measure, Measure]:
    """The bias of verdicts that no witness gave, and how often they agree: on samples that a witness decided as well."""
    both = [answers for result in decided if (answers := _both(result, witnesses)) is not None]
    if not both:
        return Measure(None, -1.0, 1.0, 0), Measure.nothing("no sample that both decided")
    judged, true = (np.array(side, dtype=bool) for side in zip(*both, strict=True))
    pairs = Pairs(judged, true)
    return pairs.bias, pairs.share(judged == true)


def _both(result: Result, witnesses: Sequence[str]) -> tuple[bool, bool] | None:
    """Whether the others and the witnesses call it correct; None where one side has no opinion."""
    sides: dict[bool, bool] = {}
    for name, outcome in result.verdict.opinions.items():
        if outcome in (Outcome.CORRECT, Outcome.INCORRECT):
            sides.setdefault(name in witnesses, outcome is Outcome.CORRECT)
    return (sides[False], sides[True]) if len(sides) == 2 else None
