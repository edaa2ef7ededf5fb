"""What is asked of a suite of minimal pairs: for which word of the target, and which source words ought to count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mtprobe.engine.tokenizers.spans import Span
from mtprobe.methods.salience.outcome import Question
from mtprobe.methods.salience.words import alike, differences, differing
from mtprobe.suite.sample import Sample, Suite


def questions(suite: Suite, target: str) -> Iterator[Question]:
    """Of every sample with targets in the language, for the first words in which the right one differs."""
    triggers = _triggers(suite, target)
    for sample in suite.samples:
        contrast = sample.targets_in(target)
        found = differences(contrast.correct[0], contrast.incorrect[0]) if contrast else []
        if contrast is not None and found:
            yield Question(
                id=sample.id,
                source=sample.source,
                target=contrast.correct[0],
                word=found[0][0],
                wrong=contrast.incorrect[0],
                wrong_word=found[0][1],
                triggers=triggers.get(sample.id, ()),
                focus=sample.focus,
                cluster=sample.cluster,
            )


def _triggers(suite: Suite, target: str) -> dict[str, tuple[Span, ...]]:
    """As samples name them; else what tells the two sources of a schema apart. A schema is a cluster of two."""
    schemas: defaultdict[str, list[Sample]] = defaultdict(list)
    for sample in suite.samples:
        if sample.targets_in(target) is not None:
            schemas[sample.cluster].append(sample)
    found: dict[str, tuple[Span, ...]] = {}
    for samples in schemas.values():
        for number, sample in enumerate(samples):
            if sample.triggers:
                found[sample.id] = sample.triggers
            elif len(samples) == 2 and alike(sample.source, samples[1 - number].source):
                found[sample.id] = tuple(differing(sample.source, samples[1 - number].source))
    return found
