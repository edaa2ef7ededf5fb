"""Schemas → samples, through every filter; a schema keeps both instances or none.

A part of the test set says how two translations make a sample: with pronouns (`PRONOUNS`), for translation models, or
with a gap (`gap.GAPS`), for language models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mtprobe.authoring.winograd.contrast import Variant, contrast
from mtprobe.authoring.winograd.english import positions, unfit
from mtprobe.authoring.winograd.schema import Instance
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Failure
from mtprobe.language import tags
from mtprobe.methods.degenerate import degenerate
from mtprobe.suite.format.evidence import SampleModel

NO_TRANSLATION = "the model gave no translation"
TWIN = "the schema's other instance was skipped"


Contrasted = TypeVar("Contrasted")


@dataclass(frozen=True, slots=True)
class Part(Generic[Contrasted]):
    """How the translations with each option in the gap make a sample."""

    contrast: Callable[[str, str, str], Contrasted | str]  # of a language and two translations; text: why not
    sample: Callable[[Instance, Contrasted, str], SampleModel]  # in a language


@dataclass(slots=True)
class SchemaCounts:
    """How many instances were read, kept, and skipped by each filter."""

    read: int = 0
    kept: int = 0
    schemas: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


def make_samples(
    instances: Sequence[Instance],
    languages: LanguagePair,
    translate: Callable[[Sequence[str]], Mapping[str, str | Failure]],
    counts: SchemaCounts,
    part: Part[Contrasted],
) -> Iterator[SampleModel]:
    """The samples in the order of the file."""
    counts.read += len(instances)
    fit = []
    for instance in instances:
        reason = unfit(instance)
        if reason is None:
            fit.append(instance)
        else:
            counts.skipped[reason] += 1
    fit = _with_twins(fit, _partners(instances), counts)
    translations = (
        translate([instance.filled(option) for instance in fit for option in (0, 1)]) if fit else {}
    )
    contrasted: dict[str, Contrasted] = {}
    for instance in fit:
        outcome = _contrasted(instance, languages, translations, part)
        if isinstance(outcome, str):
            counts.skipped[outcome] += 1
        else:
            contrasted[instance.id] = outcome
    kept = _with_twins([instance for instance in fit if instance.id in contrasted], _partners(fit), counts)
    counts.kept += len(kept)
    counts.schemas += len({instance.schema for instance in kept})
    for instance in kept:
        yield part.sample(instance, contrasted[instance.id], languages.target)


def _partners(instances: Sequence[Instance]) -> Counter[str]:
    return Counter(instance.schema for instance in instances)


def _with_twins(remaining: Sequence[Instance], before: Counter[str], counts: SchemaCounts) -> list[Instance]:
    """Drops schemas that lost an instance, so that no answer is more frequent than the other."""
    now = _partners(remaining)
    complete = [instance for instance in remaining if now[instance.schema] == before[instance.schema]]
    if len(complete) < len(remaining):
        counts.skipped[TWIN] += len(remaining) - len(complete)
    return complete


def _contrasted(
    instance: Instance,
    languages: LanguagePair,
    translations: Mapping[str, str | Failure],
    part: Part[Contrasted],
) -> Contrasted | str:
    """The words in which the translations differ, or why they cannot be used."""
    texts = []
    for option in (0, 1):
        source = instance.filled(option)
        text = translations[source]
        if isinstance(text, Failure) or degenerate(source, text, languages) is not None:
            return NO_TRANSLATION
        texts.append(" ".join(text.split()))
    return part.contrast(tags.standard(languages.target).split("-")[0], texts[0], texts[1])


def antecedents(instance: Instance) -> tuple[int, int]:
    """Whether the right noun comes first (1) or second (2), and the wrong one."""
    place = positions(instance)
    assert place is not None  # noqa: S101 - the filters have checked it
    return place[instance.answer], place[1 - instance.answer]


def _sample(instance: Instance, variants: tuple[Variant, Variant], target: str) -> SampleModel:
    right, wrong = variants[instance.answer], variants[1 - instance.answer]
    antecedent, other = antecedents(instance)
    return SampleModel.model_validate(
        {
            "id": instance.id,
            "source": instance.marked,
            "category": right.gender,
            "attributes": {"schema": instance.schema, "antecedent": antecedent, "line": instance.place.line},
            "targets": {
                target: {
                    "correct": right.text,
                    "incorrect": wrong.text,
                    "variants": {
                        "gender": {"correct": right.gender, "incorrect": wrong.gender},
                        "antecedent": {"correct": antecedent, "incorrect": other},
                    },
                }
            },
        }
    )


PRONOUNS: Part[tuple[Variant, Variant]] = Part(contrast, _sample)
"""The translations differ in a pronoun: MT-Wino-X."""
