"""Matches the samples of two runs by id and content.

A sample that was translated repeatedly is compared by the share of its decided translations that are correct, so the two
runs need not have as many repeats. It counts as correct where more than half of them are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mtprobe.methods.verdict import ALIGNED, Outcome, Result
from mtprobe.metrics.metric import sureness
from mtprobe.statistics.intervals import Floats
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
_FINEST = 1000  # parts of a sample; an exact test takes time for each


@dataclass(frozen=True, slots=True)
class Pair:
    """One sample in two runs, decided in both: its decided translations, one unless the run repeats."""

    earlier: tuple[Result, ...]
    later: tuple[Result, ...]

    @property
    def before(self) -> Result:
        """The result of the earlier run; of several the first that agrees with most of them."""
        return _typical(self.earlier)

    @property
    def after(self) -> Result:
        return _typical(self.later)

    @property
    def regressed(self) -> bool:
        return _mostly_right(self.earlier) and not _mostly_right(self.later)

    @property
    def fixed(self) -> bool:
        return _mostly_right(self.later) and not _mostly_right(self.earlier)

    @property
    def identical(self) -> bool:
        """The same translations, compared with the same texts and offsets: the same judge gives the same verdicts."""
        return len(self.earlier) == len(self.later) and all(map(_identical, self.earlier, self.later))


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
                    f"({len(self.pairs) / decided:.0%}; at least {ENOUGH:.0%} is required)"
                )
        return ""

    @property
    def identical(self) -> bool:
        """All pairs are: one judge cannot tell the two runs apart."""
        return bool(self.pairs) and all(pair.identical for pair in self.pairs)

    @property
    def before(self) -> Floats:
        """How far each was correct in the earlier run: the share of its translations."""
        return np.array([_share_right(pair.earlier) for pair in self.pairs], dtype=np.float64)

    @property
    def after(self) -> Floats:
        return np.array([_share_right(pair.later) for pair in self.pairs], dtype=np.float64)

    @property
    def counts(self) -> PairedCounts:
        return counts_of(self.before, self.after)

    @property
    def parts(self) -> int:
        """Into how many parts of a sample shares can be divided, if all translations are decided."""
        earlier = max((result.repeat for pair in self.pairs for result in pair.earlier), default=0)
        later = max((result.repeat for pair in self.pairs for result in pair.later), default=0)
        return min(math.lcm(earlier or 1, later or 1), _FINEST)

    @property
    def clusters(self) -> list[str]:
        return [pair.after.cluster for pair in self.pairs]

    @property
    def test(self) -> PairedTest:
        """Were flips of both kinds equally likely?"""
        return paired_test(self.before, self.after, self.clusters, self.parts)

    @property
    def regressed(self) -> tuple[Pair, ...]:
        """Samples that regressed; the most confident mistakes first."""
        regressed = (pair for pair in self.pairs if pair.regressed)
        return tuple(sorted(regressed, key=lambda pair: sureness(pair.after)))

    @property
    def fixed(self) -> tuple[Pair, ...]:
        """Samples that were fixed."""
        return tuple(pair for pair in self.pairs if pair.fixed)

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
    """Pairs the samples that `concerns` accepts. Open samples, to which no answer is right, and controls are ignored."""
    earlier, later = _by_id(before), _by_id(after)
    pairs: list[Pair] = []
    left_out: Counter[str] = Counter()
    decided_before = decided_after = 0
    for id_, results in later.items():
        others = earlier.pop(id_, None)
        if not concerns(results[0]):
            continue
        reason = NEW if others is None else _against(others, results)
        decided_after += any(map(_decided, results))
        decided_before += others is not None and reason != CHANGED and any(map(_decided, others))
        if reason is not None:
            left_out[reason] += 1
        elif others is not None:
            pairs.append(Pair(tuple(filter(_decided, others)), tuple(filter(_decided, results))))
    if gone := sum(concerns(results[0]) for results in earlier.values()):
        left_out[GONE] = gone
    return Pairing(tuple(pairs), dict(left_out), decided_before, decided_after)


def _by_id(results: Iterable[Result]) -> dict[str, list[Result]]:
    by_id: dict[str, list[Result]] = {}
    for result in results:
        if not result.choices and not result.is_control:
            by_id.setdefault(result.id, []).append(result)
    return by_id


def _against(before: Sequence[Result], after: Sequence[Result]) -> str | None:
    """Why two samples with the same id cannot be compared. Records before 1.4 have no digest: compare sources."""
    has_digests = before[0].content and after[0].content
    if before[0].content != after[0].content if has_digests else before[0].source != after[0].source:
        return CHANGED
    if any(result.verdict.outcome is Outcome.ERROR for result in (*before, *after)):
        return ERROR
    return None if any(map(_decided, before)) and any(map(_decided, after)) else UNDECIDED


def _decided(result: Result) -> bool:
    return result.verdict.outcome in _DECIDED


def _right(result: Result) -> bool:
    return result.verdict.outcome is Outcome.CORRECT


def _share_right(results: Sequence[Result]) -> float:
    return sum(map(_right, results)) / len(results)


def _mostly_right(results: Sequence[Result]) -> bool:
    return _share_right(results) > 0.5


def _typical(results: Sequence[Result]) -> Result:
    mostly = _mostly_right(results)
    return next(result for result in results if _right(result) == mostly)


def _identical(one: Result, other: Result) -> bool:
    return (
        one.translation == other.translation
        and one.verdict.outcome is other.verdict.outcome
        and _evidence(one) == _evidence(other)
    )


def _evidence(result: Result) -> list[tuple[str, str, float]]:
    """The evidence for the translation. Which of its words are aligned depends on the other samples of the run."""
    items = result.verdict.evidence
    return [(item.side, item.text, item.offset) for item in items if item.side != ALIGNED]
