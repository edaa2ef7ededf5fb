"""Offsets: a constant preference of an evaluator's scores for one reading, subtracted before scores are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mtprobe.errors import ModelError, SuiteError
from mtprobe.suite.sample import Sample, Suite

if TYPE_CHECKING:
    from mtprobe.methods.audit_pairs.measure import Audited

OWN = "correct"  # the reading that samples with cues of their own are judged for


def reading_of(sample: Sample, suite: Suite) -> str:
    """The reading that a sample is judged for: its category if the suite's cues serve it, else `OWN`."""
    category = sample.category or ""
    served = sample.sources is None and sample.cues is not None and suite.cues.get(category) == sample.cues
    return category if served else OWN


def readings_judged(suite: Suite) -> frozenset[str]:
    """The readings whose offsets are needed to judge the suite."""
    return frozenset(reading for sample in suite.samples for reading in _readings(sample, suite))


def offsets_of(sample: Sample, suite: Suite, offsets: Mapping[str, float]) -> dict[str, float]:
    """The offsets to subtract from the scores of each side.

    An offset lies between one reading and all others; two choices share it, half each.
    """
    if not offsets:
        return {}
    if sample.choices:
        return {choice: offsets[choice] / 2 for choice in _readings(sample, suite)}
    return {"correct": offsets[reading_of(sample, suite)]}


def cannot_calibrate(suite: Suite, target: str) -> str | None:
    """Why a suite that calibrates cannot be judged for this language, or None."""
    if not suite.options.get("calibrate") or suite.audit_for(target):
        return None
    return f"the suite calibrates its evaluator but has no audit pairs for {target}"


def offsets_from(audited: Audited | None, suite: Suite, target: str) -> dict[str, float]:
    """The offset of every reading that the suite is judged for, or an error at the suite's `calibrate`."""
    place = suite.place_of("calibrate")
    if audited is None:
        raise SuiteError.at(place, cannot_calibrate(suite, target) or "the evaluator was not audited")
    if audited.problem:
        raise ModelError(f"the evaluator could not be audited or calibrated: {audited.problem}")
    measured = {offset.reading: offset.measure.value for offset in audited.audit.offsets}
    offsets = {reading: value for reading, value in measured.items() if value is not None}
    for reading in sorted(readings_judged(suite) - offsets.keys()):
        whose = "samples with cues of their own" if reading == OWN else f'samples for the reading "{reading}"'
        raise SuiteError.at(place, f"calibrate: the audit pairs for {target} do not cover {whose}")
    return offsets


def _readings(sample: Sample, suite: Suite) -> tuple[str, ...]:
    if not sample.choices:
        return (reading_of(sample, suite),)
    return (
        sample.choices if reading_of(sample, suite) != OWN else ()
    )  # no audit pair covers a sample's own choices
