"""Shared by all sets of contrastive translations: a source, one right target, wrong targets, attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from mtprobe.datasets.format import Family, read_guide
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import fingerprint
from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.data import Skipped
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Language, Name
from mtprobe.suite.parsing.lines import checked
from mtprobe.suite.sample import Scalar
from mtprobe.suite.samples.focus import escaped, marked

NO_VARIANTS = Skipped("it has no wrong variant")


class Contrastive(Data):
    """Translations of a sentence, one of which is right; the keys that all of these formats share."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin",)

    target: Language | None = None
    """The language of the translations; by default the suite's only target language."""
    category: Name | None = None
    """The attribute that becomes the samples' category; the suite declares its values in `categories`."""


CONTRASTIVE = Family(
    heading="Contrastive translations",
    entry=Contrastive,
    guide=read_guide("contrastive"),
)


@dataclass(frozen=True, slots=True)
class Contrasted:
    """A source with its targets."""

    id: str
    source: str
    correct: str
    incorrect: Sequence[str]
    attributes: Mapping[str, Scalar | None]  # None: the item does not have it
    variants: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    focus: tuple[int, int] | None = None  # of the source: the word that is asked about
    context: tuple[str, ...] = ()  # the sentences before the source

    def sample(self, data: Contrastive, target: str, place: Place) -> SampleModel:
        """The sample; the entry's `category` names the attribute that sets its category.

        Without a wrong variant it keeps its place in a file of scores and counts as right, as published figures count it.
        """
        attributes = {name: value for name, value in self.attributes.items() if value is not None}
        sides: dict[str, object] = {"correct": self.correct, "incorrect": list(self.incorrect)}
        if not self.incorrect:
            sides["unopposed"] = attributes["unopposed"] = True
        if self.variants:
            sides["variants"] = self.variants
        sample: dict[str, object] = {
            "id": self.id,
            "source": marked(self.source, self.focus) if self.focus else escaped(self.source),
            "attributes": attributes,
            "targets": {target: sides},
        }
        if self.context:
            sample["context"] = list(self.context)
        if data.category is not None:
            if data.category not in attributes:
                hint = did_you_mean(data.category, attributes)
                raise SuiteError.at(place, f'has no attribute "{data.category}" for its category{hint}')
            value = str(attributes[data.category])
            sample["category"] = re.sub(r"[^\w .-]+", "-", value).strip("-. ") or "none"  # a valid name
        return checked(SampleModel, sample, place)


def with_variants(
    group: str, source: str, reference: str, variants: Sequence[str], attributes: Mapping[str, Scalar | None]
) -> Contrasted:
    """A reference that must beat all of its variants."""
    return Contrasted(
        id=f"{group}/{fingerprint(source, reference, *variants)}",
        source=source,
        correct=reference,
        incorrect=variants,
        attributes={"origin": "human", **attributes},
    )


def parallel_texts(lines: Mapping[str, tuple[Place, str | SuiteError]]) -> dict[str, str]:
    """An item's lines in parallel files, none of them empty."""
    texts = {}
    for key, (place, line) in lines.items():
        if isinstance(line, SuiteError):
            raise line
        if not line.strip():
            raise SuiteError.at(place, "an empty line (`mtprobe import --keep-going` skips such lines)")
        texts[key] = line.strip()
    return texts


def contrastive_preset(
    data: Contrastive,
    *,
    about: str,
    cluster: str | None = None,
    source: str = "en",
    target: str | None = None,
    method: str = "minimal-pairs",
    ties: Literal["correct", "incorrect"] = "incorrect",
    gaps: Iterable[str] = (),
) -> Preset:
    """A suite of minimal pairs; gaps are between the values of an attribute. Without a cluster, samples are independent."""
    target = data.target or target
    gates = {"accuracy": ">= 0.80"}
    if data.category is not None:
        gates["minimum_accuracy"] = ">= 0.60"
    gates |= {f"gap[{attribute}]": "<= 0.20" for attribute in gaps}
    return Preset(
        name=f"{data.format}-{target}" if target else str(data.format),
        about=about,
        source=source,
        target=target,
        methods=(method,),
        cluster=cluster,
        ties=ties,
        gates=gates,
    )
