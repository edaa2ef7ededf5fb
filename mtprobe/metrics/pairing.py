"""Matches the samples of two runs by id, where their content is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics.metric import sureness
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Estimated, Measure
from mtprobe.statistics.paired import PairedCounts, counts_of, loss_of
from mtprobe.statistics.significance import PairedTest, paired_test

_DECIDED = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.DEGENERATE)

NEW = "only in the later run"
GONE = "only in the earlier run"
CHANGED = "with another source or other evidence"
UNDECIDED = "without a decision in one of the runs"
ERROR = "not judged in one of the runs"

ENOUGH = 0.8  # the least share of a run's decided samples that must be compared for a claim about all of them


@dataclass(frozen=True, slots=True)
class Pair:
    """One sample in two runs, decided in both."""

    before: Result
    after: Result

    @property
    def broken(self) -> bool:
        return _right(self.before) and not _right(self.after)

    @property
    def mended(self) -> bool:
        return _right(self.after) and not _right(self.before)

    @property
    def identical(self) -> bool:
        """The same translation, compared with the same texts and offsets: the same judge gives the same verdict."""
        return (
            self.before.translation == self.after.translation
            and self.before.verdict.outcome is self.after.verdict.outcome
            and _evidence(self.before) == _evidence(self.after)
        )


@dataclass(frozen=True, slots=True)
class Pairing:
    """The samples that can be compared, in the later run's order, and how many cannot, by reason."""

    pairs: tuple[Pair, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    decided_before: int = 0  # by the earlier run, of the samples that the later one has unchanged
    decided_after: int = 0  # by the later run

    @property
    def shortage(self) -> str:
        """Why the pairs say too little about all samples; empty if they are enough."""
        shares = ((self.decided_after, "later"), (self.decided_before, "earlier"))
        for decided, run in shares:
            if len(self.pairs) < ENOUGH * decided:
                return (
                    f"only {len(self.pairs):,} of {decided:,} samples that the {run} run decided can be compared "
                    f"({len(self.pairs) / decided:.0%}; it takes {ENOUGH:.0%})"
                )
        return ""

    @property
    def identical(self) -> bool:
        """All pairs are: one judge cannot tell the two runs apart."""
        return bool(self.pairs) and all(pair.identical for pair in self.pairs)

    @property
    def before(self) -> Mask:
        """Whether each was correct in the earlier run."""
        return np.fromiter((_right(pair.before) for pair in self.pairs), dtype=bool, count=len(self.pairs))

    @property
    def after(self) -> Mask:
        return np.fromiter((_right(pair.after) for pair in self.pairs), dtype=bool, count=len(self.pairs))

    @property
    def counts(self) -> PairedCounts:
        return counts_of(self.before, self.after)

    @property
    def clusters(self) -> list[str]:
        return [pair.after.cluster for pair in self.pairs]

    @property
    def test(self) -> PairedTest:
        """Were flips of both kinds equally likely?"""
        return paired_test(self.before, self.after, self.clusters)

    @property
    def broken(self) -> tuple[Pair, ...]:
        """Samples that regressed; the most confident mistakes first."""
        regressed = (pair for pair in self.pairs if pair.broken)
        return tuple(sorted(regressed, key=lambda pair: sureness(pair.after)))

    @property
    def mended(self) -> tuple[Pair, ...]:
        """Samples that were fixed."""
        return tuple(pair for pair in self.pairs if pair.mended)

    @property
    def loss(self) -> Estimated:
        """Accuracy before minus accuracy after."""
        if not self.pairs:
            return Estimated.nothing("no sample that both runs decided")
        return Estimated(loss_of(self.before, self.after, self.clusters), len(self.pairs))

    def measure(self, level: float = 0.95, *, same_judge: bool = False) -> Measure:
        """The loss with its interval. If the same judge saw identical translations, it is 0 for certain."""
        if same_judge and self.identical:
            return Measure(0.0, 0.0, 0.0, len(self.pairs))
        return self.loss.at(level)


def pair_up(
    before: Iterable[Result], after: Iterable[Result], concerns: Callable[[Result], bool] = lambda _: True
) -> Pairing:
    """Pairs the samples that `concerns` accepts. Open samples, to which no answer is right, are ignored."""
    earlier = {result.id: result for result in before if not result.choices}
    pairs: list[Pair] = []
    left_out: Counter[str] = Counter()
    decided_before = decided_after = 0
    for result in after:
        if result.choices:
            continue
        other = earlier.pop(result.id, None)
        if not concerns(result):
            continue
        reason = NEW if other is None else _against(other, result)
        decided_after += _decided(result)
        decided_before += other is not None and reason != CHANGED and _decided(other)
        if reason is not None:
            left_out[reason] += 1
        elif other is not None:
            pairs.append(Pair(other, result))
    if gone := sum(concerns(result) for result in earlier.values()):
        left_out[GONE] = gone
    return Pairing(tuple(pairs), dict(left_out), decided_before, decided_after)


def _against(before: Result, after: Result) -> str | None:
    """Why two results with the same id cannot be compared. Records before 1.4 have no digest: compare sources."""
    has_digests = before.content and after.content
    if before.content != after.content if has_digests else before.source != after.source:
        return CHANGED
    outcomes = (before.verdict.outcome, after.verdict.outcome)
    if Outcome.ERROR in outcomes:
        return ERROR
    return None if _decided(before) and _decided(after) else UNDECIDED


def _decided(result: Result) -> bool:
    return result.verdict.outcome in _DECIDED


def _right(result: Result) -> bool:
    return result.verdict.outcome is Outcome.CORRECT


def _evidence(result: Result) -> list[tuple[str, str, float]]:
    return [(item.side, item.text, item.offset) for item in result.verdict.evidence]
