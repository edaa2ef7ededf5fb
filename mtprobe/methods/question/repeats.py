"""Repeated questions, for judges that sample: the mean of the answers, and how much they differ.

In words, the probability of a choice is its share of the answers; one that names no choice counts for none. Of
log-probabilities it is their mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mtprobe.errors import Failure
from mtprobe.methods.verdict import Evidence, Result
from mtprobe.statistics.clustered import cluster_ratio
from mtprobe.statistics.measure import Measure

REPEATS, SAME = "repeats", "same answer"  # attributes of evidence
DIVIDED = "the judge's answers are divided between choices"
_IN_SHORT = 60  # characters of an answer in a message

LogProbs: TypeAlias = tuple[float, ...]  # of the choices, in the order of the question; they add up to 1


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer in words that names no choice, or several."""

    text: str

    def __str__(self) -> str:
        text = " ".join(self.text.split())
        return f"“{text if len(text) <= _IN_SHORT else f'{text[:_IN_SHORT]}…'}”"


@dataclass(frozen=True, slots=True)
class Repeated:
    """The mean answer of a judge over repeated questions."""

    count: int
    same: float  # the share of the most frequent answer
    shares: LogProbs  # in words, -inf for a choice that was never named
    in_words: bool
    unreadable: Unreadable | None = None  # most answers name no choice; one of them


def votes(answers: Sequence[int | Unreadable | Failure], choices: int) -> Repeated | Failure:
    """The shares of answers in words."""
    for answer in answers:
        if isinstance(answer, Failure):
            return answer
    named = Counter(answer for answer in answers if isinstance(answer, int))
    unreadable = sorted(answer.text for answer in answers if isinstance(answer, Unreadable))
    most = max(named.values(), default=0)
    return Repeated(
        len(answers),
        max(most, len(unreadable)) / len(answers),
        tuple(
            math.log(named[place] / len(answers)) if named[place] else -math.inf for place in range(choices)
        ),
        in_words=True,
        unreadable=Unreadable(unreadable[0]) if unreadable and len(unreadable) >= most else None,
    )


def best(shares: LogProbs) -> int | None:
    """The place with the highest probability; None if there are two."""
    top = max(shares)
    return shares.index(top) if shares.count(top) == 1 else None


def same_share(answers: Sequence[Hashable]) -> float:
    """The share of the most frequent answer."""
    return max(Counter(answers).values()) / len(answers)


def sample_agreement(evidence: Sequence[Evidence]) -> float | None:
    """The smallest share of equal answers in any order of the choices; None if each question was asked once."""
    return min((float(item.attributes[SAME]) for item in evidence if SAME in item.attributes), default=None)


def repeats_in(results: Iterable[Result]) -> int:
    """How often a judge was asked each question; 1 where it was asked once, or not at all."""
    counts = (
        int(item.attributes[REPEATS])
        for result in results
        for item in result.verdict.evidence
        if SAME in item.attributes
    )
    return max(counts, default=1)


def unstable(results: Sequence[Result]) -> Measure:
    """The share of samples whose answers differ between repeats, with an interval over their clusters."""
    agreements = [
        (result.cluster, agreement)
        for result in results
        if (agreement := sample_agreement(result.verdict.evidence)) is not None
    ]
    if not agreements:
        return Measure.nothing("no question was asked repeatedly")
    _, numbers = np.unique([cluster for cluster, _ in agreements], return_inverse=True)
    sums = np.bincount(numbers, weights=[agreement < 1 for _, agreement in agreements]).astype(np.float64)
    low, high = cluster_ratio(sums, np.bincount(numbers).astype(np.float64))
    return Measure(float(sums.sum()) / len(agreements), low, high, len(agreements))


def notes(results: Sequence[Result]) -> Iterator[str]:
    measure = unstable(results)
    if measure.value is None:
        return
    count = repeats_in(results)
    if not measure.value:
        yield f"the judge was asked {count:,} times: it gave the same answers for all {measure.n:,} samples"
        return
    samples = round(measure.value * measure.n)
    divided = sum(DIVIDED in result.verdict.reason for result in results)
    yield (
        f"unstable judge: it was asked {count:,} times, and its answers differ in {samples:,} of {measure.n:,} samples "
        f"({measure.value:.2f}, 95% interval {measure.low:.2f} to {measure.high:.2f}); where no choice has the most, "
        f"a sample is undecided ({divided:,} of {measure.n:,})"
    )
