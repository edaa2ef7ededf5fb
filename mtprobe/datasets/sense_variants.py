"""MuCoW's scoring suite (Raganato et al., 2019) and ContraWSD (Rios et al., 2017): the same layout.

A reference must be strictly better than all of its variants.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field

from mtprobe.datasets.contrastive import contrastive_preset, contrastive_sample
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, Reading, fingerprint, with_copies
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.format.fields import is_count
from mtprobe.suite.format.public import ContraWSD, MuCoWScoring
from mtprobe.suite.parsing.lines import checked, json_items
from mtprobe.suite.samples.build import slug

_FREQUENCY = "frequency of sense/ambig word"  # in wmt16, in europarl-v7 and nc11 …


class _Error(BaseModel):
    contrastive: str


class _Sentence(BaseModel):
    source: str
    reference: str
    word: str = Field(alias="ambig word")
    sense: str
    origin: str | None = None
    errors: list[_Error]


def read(data: MuCoWScoring | ContraWSD, reading: Reading) -> Iterator[Item]:
    """Each sentence with all of its variants, at the line where it begins."""
    yield from with_copies(_read(data, reading))


def _read(data: MuCoWScoring | ContraWSD, reading: Reading) -> Iterator[Item]:
    target = reading.target(data.target)
    for place, item in json_items(reading.find("file", data.file)):
        try:
            sentence = checked(_Sentence, item, place)
            variants = [error.contrastive for error in sentence.errors]
            frequency, share = _frequency(item, place)
            yield (
                place,
                contrastive_sample(
                    data,
                    place,
                    id=f"{slug(sentence.word)}/{fingerprint(sentence.source, sentence.reference, *variants)}",
                    source=sentence.source,
                    target=target,
                    correct=sentence.reference,
                    incorrect=variants,
                    attributes={
                        "origin": "human",
                        "word": sentence.word,
                        "sense": f"{sentence.word}:{sentence.sense}",
                        "corpus": sentence.origin,
                        "frequency": frequency,
                        "share": share,
                    },
                ),
            )
        except SuiteError as problem:
            yield place, problem


def _frequency(item: dict[str, Any], place: Place) -> tuple[int | None, float | None]:
    """How often the word has this sense in training data, and how often among all its senses: `12/340`."""
    text = next((value for key, value in item.items() if key.startswith(_FREQUENCY)), None)
    if text is None:
        return None, None
    sense, _, word = (part.strip() for part in str(text).partition("/"))
    if not (is_count(sense) and is_count(word) and int(word)):
        raise SuiteError.at(place, f'{_FREQUENCY}: "{text}" is not like 12/340')
    return int(sense), int(sense) / int(word)


def preset(data: MuCoWScoring | ContraWSD) -> Preset:
    return contrastive_preset(
        data,
        data.format,
        "Does the model score a reference above the same text with another sense of a word?",
        source="de",
        cluster="word",
        ties="incorrect",
    )
