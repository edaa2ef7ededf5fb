"""Schemas → contrastive pairs, through every filter; both instances of a schema stay, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mtprobe.authoring.winograd.contrast import Variant, contrast
from mtprobe.authoring.winograd.english import positions, unfit
from mtprobe.authoring.winograd.schema import Instance
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Failure
from mtprobe.language import tags
from mtprobe.methods.degenerate import degenerate
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.samples.focus import escaped

NO_TRANSLATION = "the model gave no translation"
TWIN = "the schema's other instance was left out"


@dataclass(slots=True)
class Counts:
    """How many instances were read, kept, and left out by each filter."""

    read: int = 0
    kept: int = 0
    schemas: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Contrasted:
    """An instance with its translations, in the order of its options."""

    instance: Instance
    variants: tuple[Variant, Variant]


def make_samples(
    instances: Sequence[Instance],
    languages: LanguagePair,
    translate: Callable[[Sequence[str]], Mapping[str, str | Failure]],
    counts: Counts,
) -> Iterator[SampleModel]:
    """The samples in the order of the file."""
    counts.read += len(instances)
    fit = []
    for instance in instances:
        reason = unfit(instance)
        if reason is None:
            fit.append(instance)
        else:
            counts.left_out[reason] += 1
    fit = _with_twins(fit, _partners(instances), counts)
    translations = (
        translate([instance.filled(option) for instance in fit for option in (0, 1)]) if fit else {}
    )
    made: dict[str, Contrasted] = {}
    for instance in fit:
        found = _contrasted(instance, languages, translations)
        if isinstance(found, str):
            counts.left_out[found] += 1
        else:
            made[instance.id] = found
    kept = _with_twins([one.instance for one in made.values()], _partners(fit), counts)
    counts.kept += len(kept)
    counts.schemas += len({instance.schema for instance in kept})
    for instance in kept:
        yield _sample(made[instance.id], languages.target)


def _partners(instances: Sequence[Instance]) -> Counter[str]:
    return Counter(instance.schema for instance in instances)


def _with_twins(left: Sequence[Instance], before: Counter[str], counts: Counts) -> list[Instance]:
    """A schema of which one instance went goes as a whole, so that no answer is more frequent than the other."""
    now = _partners(left)
    whole = [instance for instance in left if now[instance.schema] == before[instance.schema]]
    if len(whole) < len(left):
        counts.left_out[TWIN] += len(left) - len(whole)
    return whole


def _contrasted(
    instance: Instance, languages: LanguagePair, translations: Mapping[str, str | Failure]
) -> Contrasted | str:
    texts = []
    for option in (0, 1):
        source = instance.filled(option)
        text = translations[source]
        if isinstance(text, Failure) or degenerate(source, text, languages) is not None:
            return NO_TRANSLATION
        texts.append(" ".join(text.split()))
    found = contrast(tags.standard(languages.target).split("-")[0], texts[0], texts[1])
    return found if isinstance(found, str) else Contrasted(instance, found)


def _sample(made: Contrasted, target: str) -> SampleModel:
    instance = made.instance
    right, wrong = instance.answer, 1 - instance.answer
    place = positions(instance)
    assert place is not None  # noqa: S101 - the filters have asked
    return SampleModel.model_validate(
        {
            "id": instance.id,
            "source": escaped(instance.source),
            "category": made.variants[right].gender,
            "attributes": {
                "schema": instance.schema,
                "antecedent": place[right],
                "line": instance.place.line,
            },
            "targets": {
                target: {
                    "correct": made.variants[right].text,
                    "incorrect": made.variants[wrong].text,
                    "variants": {
                        "gender": {
                            "correct": made.variants[right].gender,
                            "incorrect": made.variants[wrong].gender,
                        },
                        "antecedent": {"correct": place[right], "incorrect": place[wrong]},
                    },
                }
            },
        }
    )
