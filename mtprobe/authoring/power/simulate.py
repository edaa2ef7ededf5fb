"""Simulates runs: at a rate q, some translations are replaced by their mutants, and every gate is decided as in a real run.

Nothing is judged again: verdicts of translations and of mutants are known. A run draws a number between 0 and 1 for each
cluster, once, and at rate q the samples of clusters below q are mutated. So the mutants of a low rate are among those of
a higher one, and runs at different rates differ by nothing else.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mtprobe.authoring.power.outcome import Point
from mtprobe.gates import Decision, Doubts, Gate, GateResult, judge_gate
from mtprobe.methods.verdict import Result
from mtprobe.metrics import MetricContext, Tally, tally
from mtprobe.metrics.tally import mixed
from mtprobe.statistics.intervals import Floats, Mask
from mtprobe.suite.sample import Suite

_TRIED = 4  # runs in which a gate's number may show that mutants matter to it


@dataclass(frozen=True)
class Bench:
    """Decides the gates of a suite on results, as a run without baseline and labels does.

    The doubts of an audit are about the evaluator, not about translations: they are not among its doubts.
    """

    suite: Suite
    doubts: bool = True  # False: whatever speaks against the verdicts, the bound alone decides

    def tally(self, rows: Sequence[Result]) -> Tally:
        return tally(rows, self.suite.seed, self.suite.variants)

    def results(self, gates: Sequence[Gate], counts: Tally) -> list[GateResult]:
        context = MetricContext(counts, self.suite.answered)
        judged = [judge_gate(gate, context, estimates_n=False) for gate in gates]
        if not self.doubts:
            return judged
        doubts = Doubts(context)
        return [doubts.apply(gate, result) for gate, result in zip(gates, judged, strict=True)]

    def decisions(self, gates: Sequence[Gate], counts: Tally) -> tuple[Decision, ...]:
        return tuple(result.decision for result in self.results(gates, counts))


@dataclass(frozen=True, slots=True)
class Columns:
    """The samples of a suite in two states: as they are, and mutated."""

    mutator: str
    rows: tuple[Result, ...]
    mutated: tuple[Result | None, ...]  # None: the mutator does not apply
    group: str = ""  # only samples of this group are mutated

    @property
    def applies(self) -> Mask:
        return np.array([mutant is not None for mutant in self.mutated], dtype=bool)

    @property
    def changed(self) -> Mask:
        """Samples whose outcome or choice the mutation changes."""
        pairs = zip(self.rows, self.mutated, strict=True)
        return np.array([mutant is not None and differs(row, mutant) for row, mutant in pairs], dtype=bool)

    def within(self, group: str, mask: Mask) -> Columns:
        """Only the masked samples are mutated."""
        mutated = tuple(mutant if inside else None for mutant, inside in zip(self.mutated, mask, strict=True))
        return replace(self, mutated=mutated, group=group)


def differs(row: Result, mutant: Result) -> bool:
    """Whether the verdict is another one."""
    first, second = row.verdict, mutant.verdict
    return (first.outcome, first.choice) != (second.outcome, second.choice)


@dataclass
class Simulation:
    """Runs of one mutator on one suite; the draws depend on the seed, the suite and the mutator alone."""

    bench: Bench
    columns: Columns
    seed: int = 0
    scattered: bool = False  # every sample by itself, not clusters together
    _drawn: list[Floats] = field(default_factory=list)  # one row per run
    _known: dict[tuple[bytes, tuple[str, ...]], tuple[Decision, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [str(n) if self.scattered else row.cluster for n, row in enumerate(self.columns.rows)]
        _, self._clusters = np.unique(np.array(names), return_inverse=True)
        key = f"{self.bench.suite.name}\0{self.columns.mutator}\0{self.columns.group}"
        self._rng = np.random.default_rng([self.seed, zlib.crc32(key.encode("utf-8", "surrogatepass"))])
        self._applies = self.columns.applies
        self.before = self.bench.tally(self.columns.rows)
        self.after = self.bench.tally(
            [
                row if mutant is None else mutant
                for row, mutant in zip(self.columns.rows, self.columns.mutated, strict=True)
            ]
        )

    def at(self, rate: float, gates: Sequence[Gate], runs: int) -> list[Point]:
        """The results of each gate at this rate. The first runs are the same, however many there are."""
        if rate >= 1:
            runs = 1  # everything is mutated: all runs are the same
        keys = tuple(gate.key for gate in gates)
        decided = [self._decide(mask, gates, keys) for mask in self._masks(rate, runs)]
        return [_point(rate, [run[number] for run in decided]) for number in range(len(gates))]

    def affected(self, gates: Sequence[Gate]) -> list[Gate]:
        """The gates whose number some mutants change."""
        masks = [self._applies, *self._masks(0.5, _TRIED)]
        before, *after = (
            self.bench.results(gates, mixed(self.before, self.after, mask))
            for mask in (np.zeros_like(self._applies), *masks)
        )
        return [
            gate
            for number, gate in enumerate(gates)
            if any(results[number].measure != before[number].measure for results in after)
        ]

    def _masks(self, rate: float, runs: int) -> Iterable[Mask]:
        while len(self._drawn) < runs:
            self._drawn.append(self._rng.random(int(self._clusters.max()) + 1))
        for drawn in self._drawn[:runs]:
            mask: Mask = (drawn < rate)[self._clusters] & self._applies
            yield mask

    def _decide(self, mask: Mask, gates: Sequence[Gate], keys: tuple[str, ...]) -> tuple[Decision, ...]:
        known = (np.packbits(mask).tobytes(), keys)
        if known not in self._known:
            self._known[known] = self.bench.decisions(gates, mixed(self.before, self.after, mask))
        return self._known[known]


def _point(rate: float, decisions: Sequence[Decision]) -> Point:
    failed = sum(decision is Decision.FAILED for decision in decisions)
    passed = sum(decision is Decision.PASSED for decision in decisions)
    return Point(rate, len(decisions), failed, len(decisions) - passed - failed)
