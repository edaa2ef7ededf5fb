"""Questions from a suite of minimal pairs: which target word is explained, and which source words should matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mtprobe.engine.tokenizers.spans import Span
from mtprobe.methods.salience.outcome import SalienceQuestion
from mtprobe.methods.salience.words import differences, is_variant, unshared
from mtprobe.suite.sample import Sample, Suite


def questions(suite: Suite, target: str) -> Iterator[SalienceQuestion]:
    """One per sample with targets in the language, about the first words in which the correct one differs."""
    triggers = _triggers(suite, target)
    for sample in suite.samples:
        contrast = sample.targets_in(target)
        if contrast is None or not contrast.incorrect:
            continue
        differing = differences(contrast.correct[0], contrast.incorrect[0])
        if differing:
            yield SalienceQuestion(
                id=sample.id,
                source=sample.source,
                target=contrast.correct[0],
                word=differing[0][0],
                wrong=contrast.incorrect[0],
                wrong_word=differing[0][1],
                triggers=triggers.get(sample.id, ()),
                focus=sample.focus,
                cluster=sample.cluster,
            )


def _triggers(suite: Suite, target: str) -> dict[str, tuple[Span, ...]]:
    """Triggers named in samples; otherwise the words in which the two sources of a schema (a cluster of two) differ."""
    schemas: defaultdict[str, list[Sample]] = defaultdict(list)
    for sample in suite.samples:
        if sample.targets_in(target) is not None:
            schemas[sample.cluster].append(sample)
    triggers: dict[str, tuple[Span, ...]] = {}
    for samples in schemas.values():
        for number, sample in enumerate(samples):
            if sample.triggers:
                triggers[sample.id] = sample.triggers
            elif len(samples) == 2 and is_variant(sample.source, samples[1 - number].source):
                triggers[sample.id] = tuple(unshared(sample.source, samples[1 - number].source))
    return triggers
