"""The noise floor: how far scores differ when the reading does not.

A cue that the translation does not contain costs probability, and each word costs a different amount. That difference
is there for words that settle nothing, too, so a margin that is no larger says nothing about the reading. It is
measured on a fixed set of samples, in the way in which the suite is scored:

- where cues are inserted next to the focus, with placebo words in their place (placebos.py);
- where some of them replace it, or where whole sources are given, from the spread between the texts of one side.

The floor is a quantile of these differences, each between as many texts as a side has and as many others, pooled as
the suite pools them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from mtprobe.methods.conditioning.placebos import placebo_cues, placebos_for
from mtprobe.methods.scored import Pooling, pooled
from mtprobe.methods.verdict import Evidence
from mtprobe.suite.sample import Sample, Suite
from mtprobe.suite.samples.focus import cue_replaces_focus, insert_cue

# Of the differences. A placebo is a content word, and leaving it untranslated costs more than leaving a real cue does: most of
# its differences exceed margins of right verdicts. The quartile was chosen on one half of the words (docs/explanation/statistics.md).
_QUANTILE = 0.25
_MOST, _LEAST = 60, 20  # samples
_COST = 0.15  # of a suite's scores: placebos are scored on fewer samples where they would cost more
_FEWEST_PLACEBOS = 4  # per sample, so that a sample gives more than one difference

NoiseSource: TypeAlias = Literal["placebos", "synonyms", "suite"]


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The margin that a verdict must exceed."""

    margin: float | None  # nats per token; null if it could not be measured, so no verdict is possible
    source: NoiseSource  # placebos, synonyms (of one side), or suite (a number given there)
    samples: int = 0  # number of samples that it was measured on
    problem: str = ""  # why it could not be measured

    def __str__(self) -> str:
        if self.margin is None:
            return f"noise floor unknown ({self.problem})"
        return f"noise floor {self.margin:.4f} nats per token ({self.origin})"

    @property
    def reason(self) -> str:
        """Why a verdict is withheld."""
        if self.margin is None:
            return str(self)
        more = {
            "placebos": "the difference caused by a placebo word",
            "synonyms": "the difference between cues of the same side",
            "suite": f"the {self.margin:g} nats per token that the suite asks for",
        }
        return f"the two sides differ by less than {more[self.source]}"

    @property
    def asked(self) -> str:
        """The suite's setting: `auto`, or a number."""
        return f"{self.margin:g}" if self.source == "suite" else "auto"

    @property
    def origin(self) -> str:
        """`placebo words on 60 samples`."""
        if self.source == "suite":
            return "given in the suite"
        what = "placebo words" if self.source == "placebos" else "texts of one side"
        return f"{what} on {self.samples} sample{'s' * (self.samples != 1)}"


def noise_source(sample: Sample) -> NoiseSource:
    """The source of noise measurements for a sample's scores."""
    inserted = sample.sources is None and not cue_replaces_focus(sample)
    return "placebos" if inserted else "synonyms"


def noise_samples(suite: Suite) -> dict[NoiseSource, list[Sample]]:
    """The samples that the noise is measured on: a fixed set, those with the smallest hash."""
    judged = [sample for sample in suite.samples if _sizes(sample)]
    ranked = sorted(judged, key=suite.rank)
    placebos = [sample for sample in ranked if noise_source(sample) == "placebos"]
    synonyms = [sample for sample in ranked if noise_source(sample) == "synonyms" and max(_sizes(sample)) > 1]
    scores = sum(sum(_sizes(sample)) for sample in judged)
    cost = max((_placebos_of(sample) for sample in placebos), default=1)
    affordable = max(_LEAST, min(_MOST, int(_COST * scores / cost)))
    sets: dict[NoiseSource, list[Sample]] = {"placebos": placebos[:affordable], "synonyms": synonyms[:_MOST]}
    return {source: samples for source, samples in sets.items() if samples}


