"""Splits samples by cluster: no schema, occupation or word is in both training and test data.

Each cluster is placed by a hash of its own name: adding samples or suites moves none, and a word that two suites share
is on the same side in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from mtprobe.backends import MtprobeError
from mtprobe.verbs import Sample, counted

from .example import rank


@dataclass(frozen=True, slots=True)
class Shares:
    """How much is held out, how much of the rest decides when to stop, and the seed of both."""

    hold_out: float
    dev: float
    seed: int

    def is_held_out(self, cluster: str) -> bool:
        return rank("held out", self.seed, cluster.casefold()) < self.hold_out

    def is_dev(self, cluster: str) -> bool:
        """Whether a cluster that is not held out is in the development part."""
        return rank("dev", self.seed, cluster.casefold()) < self.dev


@dataclass(frozen=True, slots=True)
class Split:
    """The samples of one suite."""

    train: tuple[Sample, ...]
    dev: tuple[Sample, ...]
    held_out: tuple[Sample, ...]


def split(samples: Iterable[Sample], shares: Shares) -> Split:
    parts: tuple[list[Sample], list[Sample], list[Sample]] = ([], [], [])
    for sample in samples:
        part = 2 if shares.is_held_out(sample.cluster) else int(shares.is_dev(sample.cluster))
        parts[part].append(sample)
    return Split(*map(tuple, parts))


def untrained(samples: Iterable[Sample], parts: Iterable[Split]) -> Split:
    """The part of a test-only suite that shares no cluster with the training and development parts."""
    seen = {sample.cluster.casefold() for part in parts for sample in (*part.train, *part.dev)}
    return Split((), (), tuple(sample for sample in samples if sample.cluster.casefold() not in seen))


def take(samples: Sequence[Sample], count: int | None, seed: int) -> tuple[Sample, ...]:
    """About `count` samples, in whole clusters: more samples include those of fewer."""
    if count is None:
        return tuple(samples)
    ordered = sorted(samples, key=lambda sample: (rank("take", seed, sample.cluster), sample.cluster))
    taken: list[Sample] = []
    for _, cluster in groupby(ordered, key=lambda sample: sample.cluster):
        if len(taken) >= count:
            break
        taken.extend(cluster)
    kept = {sample.id for sample in taken}
    return tuple(sample for sample in samples if sample.id in kept)


def check_parts(parts: Iterable[Split], shares: Shares) -> None:
    """An error if a part that was asked for is empty."""
    listed = tuple(parts)
    wanted = {
        "training": (True, [part.train for part in listed], "a smaller --hold-out"),
        "development": (shares.dev > 0, [part.dev for part in listed], "a larger --dev, or --dev 0 to train without early stopping"),
        "held-out": (shares.hold_out > 0, [part.held_out for part in listed], "a larger --hold-out"),
    }  # fmt: skip
    for name, (is_wanted, samples, remedy) in wanted.items():
        if is_wanted and not any(samples):
            raise MtprobeError(
                f"the {name} part of the split is empty: {counted(_clusters(listed), 'cluster')} in all, and no cluster is "
                f"divided; try {remedy}, or another --seed"
            )


def _clusters(parts: Iterable[Split]) -> int:
    return len({sample.cluster for part in parts for sample in (*part.train, *part.dev, *part.held_out)})
