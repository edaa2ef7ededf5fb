"""The answers of an evaluator as columns, and the numbers over them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtprobe.methods.audit_pairs.questions import KnownTarget
from mtprobe.statistics.clustered import Ratio, mean_of, share
from mtprobe.statistics.intervals import Floats
from mtprobe.statistics.measure import Estimated, Measure

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Answers:
    """One row per question: by how much the scores support the reading, and whether they should."""

    readings: tuple[str, ...]
    reading: NDArray[np.intp]
    expected: Mask
    difference: Floats  # score with the reading's cues minus score with the others'
    target: NDArray[np.intp]
    cluster: NDArray[np.intp]  # of each target
    half: NDArray[np.intp]  # of each target, 0 or 1

    @property
    def n(self) -> int:
        return len(self.cluster)

    def accuracy(self, level: float = 0.95) -> Measure:
        """The share of targets judged right with the scores as they are. A tie decides nothing, so it is wrong."""
        return self.estimate(calibrated=False).at(level)

    def calibrated_accuracy(self, level: float = 0.95) -> Measure:
        """The same with offsets subtracted; each half is judged with the offsets of the other half."""
        return self.estimate(calibrated=True).at(level)

    def estimate(self, *, calibrated: bool) -> Estimated:
        """One of these two at any level."""
        if calibrated:
            return self._calibrated()
        return self._share(self._right(np.zeros(len(self.readings))))

    def _calibrated(self) -> Estimated:
        right = np.zeros(self.n, dtype=bool)
        for half in (0, 1):
            offsets = self._offsets(self.half != half)
            if np.isnan(offsets).any():
                return Estimated.nothing("too few words to estimate an offset on one half of them")
            here = self.half == half
            right[here] = self._right(offsets)[here]
        return self._share(right)

    def offsets(self, level: float = 0.95) -> list[Measure]:
        """For each reading, halfway between the mean difference of its targets and that of the others."""
        return [self._offset(number, level) for number in range(len(self.readings))]

    def auc(self, level: float = 0.95) -> Measure:
        """How often a target of a reading scores higher for it than one of another reading; over all readings."""
        values, influences = [], np.zeros(self._clusters)
        for number in range(len(self.readings)):
            yes, no = self._sides(number)
            if not yes.any() or not no.any():
                return Measure.nothing(f"no two readings to compare for {self.readings[number]}")
            above, below = _placements(self.difference[yes], self.difference[no])
            values.append(float(above.mean()))
            influences += self._by_cluster(yes, (above - above.mean()) / yes.sum())
            influences += self._by_cluster(no, (below - below.mean()) / no.sum())
        weights = np.bincount(self.cluster).astype(np.float64)
        area = share(float(np.mean(values)), influences / len(values), weights, self.n)
        return Estimated(area, self.n).at(level)

    @property
    def _clusters(self) -> int:
        return int(self.cluster.max()) + 1 if self.n else 0

    def _sides(self, number: int) -> tuple[Mask, Mask]:
        """The rows that ask about a reading: of targets that have it, and of those that do not."""
        asked = self.reading == number
        return asked & self.expected, asked & ~self.expected

    def _by_cluster(self, rows: Mask, values: Floats) -> Floats:
        clusters = self.cluster[self.target[rows]]
        return np.bincount(clusters, weights=values, minlength=self._clusters).astype(np.float64)

    def _offsets(self, targets: Mask) -> Floats:
        """Halfway marks over some of the targets; NaN where a side is missing."""
        marks = np.full(len(self.readings), np.nan)
        for number in range(len(self.readings)):
            yes, no = (side & targets[self.target] for side in self._sides(number))
            if yes.any() and no.any():
                marks[number] = (self.difference[yes].mean() + self.difference[no].mean()) / 2
        return marks

    def _offset(self, number: int, level: float) -> Measure:
        yes, no = self._sides(number)
        if not yes.any() or not no.any():
            return Measure.nothing("no two readings to compare")
        influences = np.zeros(self._clusters)
        for side in (yes, no):
            values = self.difference[side]
            influences += self._by_cluster(side, (values - values.mean()) / (2 * len(values)))
        value = float(self.difference[yes].mean() + self.difference[no].mean()) / 2
        if self._clusters < 2:
            return Measure(value, value, value, self.n, "all words belong to one cluster")
        return Estimated(mean_of(value, influences), self.n).at(level)

    def _right(self, offsets: Floats) -> Mask:
        """Whether every question about a target is answered right."""
        margin = self.difference - offsets[self.reading]
        wrong = np.where(self.expected, margin <= 0, margin >= 0)
        mistakes = np.zeros(self.n, dtype=np.intp)
        np.add.at(mistakes, self.target, wrong)
        return np.asarray(mistakes == 0)

    def _share(self, right: Mask) -> Estimated:
        if not self.n:
            return Estimated.nothing()
        count = np.bincount(self.cluster).astype(np.float64)
        hits = np.bincount(self.cluster, weights=right).astype(np.float64)
        return Estimated(Ratio(hits, count).share, self.n)


def answers(targets: Sequence[KnownTarget], differences: Sequence[Sequence[float]]) -> Answers:
    """Columns of the targets and of their questions' differences."""
    rows = [
        (number, question, difference)
        for number, (target, found) in enumerate(zip(targets, differences, strict=True))
        for question, difference in zip(target.questions, found, strict=True)
    ]
    readings = tuple(dict.fromkeys(question.reading for _, question, _ in rows))
    names, cluster = np.unique([target.cluster for target in targets], return_inverse=True)
    return Answers(
        readings=readings,
        reading=np.array([readings.index(question.reading) for _, question, _ in rows], dtype=np.intp),
        expected=np.array([question.expected for _, question, _ in rows], dtype=bool),
        difference=np.array([difference for _, _, difference in rows], dtype=np.float64),
        target=np.array([number for number, _, _ in rows], dtype=np.intp),
        cluster=cluster,
        half=halves([str(name) for name in names])[cluster],
    )


def halves(clusters: Sequence[str]) -> NDArray[np.intp]:
    """0 or 1 for each cluster: equally many, by a hash of its name, so that their order does not matter."""

    def rank(name: str) -> bytes:
        return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()

    ranked = sorted(clusters, key=rank)
    first = {*ranked[: len(ranked) // 2]}
    return np.array([0 if name in first else 1 for name in clusters], dtype=np.intp)


def _placements(yes: Floats, no: Floats) -> tuple[Floats, Floats]:
    """For each value, the share of the other side that it beats (for the second side: that beats it); ties count half."""
    sorted_no, sorted_yes = np.sort(no), np.sort(yes)
    above = (np.searchsorted(sorted_no, yes, "left") + np.searchsorted(sorted_no, yes, "right")) / (
        2 * len(no)
    )
    below = 1 - (np.searchsorted(sorted_yes, no, "left") + np.searchsorted(sorted_yes, no, "right")) / (
        2 * len(yes)
    )
    return above, below
