"""The results of a power analysis of a suite's gates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mtprobe.statistics.intervals import Interval, exact

CAUGHT = 0.8  # of the runs: the usual power

Start = Literal["model", "repaired"]


@dataclass(frozen=True, slots=True)
class Point:
    """The results of a gate in simulated runs at one rate."""

    rate: float
    runs: int
    failed: int
    undecided: int  # or not measurable: it did not pass, and it did not fail

    @property
    def caught(self) -> int:
        """Runs in which the gate did not pass, which is what pytest reports."""
        return self.failed + self.undecided

    def share(self, *, failed_only: bool = False) -> float:
        return (self.failed if failed_only else self.caught) / self.runs

    def interval(self, *, failed_only: bool = False) -> Interval:
        """95 %, exact; of a rate of 0 or 1 nothing is left to chance."""
        value = self.share(failed_only=failed_only)
        if self.rate in (0.0, 1.0):
            return value, value
        return exact(value * self.runs, self.runs, 0.95)


@dataclass(frozen=True, slots=True)
class SmallestRate:
    """The smallest rate that is caught in 80 % of the runs, with the interval that the number of runs allows."""

    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Needed:
    """How many samples would catch errors at a given rate."""

    rate: float
    samples: int | None  # None: not even the most that were tried
    tried: int  # the most that were tried
    hopeless: bool = False  # more samples do not help: at this rate the value is within the bound


@dataclass(frozen=True, slots=True)
class Catch:
    """One gate and one kind of error."""

    gate: str
    mutator: str
    group: str = ""  # the errors are in this group alone: of a gate that compares groups
    points: tuple[Point, ...] = ()  # by rate; none if no verdict changed that the gate counts
    smallest: SmallestRate | None = None  # None: never caught
    smallest_failed: SmallestRate | None = None  # the same where undecided does not count
    needed: Needed | None = None

    @property
    def most(self) -> float:
        """The highest share of runs in which the gate did not pass, at any rate."""
        return max((point.share() for point in self.points), default=0.0)


@dataclass(frozen=True, slots=True)
class GatePower:
    """A gate, and what it is simulated from."""

    key: str
    bound: str
    path: str
    line: int
    start: Start | None  # None: it is not simulated
    value: float | None = None  # without errors
    n: int = 0
    dropped: int = 0  # samples that it covers and that could not be repaired
    reason: str = ""  # why it is not simulated


@dataclass(frozen=True, slots=True)
class MutatorFacts:
    """The effect of a mutator on a suite's translations."""

    name: str
    null: bool
    applies: int  # samples with a mutant
    worse: int  # of those, verdicts that are no longer correct, or another choice
    changed: int  # verdicts that changed at all

    @property
    def changed_interval(self) -> Interval:
        return exact(self.changed, self.applies, 0.95) if self.applies else (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class SuitePower:
    """A suite on a model, judged by one method."""

    suite: str
    path: str
    model: str
    source: str
    target: str
    method: str
    samples: int
    runs: int
    seed: int
    scattered: bool
    gates: tuple[GatePower, ...]
    mutators: tuple[MutatorFacts, ...]
    catches: tuple[Catch, ...]
    repaired: int = 0
    dropped: int = 0  # wrong translations that could not be repaired
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.suite} · {self.model} · {self.source}→{self.target} · {self.method}"

    def of(self, gate: str) -> Iterator[Catch]:
        return (catch for catch in self.catches if catch.gate == gate)

    @property
    def errors(self) -> tuple[MutatorFacts, ...]:
        """The mutators that corrupt translations of this suite."""
        return tuple(facts for facts in self.mutators if not facts.null and facts.applies)

    @property
    def uncaught(self) -> tuple[MutatorFacts, ...]:
        """Errors that no gate catches at any rate."""
        caught = {catch.mutator for catch in self.catches if catch.smallest is not None}
        return tuple(facts for facts in self.errors if facts.name not in caught)

    @property
    def blind(self) -> tuple[GatePower, ...]:
        """Simulated gates that catch nothing at any rate."""
        catching = {catch.gate for catch in self.catches if catch.smallest is not None}
        return tuple(gate for gate in self.gates if gate.start is not None and gate.key not in catching)

    @property
    def false_alarms(self) -> tuple[Catch, ...]:
        """Gates that a change that must not matter keeps from passing in some runs."""
        nulls = {facts.name for facts in self.mutators if facts.null}
        return tuple(catch for catch in self.catches if catch.mutator in nulls and catch.most > 0)