def cannot_measure(suite: Suite) -> str | None:
    """Why the noise of a suite's scores cannot be measured, or None."""
    sources = {noise_source(sample) for sample in suite.samples if _sizes(sample)}
    if "placebos" in sources and placebos_for(suite.source) is None:
        return f"there are no placebo words for sources in {suite.source}"
    if "synonyms" in sources and "synonyms" not in noise_samples(suite):
        return "no sample has two cues or sources on one side, whose spread would show it"
    return None


def noise_floor(
    source: NoiseSource,
    scored: Sequence[tuple[Sample, Sequence[Evidence]]],
    problem: str,
    pooling: Pooling = "best",
) -> NoiseFloor:
    """From the scores of the samples that could be scored; `problem` says why there are none."""
    differences = [
        found
        for sample, evidence in scored
        if (found := list(_differences(sample, evidence, source, pooling)))
    ]
    if not differences:
        return NoiseFloor(None, source, problem=problem)
    return NoiseFloor(quantile(differences, _QUANTILE), source, len(differences))


def quantile(groups: Sequence[Sequence[float]], share: float) -> float:
    """The value that this share of the numbers does not exceed; every group weighs the same."""
    values = np.concatenate([np.abs(group) for group in groups])
    weights = np.concatenate([np.full(len(group), 1 / len(group)) for group in groups])
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    place = int(np.searchsorted(reached, share - 1e-12))
    return float(values[order][min(place, len(values) - 1)])


def _sizes(sample: Sample) -> tuple[int, ...]:
    """How many texts each side of a sample has; none if it has no evidence."""
    evidence = sample.sources if sample.sources is not None else sample.cues
    return tuple(map(len, evidence.sides.values())) if evidence is not None else ()


def _placebos_of(sample: Sample) -> int:
    return max(_FEWEST_PLACEBOS, sum(_sizes(sample)[:2]))


def placebo_sources(sample: Sample, language: str) -> list[str]:
    """Sources with words that settle nothing where the sample's cues would be."""
    words = placebos_for(language)
    if words is None or sample.cues is None or sample.focus is None:
        return []
    cues = placebo_cues([cue for side in sample.cues.sides.values() for cue in side], words)
    return [insert_cue(sample.source, sample.focus, cue, language) for cue in cues[: _placebos_of(sample)]]


def _differences(
    sample: Sample, evidence: Sequence[Evidence], source: NoiseSource, pooling: Pooling
) -> Iterator[float]:
    """Pooled differences between as many scores as one side has and as many others, over all such sets."""
    scores = _placebo_scores(evidence) if source == "placebos" else _deviations(evidence)
    one, other = _fitting(_sizes(sample), len(scores))
    for first in combinations(range(len(scores)), one):
        rest = [place for place in range(len(scores)) if place not in first]
        for second in combinations(rest, other):
            one_side, other_side = ([scores[place] for place in side] for side in (first, second))
            yield pooled(one_side, pooling) - pooled(other_side, pooling)


def _placebo_scores(evidence: Sequence[Evidence]) -> list[float]:
    return [item.score for item in evidence if item.score is not None]


def _deviations(evidence: Sequence[Evidence]) -> list[float]:
    """The deviation of each score from the mean of its side; scaled, because a mean of few scores is close to each of them."""
    deviations = []
    for side in dict.fromkeys(item.side for item in evidence):
        scores = [item.score for item in evidence if item.side == side and item.score is not None]
        if len(scores) > 1:
            mean, scale = math.fsum(scores) / len(scores), math.sqrt(len(scores) / (len(scores) - 1))
            deviations += [scale * (score - mean) for score in scores]
    return deviations


def _fitting(sizes: Sequence[int], available: int) -> tuple[int, int]:
    """The sizes of the first two sides, made smaller until there are as many scores."""
    one, other = sizes[0], sizes[1]
    while one + other > available and one + other > 2:
        one, other = (one - 1, other) if one >= other else (one, other - 1)
    return one, other
