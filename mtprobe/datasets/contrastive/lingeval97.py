"""LingEval97 (Sennrich, 2017): every error of a reference is a pair of its own. A tie is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import BaseModel

from mtprobe.datasets.contrastive.family import (
    CONTRASTIVE,
    NO_VARIANTS,
    Contrasted,
    Contrastive,
    contrastive_preset,
    contrastive_sample,
)
from mtprobe.datasets.format import Format
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import fingerprint, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import checked, json_items


class LingEval97(Contrastive):
    """LingEval97: references with one error inserted; every error is a sample."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "type", "sentence", "distance", "frequency")

    format: Literal["lingeval97"]
    """A JSON array of sentences with their `errors`."""
    file: Text
    """`lingeval97.json`."""


class _Error(BaseModel):
    type: str
    contrastive: str
    distance: int | None = None
    frequency: int | None = None


class _Sentence(BaseModel):
    source: str
    reference: str
    origin: str
    errors: list[_Error]


@with_copies
def read(data: LingEval97, reading: Reading) -> Iterator[Item]:
    """Each error's pair, at the line where its sentence begins."""
    target = reading.target(data.target)
    for place, value in json_items(reading.find("file", data.file)):
        try:
            sentence = checked(_Sentence, value, place)
            if not sentence.errors:
                yield place, NO_VARIANTS
            for error in sentence.errors:
                yield place, contrastive_sample(_pair(sentence, error), data, target, place)
        except SuiteError as problem:
            yield place, problem


def _pair(sentence: _Sentence, error: _Error) -> Contrasted:
    return Contrasted(
        id=f"{sentence.origin}/{error.type}/{fingerprint(error.contrastive)}",
        source=sentence.source,
        correct=sentence.reference,
        incorrect=[error.contrastive],
        attributes={
            "origin": "human",
            "type": error.type,
            "sentence": sentence.origin,
            "distance": error.distance,
            "frequency": error.frequency,
        },
    )


def preset(data: LingEval97) -> Preset:
    return contrastive_preset(
        data,
        "lingeval97",
        "Does the model score a reference above the same text with one error inserted?",
        source="en",
        cluster="sentence",
        ties="incorrect",
    )


FORMAT = Format(
    name="lingeval97",
    heading="LingEval97",
    entry=LingEval97,
    read=read,
    preset=preset,
    family=CONTRASTIVE,
    guide="""\
Attributes: `type` of the error, `sentence` (test set and number), `distance`, `frequency`.
""",
)
