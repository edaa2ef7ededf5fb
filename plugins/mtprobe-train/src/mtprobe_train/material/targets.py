"""Examples from the targets and references of samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.verbs import Sample, fits

from .example import Example


def examples_of(samples: Sequence[Sample], language: str) -> Iterator[Example]:
    """One for each correct target in the language; all incorrect targets of the sample are rejected ones."""
    for sample in samples:
        targets = sample.targets_in(language)
        texts = targets.correct if targets is not None else _references(sample, language)
        rejected = targets.incorrect if targets is not None else ()
        for number, text in enumerate(texts):
            yield Example(f"{sample.id}#{number}", sample.source, text, rejected)


def _references(sample: Sample, language: str) -> tuple[str, ...]:
    return next((texts for tag, texts in (sample.references or {}).items() if fits(tag, language)), ())


def without_targets(samples: Sequence[Sample], language: str) -> list[Sample]:
    return [sample for sample in samples if not any(True for _ in examples_of([sample], language))]
