"""ContraPro (Müller et al., 2018): a reference must be strictly better than the same text with other pronouns.

The file has only the sentences themselves: models see them without the preceding context.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import AliasChoices, BaseModel, Field

from mtprobe.datasets.contrastive.family import (
    CONTRASTIVE,
    Contrasted,
    Contrastive,
    contrastive_preset,
    contrastive_sample,
)
from mtprobe.datasets.format import Format
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import fingerprint, samples_from, with_copies
from mtprobe.errors import Place
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import checked, json_items


class ContraPro(Contrastive):
    """ContraPro: a reference and variants of it with another pronoun. Sentences are read without their context."""

    KNOWN: ClassVar[tuple[str, ...]] = (
        "origin",
        "pronoun",
        "source_pronoun",
        "antecedent_distance",
        "intrasegmental",
    )

    format: Literal["contrapro"]
    """A JSON array of sentences with their `errors`; the reference must beat all of them."""
    file: Text
    """`contrapro.json`."""


class _Error(BaseModel):
    contrastive: str


class _Sentence(BaseModel):
    source: str = Field(validation_alias=AliasChoices("source", "src segment"))
    reference: str = Field(validation_alias=AliasChoices("reference", "ref segment"))
    source_pronoun: str = Field(alias="src pronoun")
    pronoun: str = Field(alias="ref pronoun")
    distance: int | None = Field(default=None, alias="ante distance")
    intrasegmental: bool | None = None
    errors: list[_Error]


@with_copies
def read(data: ContraPro, reading: Reading) -> Iterator[Item]:
    """Each sentence with all of its variants, at the line where it begins."""
    target = reading.target(data.target)

    def sample(value: Any, place: Place) -> SampleModel | Skipped:
        sentence = checked(_Sentence, value, place)
        variants = [error.contrastive for error in sentence.errors]
        pronoun = sentence.pronoun.lower()
        item = Contrasted(
            id=f"{pronoun}/{fingerprint(sentence.source, sentence.reference, *variants)}",
            source=sentence.source,
            correct=sentence.reference,
            incorrect=variants,
            attributes={
                "origin": "human",
                "pronoun": pronoun,
                "source_pronoun": sentence.source_pronoun.lower(),
                "antecedent_distance": sentence.distance,
                "intrasegmental": sentence.intrasegmental,
            },
        )
        return contrastive_sample(item, data, target, place)

    yield from samples_from(json_items(reading.find("file", data.file)), sample)


def preset(data: ContraPro) -> Preset:
    return contrastive_preset(
        data,
        "contrapro",
        "Does the model score a reference above the same text with a wrong pronoun?",
        source="en",
        cluster="pronoun",
        ties="incorrect",
        gaps=("pronoun",),
    )


FORMAT = Format(
    name="contrapro",
    heading="ContraPro",
    entry=ContraPro,
    read=read,
    preset=preset,
    family=CONTRASTIVE,
    guide="""\
Attributes: `pronoun`, `source_pronoun`, `antecedent_distance` (in sentences), `intrasegmental`.
""",
)
