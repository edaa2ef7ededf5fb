"""Matches the samples of two runs by id, where their content is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics.metric import sureness
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Measure
from mtprobe.statistics.paired import PairedCounts, counts_of, loss, mcnemar

_DECIDED = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.DEGENERATE)

NEW = "only in the later run"
GONE = "only in the earlier run"
CHANGED = "with another source or other evidence"
UNDECIDED = "without a decision in one of the runs"
ERROR = "not judged in one of the runs"


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


@dataclass(frozen=True, slots=True)
class Pairing:
    """The samples that can be compared, in the later run's order, and how many cannot, by reason."""

    pairs: tuple[Pair, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

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
    def p(self) -> float:
        """McNemar's exact p, two-sided."""
        counts = self.counts
        return mcnemar(counts.broken, counts.mended)

    @property
    def broken(self) -> tuple[Pair, ...]:
        """Samples that regressed; the most confident mistakes first."""
        regressed = (pair for pair in self.pairs if pair.broken)
        return tuple(sorted(regressed, key=lambda pair: sureness(pair.after)))

    @property
    def mended(self) -> tuple[Pair, ...]:
        """Samples that were fixed."""
        return tuple(pair for pair in self.pairs if pair.mended)

    def loss(self, seed: int, level: float = 0.95) -> Measure:
        """Accuracy before minus accuracy after."""
        return loss(self.before, self.after, [pair.after.cluster for pair in self.pairs], seed, level)


def pair_up(
    before: Iterable[Result], after: Iterable[Result], concerns: Callable[[Result], bool] = lambda _: True
) -> Pairing:
    """Pairs the samples that `concerns` accepts. Open samples, to which no answer is right, are ignored."""
    earlier = {result.id: result for result in before if not result.choices}
    pairs: list[Pair] = []
    left_out: Counter[str] = Counter()
    for result in after:
        if result.choices:
            continue
        other = earlier.pop(result.id, None)
        if not concerns(result):
            continue
        reason = NEW if other is None else _against(other, result)
        if reason is not None:
            left_out[reason] += 1
        elif other is not None:
            pairs.append(Pair(other, result))
    if gone := sum(concerns(result) for result in earlier.values()):
        left_out[GONE] = gone
    return Pairing(tuple(pairs), dict(left_out))


def _against(before: Result, after: Result) -> str | None:
    """Why two results with the same id cannot be compared. Records before 1.4 have no digest: compare sources."""
    has_digests = before.content and after.content
    if before.content != after.content if has_digests else before.source != after.source:
        return CHANGED
    outcomes = (before.verdict.outcome, after.verdict.outcome)
    if Outcome.ERROR in outcomes:
        return ERROR
    return None if all(outcome in _DECIDED for outcome in outcomes) else UNDECIDED


def _right(result: Result) -> bool:
    return result.verdict.outcome is Outcome.CORRECT
