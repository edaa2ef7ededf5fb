"""The keys of `samples`, for writing a sample to a suite or a data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from mtprobe.authoring.expansion import marked, triggers
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.sample import CONTROL, Choices, Contrast, Sample, SenseLemmas
from mtprobe.suite.samples.focus import escaped
from mtprobe.suite.samples.focus import marked as with_mark

# Fields that have keys of another shape, or none.
_SPECIAL = frozenset(
    ("id", "source", "focus", "category", "attributes", "cluster", "place", "cues", "sources", "targets")
) | frozenset(("lemmas", "senses", "references", "triggers", "context", "preserve", "names", "word_lists"))


def keys_of(
    sample: Sample, *, cues: Contrast | Choices | None = None, sources: Contrast | Choices | None = None
) -> dict[str, Any]:
    """All keys that have a value, the id and the source first; of its cues and contrastive sources only those given."""
    keys: dict[str, Any] = {
        "id": sample.id,
        "source": marked(sample, escaped),
        "context": list(sample.context),
        "category": sample.category,
        "attributes": {name: value for name, value in sample.attributes.items() if name != CONTROL},
        CONTROL: sample.is_control,
        "cues": _sides(cues, str),
        "sources": _sides(sources, escaped),
        "targets": {language: _targets(contrast) for language, contrast in (sample.targets or {}).items()},
        "lemmas": {language: _lemmas(lemmas) for language, lemmas in (sample.lemmas or {}).items()},
        "senses": _plain(sample.senses),
        "references": _plain(sample.references),
        **{key: _plain(words) for key, words in sample.word_lists.items()},
        "preserve": list(sample.preserve),
        "names": list(sample.names),
        "triggers": triggers(sample),
    }
    for field in fields(Sample):
        value = getattr(sample, field.name)
        default = None if field.default is MISSING else field.default
        if field.name not in _SPECIAL and field.name in SampleModel.model_fields and value != default:
            keys[field.name] = _plain(value)
    return {key: value for key, value in keys.items() if value}


def _sides(evidence: Contrast | Choices | None, written: Any) -> dict[str, list[str]]:
    if evidence is None:
        return {}
    return {side: [written(text) for text in texts] for side, texts in evidence.sides.items()}


def _targets(contrast: Contrast) -> dict[str, Any]:
    keys: dict[str, Any] = {"correct": list(contrast.correct)}
    keys |= {"incorrect": list(contrast.incorrect)} if contrast.incorrect else {"unopposed": True}
    variants = {
        name: {"correct": list(values.correct), "incorrect": list(values.incorrect)}
        for name, values in contrast.variants.items()
    }
    return {**keys, "variants": variants} if variants else keys


def _lemmas(lemmas: SenseLemmas) -> dict[str, Any]:
    keys: dict[str, Any] = {"good": list(lemmas.correct), "bad": list(lemmas.incorrect)}
    if lemmas.incorrect and all(lemma in lemmas.senses for lemma in lemmas.incorrect):
        keys["bad"] = _by_sense(lemmas.incorrect, lemmas)
    if lemmas.either:
        keys["either"] = list(lemmas.either)
    if also := _by_sense(lemmas.correct, lemmas):
        keys["also"] = also
    return keys


def _by_sense(of: tuple[str, ...], lemmas: SenseLemmas) -> dict[str, list[str]]:
    by_sense: dict[str, list[str]] = {}
    for lemma in of:
        for sense in lemmas.senses.get(lemma, ()):
            by_sense.setdefault(sense, []).append(lemma)
    return by_sense


def _plain(value: Any) -> Any:
    """The value for YAML and JSON; text with a focus is written with its mark."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if hasattr(value, "text") and hasattr(value, "focus"):
        return with_mark(value.text, value.focus) if value.focus else escaped(value.text)
    return value
