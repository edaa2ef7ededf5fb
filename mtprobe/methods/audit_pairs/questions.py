"""The questions of an audit: which readings do the scores of a target of known reading support?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mtprobe.methods.calibration import OWN, reading_of
from mtprobe.suite.sample import AuditPair, Choices, Contrast, Sample, Suite
from mtprobe.suite.samples.focus import contrastive_sources


@dataclass(frozen=True, slots=True)
class Question:
    """Does a target have this reading? Asked as contrastive conditioning asks about a translation."""

    reading: str
    expected: bool
    sources: Contrast


@dataclass(frozen=True, slots=True)
class KnownTarget:
    """A translation of known reading; judged right if every question about it is answered right."""

    text: str
    cluster: str
    questions: tuple[Question, ...]
    sample: Sample | None = None  # what it translates, with cues as in the questions


def known_targets(
    pairs: Sequence[AuditPair], suite: Suite, cues: Mapping[str, Contrast | Choices]
) -> list[KnownTarget]:
    """Every target of the pairs, with questions made from these cues by category, or from its sample's own."""
    return [
        KnownTarget(
            text, pair.sample.cluster, _questions(pair, reading, suite, cues), _judged(pair, suite, cues)
        )
        for pair in pairs
        for reading, texts in pair.targets.items()
        for text in texts
    ]


def _questions(
    pair: AuditPair, reading: str, suite: Suite, cues: Mapping[str, Contrast | Choices]
) -> tuple[Question, ...]:
    if pair.by_category:
        return tuple(
            Question(category, category == reading, _sources(replace(pair.sample, cues=contrast), suite))
            for category, contrast in cues.items()
            if isinstance(contrast, Contrast)  # no answer is right in an open category
        )
    asked, sample = reading_of(pair.sample, suite), _judged(pair, suite, cues)
    return (Question(asked, reading == "correct", _sources(sample, suite)),)


def _judged(pair: AuditPair, suite: Suite, cues: Mapping[str, Contrast | Choices]) -> Sample:
    """The sample with the cues of this form; for a pair by category, with those of one category."""
    if pair.by_category:
        return replace(pair.sample, cues=next(iter(cues.values()), None))
    asked = reading_of(pair.sample, suite)
    return pair.sample if asked == OWN else replace(pair.sample, cues=cues[asked])


def _sources(sample: Sample, suite: Suite) -> Contrast:
    sources = contrastive_sources(sample, suite.source)
    if not isinstance(sources, Contrast):  # the suite was checked when it was loaded
        raise TypeError(f"{sample.place}: an audit pair without contrastive sources")
    return sources
