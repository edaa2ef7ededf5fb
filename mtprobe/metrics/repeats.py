"""The variation between repeats: how much accuracy varies, and which samples change their verdicts."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mtprobe.methods.verdict import Result
from mtprobe.metrics.accuracy import accuracy
from mtprobe.metrics.tally import tally

_NAMED = 3  # flaky samples in one line


@dataclass(frozen=True, slots=True)
class Flaky:
    """A sample whose translations got different verdicts."""

    first: Result
    verdicts: Mapping[str, int] = field(
        hash=False
    )  # outcomes, or choices of an open sample, with their counts

    @property
    def id(self) -> str:
        return self.first.id

    @property
    def agreement(self) -> float:
        """The share of the most frequent verdict."""
        return max(self.verdicts.values()) / sum(self.verdicts.values())

    @property
    def described(self) -> str:
        """`suite.mt.yaml:14 doctor/her: correct 3/5, incorrect 2/5`."""
        return f"{self.first.path}:{self.first.line} {self.id}: {self}"

    def __str__(self) -> str:
        """`correct 3/5, incorrect 2/5`."""
        total = sum(self.verdicts.values())
        return ", ".join(f"{verdict} {count}/{total}" for verdict, count in self.verdicts.items())


@dataclass(frozen=True, slots=True)
class Repeats:
    """The repeats of a suite run."""

    count: int
    samples: int
    accuracies: tuple[float, ...]  # of each repeat by itself; none where no answer is right
    flaky: tuple[Flaky, ...]  # the most divided first

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the accuracies, with n − 1; None for fewer than two."""
        return statistics.stdev(self.accuracies) if len(self.accuracies) > 1 else None

    @property
    def lowest(self) -> float | None:
        return min(self.accuracies, default=None)

    @property
    def highest(self) -> float | None:
        return max(self.accuracies, default=None)

    def __str__(self) -> str:
        """`5 repeats: accuracy 0.68–0.73 by repeat, standard deviation 0.021; 6 of 40 samples are flaky`."""
        spread = f"{self.count} repeats"
        if self.deviation is not None:
            ends = f"{self.lowest:.2f}–{self.highest:.2f}"
            spread += f": accuracy {ends} by repeat, standard deviation {self.deviation:.3f}"
        if not self.flaky:
            return f"{spread}; all {self.samples:,} samples got the same verdict every time"
        return f"{spread}; {len(self.flaky):,} of {self.samples:,} samples are flaky"

    def lines(self, *, every: bool = False) -> Iterator[str]:
        """For the terminal: one line that names a few flaky samples, or one more for each of them."""
        if every or not self.flaky:
            yield str(self)
            yield from (f"  flaky: {sample.described}" for sample in self.flaky)
            return
        named = ", ".join(f"{sample.id} ({sample})" for sample in self.flaky[:_NAMED])
        more = f", and {len(self.flaky) - _NAMED:,} more" if len(self.flaky) > _NAMED else ""
        yield f"{self}: {named}{more}"


def repeats_of(results: Sequence[Result]) -> Repeats | None:
    """None where each sentence was translated once."""
    numbers = sorted({result.repeat for result in results if result.repeat})
    if not numbers:
        return None
    by_id: dict[str, list[Result]] = {}
    for result in results:
        by_id.setdefault(result.id, []).append(result)
    flaky = [Flaky(rows[0], verdicts) for rows in by_id.values() if len(verdicts := _verdicts(rows)) > 1]
    accuracies = (_accuracy([result for result in results if result.repeat == number]) for number in numbers)
    return Repeats(
        numbers[-1],
        len(by_id),
        tuple(value for value in accuracies if value is not None),
        tuple(sorted(flaky, key=lambda sample: (sample.agreement, sample.id))),
    )


def verdict_counts(results: Sequence[Result]) -> str:
    """The verdict on a sample, `correct`; on several translations of it, `correct 3/5, incorrect 2/5`."""
    verdicts = _verdicts(results)
    return str(Flaky(results[0], verdicts)) if results[0].repeat else next(iter(verdicts))


def _verdicts(results: Iterable[Result]) -> dict[str, int]:
    """The most frequent first."""
    return dict(
        Counter(result.verdict.choice or result.verdict.outcome.value for result in results).most_common()
    )


def _accuracy(results: Sequence[Result]) -> float | None:
    counted = tally([result for result in results if not result.choices])
    return accuracy(counted, np.ones(counted.n, dtype=bool)).value
