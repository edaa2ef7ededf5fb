"""ContraPro (Müller et al., 2018): a reference must be strictly better than the same text with other pronouns.

Only the sentences themselves are in the file: models are asked without the context before them.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import AliasChoices, BaseModel, Field

from mtprobe.datasets.contrastive import contrastive_preset, contrastive_sample
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, Reading, fingerprint, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.format.public import ContraPro
from mtprobe.suite.parsing.lines import checked, json_items


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


def read(data: ContraPro, reading: Reading) -> Iterator[Item]:
    """Each sentence with all of its variants, at the line where it begins."""
    yield from with_copies(_read(data, reading))


def _read(data: ContraPro, reading: Reading) -> Iterator[Item]:
    target = reading.target(data.target)
    for place, item in json_items(reading.find("file", data.file)):
        try:
            sentence = checked(_Sentence, item, place)
            variants = [error.contrastive for error in sentence.errors]
            pronoun = sentence.pronoun.lower()
            yield (
                place,
                contrastive_sample(
                    data,
                    place,
                    id=f"{pronoun}/{fingerprint(sentence.source, sentence.reference, *variants)}",
                    source=sentence.source,
                    target=target,
                    correct=sentence.reference,
                    incorrect=variants,
                    attributes={
                        "origin": "human",
                        "pronoun": pronoun,
                        "source_pronoun": sentence.source_pronoun.lower(),
                        "antecedent_distance": sentence.distance,
                        "intrasegmental": sentence.intrasegmental,
                    },
                ),
            )
        except SuiteError as problem:
            yield place, problem


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
