"""Agreement between methods that judged the same translations; each has different blind spots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from mtprobe.methods.verdict import Outcome, Result, first_repeat
from mtprobe.records import SuiteRun
from mtprobe.statistics.agreement import agreement, cohens_kappa
from mtprobe.statistics.measure import Measure

_DECIDED = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.OPEN)


@dataclass(frozen=True, slots=True)
class MethodAgreement:
    """Two methods on one suite and model; agreement and κ cover the samples that both decided."""

    one: SuiteRun
    other: SuiteRun
    agreement: Measure
    kappa: Measure
    answers: tuple[str, ...]  # the possible answers: outcomes, and the choices of open samples
    counts: Mapping[tuple[str, str], int]  # by both answers, over all samples that both judged
    differ: tuple[tuple[Result, Result], ...]  # those on which the two disagree


def agreements(suites: Sequence[SuiteRun]) -> Iterator[MethodAgreement]:
    """For each suite that several methods judged on the same model, in one run or in several."""
    for one, other in combinations(suites, 2):
        if _on(one) == _on(other) and one.method != other.method:
            yield compare(one, other)


def _on(suite: SuiteRun) -> tuple[str, ...]:
    return suite.path, suite.model.name, suite.model.fingerprint, suite.source, suite.target


def compare(one: SuiteRun, other: SuiteRun) -> MethodAgreement:
    by_id = {result.id: result for result in first_repeat(other.results)}
    both = [(result, by_id[result.id]) for result in first_repeat(one.results) if result.id in by_id]
    decided = [pair for pair in both if all(result.verdict.outcome in _DECIDED for result in pair)]
    labels = [tuple(map(_answer, pair)) for pair in decided]
    answers, others = [label[0] for label in labels], [label[1] for label in labels]
    clusters = [pair[0].cluster for pair in decided]
    return MethodAgreement(
        one,
        other,
        agreement(answers, others, clusters),
        cohens_kappa(answers, others, clusters, seed=one.seed),
        _answers([result for result, _ in both]),
        Counter((_answer(first), _answer(second)) for first, second in both),
        tuple(pair for pair, label in zip(decided, labels, strict=True) if label[0] != label[1]),
    )


def _answer(result: Result) -> str:
    """The choice of an open sample, otherwise the outcome."""
    return result.verdict.choice or result.verdict.outcome.value


def _answers(results: Sequence[Result]) -> tuple[str, ...]:
    judged = any(not result.choices for result in results)
    choices = dict.fromkeys(choice for result in results for choice in result.choices)
    return (
        *((Outcome.CORRECT.value, Outcome.INCORRECT.value) if judged or not choices else ()),
        *choices,
        Outcome.DEGENERATE.value,
        Outcome.UNDECIDED.value,
    )
