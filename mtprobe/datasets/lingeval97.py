"""LingEval97 (Sennrich, 2017): every error of a reference is a pair of its own. A tie is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from mtprobe.datasets.contrastive import NO_VARIANTS, contrastive_preset, contrastive_sample
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, Reading, fingerprint, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.format.public import LingEval97
from mtprobe.suite.parsing.lines import checked, json_items


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


def read(data: LingEval97, reading: Reading) -> Iterator[Item]:
    """Each error's pair, at the line where its sentence begins."""
    yield from with_copies(_read(data, reading))


def _read(data: LingEval97, reading: Reading) -> Iterator[Item]:
    target = reading.target(data.target)
    for place, item in json_items(reading.find("file", data.file)):
        try:
            sentence = checked(_Sentence, item, place)
            if not sentence.errors:
                yield place, NO_VARIANTS
            for error in sentence.errors:
                yield (
                    place,
                    contrastive_sample(
                        data,
                        place,
                        id=f"{sentence.origin}/{error.type}/{fingerprint(error.contrastive)}",
                        source=sentence.source,
                        target=target,
                        correct=sentence.reference,
                        incorrect=[error.contrastive],
                        attributes={
                            "origin": "human",
                            "type": error.type,
                            "sentence": sentence.origin,
                            "distance": error.distance,
                            "frequency": error.frequency,
                        },
                    ),
                )
        except SuiteError as problem:
            yield place, problem


def preset(data: LingEval97) -> Preset:
    return contrastive_preset(
        data,
        "lingeval97",
        "Does the model score a reference above the same text with one error put in?",
        source="en",
        cluster="sentence",
        ties="incorrect",
    )
