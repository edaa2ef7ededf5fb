"""A human-readable view of a sample: its attributes, sentence, contrastive sources and other evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mtprobe.suite import Sample, Suite
from mtprobe.suite.sample import CONTROL, Variant
from mtprobe.suite.samples.focus import contrastive_sources


def lines_of(sample: Sample, suite: Suite) -> Iterator[str]:
    """Id and attributes, the sentence, then the evidence."""
    names = [sample.id, *([sample.category] if sample.category else [])]
    yield "  ".join([*names, *(f"{name}={value}" for name, value in sample.attributes.items())])
    yield from (f"  before: {text}" for text in sample.context)
    yield f"  {marked(sample)}"
    for label, texts in _evidence(sample, suite):
        for text in texts:
            yield f"    {label + ':':<10} {text}"
    for language, texts in (sample.references or {}).items():
        for text in texts:
            yield f"    reference {language}: {text}"
    for key, by_language in sample.word_lists.items():
        for language, words in by_language.items():
            yield f"    {key} {language}: {', '.join(words)}"
    for key, texts in (("preserve", sample.preserve), ("names", sample.names)):
        if texts:
            yield f"    {key + ':':<10} {', '.join(texts)}"
    if sample.relation:
        control = " (control)" if sample.attributes.get(CONTROL) else ""
        yield f"    {'relation:':<10} {sample.relation}{control}"
    for variant in sample.against:
        yield f"    {'against:':<10} {marked(variant)}"
    if sample.triggers:
        yield f"    triggers:  {', '.join(triggers(sample))}"


def _evidence(sample: Sample, suite: Suite) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Labels with their texts: the reading, and the language if it is not the source's."""
    if sources := contrastive_sources(sample, suite.source):
        yield from sources.sides.items()
    for language, contrast in (sample.targets or {}).items():
        yield from ((f"{side} {language}", texts) for side, texts in contrast.sides.items())
    for language, contrast in (sample.lemmas or {}).items():
        yield f"good {language}", contrast.correct
        yield f"bad {language}", tuple(map(_with_senses(contrast.senses), contrast.incorrect))


def _with_senses(senses: Mapping[str, tuple[str, ...]]) -> Callable[[str], str]:
    return lambda lemma: f"{lemma} ({', '.join(senses[lemma])})" if lemma in senses else lemma


def marked(sample: Sample | Variant, plain: Callable[[str], str] = str) -> str:
    """The source, or a further one, with its <focus>; `plain` is applied to the text between the marks."""
    source = sample.text if isinstance(sample, Variant) else sample.source
    if sample.focus is None:
        return plain(source)
    start, end = sample.focus
    before, focus, after = map(plain, (source[:start], source[start:end], source[end:]))
    return f"{before}<{focus}>{after}"


def triggers(sample: Sample) -> list[str]:
    return list(dict.fromkeys(sample.source[start:end] for start, end in sample.triggers))
