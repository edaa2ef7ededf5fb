"""Offsets: how much an evaluator's scores lean to a reading whatever the translation, taken off before they are compared."""

from __future__ import annotations

from collections.abc import Mapping

from mtprobe.suite.sample import Sample, Suite

OWN = "correct"  # the reading that samples with cues of their own are judged for


def reading_of(sample: Sample, suite: Suite) -> str:
    """The reading that a sample is judged for: its category where the suite's cues serve it, else `OWN`."""
    category = sample.category or ""
    served = sample.sources is None and sample.cues is not None and suite.cues.get(category) == sample.cues
    return category if served else OWN


def readings_judged(suite: Suite) -> frozenset[str]:
    """The readings whose offsets judging the suite takes."""
    return frozenset(reading for sample in suite.samples for reading in _readings(sample, suite))


def offsets_of(sample: Sample, suite: Suite, offsets: Mapping[str, float]) -> dict[str, float]:
    """What is taken off the scores of each side.

    An offset lies between a reading and all others; between two choices each bears half of it.
    """
    if not offsets:
        return {}
    if sample.choices:
        return {choice: offsets[choice] / 2 for choice in _readings(sample, suite)}
    return {"correct": offsets[reading_of(sample, suite)]}


def _readings(sample: Sample, suite: Suite) -> tuple[str, ...]:
    if not sample.choices:
        return (reading_of(sample, suite),)
    return sample.choices if reading_of(sample, suite) != OWN else ()  # choices of its own no pair speaks of
