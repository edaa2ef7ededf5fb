"""The hunt: explore until a sentence fails, shrink it, find its cause, and continue with failures that this does not explain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from mtprobe.authoring.hunt.ask import Asker, Spent
from mtprobe.authoring.hunt.causes import Cause, cause_of, explains
from mtprobe.authoring.hunt.explore import explore
from mtprobe.authoring.hunt.shrink import check_installed, shrink
from mtprobe.authoring.hunt.space import Candidate, Space
from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.suite.sample import Sample

MOST_CAUSES = 5
_BATCH = 32  # sentences that are tried at once
_SMALL_BATCH = 8  # later, so that something is left of the budget to make a failing sentence smaller
_EARLY = 0.6  # of the budget
# What is spent on trying sentences before the first is made smaller; samples without templates cannot be made smaller.
_BEFORE, _BEFORE_ALL_SINGLE = 1 / 3, 0.9
_MOST_ROUNDS = 5  # of making a sentence smaller
_BESIDE = 12  # correct sentences
_FAILS = (Outcome.INCORRECT, Outcome.DEGENERATE)


@dataclass(frozen=True, slots=True)
class Found:
    """The smallest failing sentence of one cause."""

    sample: Sample
    result: Result
    cause: Cause
    first: str  # the failing sentence that it was made from
    failing: int  # sentences that fail for this cause, with this one
    tried: int  # sentences of the category that have the parts of the cause


@dataclass(frozen=True, slots=True)
class Hunt:
    """The outcome of a hunt."""

    found: tuple[Found, ...]
    tried: int  # sentences that were judged
    failing: int  # of these
    errors: int  # of these, without a verdict
    spent: Spent
    every: bool  # no sentence is left that was not tried
    more: int  # failing sentences that none of the causes explains
    beside: tuple[Sample, ...] = ()  # correct ones that share most with those that were found


class _Reduced(NamedTuple):
    first: Candidate
    smallest: Candidate
    cause: Cause


def fails(result: Result) -> bool:
    return result.verdict.outcome in _FAILS


class Search:
    """The state of the search: everything known about each sentence so far."""

    def __init__(
        self, asker: Asker, seed: int = 0, most: int = MOST_CAUSES, category: str | None = None
    ) -> None:
        """With a category, only its sentences are tried."""
        check_installed()
        self._asker, self._seed, self._most, self._category = asker, seed, most, category
        categories = asker.fixed.categories
        if category is not None and category not in categories:
            raise MtprobeError(f'the suite has no category "{category}"{did_you_mean(category, categories)}')
        self._space = Space(asker.fixed, self._is_out)
        self._results: dict[Candidate, Result | None] = {}

    def _is_out(self, sample: Sample) -> str | None:
        """Why a sentence is not tried."""
        if self._category is not None and sample.category != self._category:
            return f"is not {self._category}"
        return self._asker.lacks(sample)

    def know(self, results: Sequence[Result]) -> None:
        """Takes over verdicts of a run of the suite."""
        by_id = {result.id: result for result in results if result.is_first}
        for sample in self._asker.fixed.samples:
            if sample.id in by_id and (candidate := self._space.candidate_of(sample)) is not None:
                self._results[candidate] = by_id[sample.id]

    def run(self, surveyed: Sequence[Sample] = ()) -> Hunt:
        """`surveyed` are samples that were translated to prepare the method."""
        known = (self._space.candidate_of(sample) for sample in surveyed)
        self._judge([candidate for candidate in known if candidate is not None])
        proposals = (
            candidate for candidate in explore(self._space, self._seed) if candidate not in self._results
        )
        reduced: list[_Reduced] = []
        every = False
        before = _BEFORE if any(pattern.template for pattern in self._space.patterns) else _BEFORE_ALL_SINGLE
        while len(reduced) < self._most:
            ready = every or self._asker.spent.over or self._asker.share_spent >= before
            if ready and (unexplained := self._unexplained(reduced)):
                reduced.append(self._reduce(unexplained[0], [one.cause for one in reduced]))
                continue
            if every or self._asker.spent.over:
                break
            batch = list(islice(proposals, _BATCH if self._asker.share_spent < _EARLY else _SMALL_BATCH))
            every = not batch
            self._judge(batch)
        judged = [result for result in self._results.values() if result is not None]
        return Hunt(
            tuple(map(self._found, sorted(reduced, key=lambda one: self._space.size(one.smallest)))),
            tried=len(judged),
            failing=sum(map(fails, judged)),
            errors=sum(result.verdict.outcome is Outcome.ERROR for result in judged),
            spent=self._asker.spent,
            every=every,
            more=len(self._unexplained(reduced)),
            beside=tuple(self._beside(reduced)),
        )

    def _beside(self, reduced: Sequence[_Reduced]) -> Iterator[Sample]:
        wanted = Counter(part for one in reduced for part in self._space.features(one.smallest))
        right = [
            candidate
            for candidate, result in self._results.items()
            if result is not None and result.verdict.outcome is Outcome.CORRECT
        ]
        shared = {
            candidate: sum(wanted[part] for part in self._space.features(candidate)) for candidate in right
        }
        for candidate in sorted(right, key=lambda one: (-shared[one], self._space.size(one)))[:_BESIDE]:
            if shared[candidate] and (sample := self._space.sample(candidate)) is not None:
                yield self._asker.as_judged(sample)

    def _reduce(self, first: Candidate, others: Sequence[Cause]) -> _Reduced:
        """The smallest sentence that fails in the same way and for no cause that is known already, with its cause."""
        result = self._known(first)
        kind = (result.verdict.outcome, self._space.group(first))

        def fails_alike(candidate: Candidate) -> bool:
            if self._space.sample(candidate) is None or self._space.group(candidate) != kind[1]:
                return False
            self._judge([candidate])
            other = self._results.get(candidate)
            return (
                other is not None
                and other.verdict.outcome is kind[0]
                and not any(explains(cause, candidate, other, self._space) for cause in others)
            )

        smallest = first
        for _ in range(_MOST_ROUNDS):
            smallest = shrink(self._space, smallest, fails_alike, self._seed)
            cause = cause_of(smallest, self._known(smallest), self._space, self._all, fails)
            size = self._space.size(smallest)
            smaller = [
                one for one in self._of_cause(cause) if self._space.size(one) < size and fails_alike(one)
            ]
            if not smaller:
                break
            smallest = min(smaller, key=self._space.size)
        return _Reduced(first, smallest, cause)

    def _of_cause(self, cause: Cause) -> list[Candidate]:
        """The failing sentences that a cause explains."""
        return [
            candidate
            for candidate, result in self._results.items()
            if result is not None and explains(cause, candidate, result, self._space)
        ]

    def _found(self, reduced: _Reduced) -> Found:
        sample, cause = self._space.sample(reduced.smallest), reduced.cause
        if sample is None:
            raise ValueError(f"{reduced.smallest} is not a sentence of the suite")
        like = [
            result
            for candidate, result in self._results.items()
            if result is not None
            and self._space.group(candidate) == cause.group
            and set(cause.parts) <= set(self._space.features(candidate))
        ]
        first, failing = self._known(reduced.first).source, len(self._of_cause(cause))
        judged = self._asker.as_judged(sample)
        return Found(judged, self._known(reduced.smallest), cause, first, failing, len(like))

    def _unexplained(self, reduced: Sequence[_Reduced]) -> list[Candidate]:
        """Failing sentences of another cause, the smallest first."""
        failing = [
            candidate
            for candidate, result in self._results.items()
            if result is not None
            and fails(result)
            and not any(explains(one.cause, candidate, result, self._space) for one in reduced)
        ]
        return sorted(failing, key=self._space.size)

    def _known(self, candidate: Candidate) -> Result:
        result = self._results[candidate]
        if result is None:
            raise ValueError(f"{candidate} was not judged")
        return result

    def _all(self, candidates: Sequence[Candidate]) -> Sequence[Result | None]:
        self._judge(candidates)
        return [self._results.get(candidate) for candidate in candidates]

    def _judge(self, candidates: Sequence[Candidate]) -> None:
        """Judges those that were not judged, as far as the budget reaches."""
        new = [candidate for candidate in dict.fromkeys(candidates) if candidate not in self._results]
        samples = [sample for candidate in new if (sample := self._space.sample(candidate)) is not None]
        if not samples:
            return
        results = self._asker.results(samples)
        self._results.update(
            {candidate: result for candidate, result in zip(new, results, strict=True) if result is not None}
        )
