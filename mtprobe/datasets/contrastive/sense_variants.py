"""MuCoW's scoring suite (Raganato et al., 2019) and ContraWSD (Rios et al., 2017): the same layout.

A reference must be strictly better than all of its variants.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

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
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text, is_count
from mtprobe.suite.parsing.lines import checked, json_items
from mtprobe.suite.samples.build import slug


class MuCoWScoring(Contrastive):
    """MuCoW, the scoring suite: a reference and variants of it with another sense of a word."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "word", "sense", "corpus")

    format: Literal["mucow-scoring"]
    """A JSON array of sentences with their `errors`; the reference must beat all of them."""
    file: Text
    """`cs-en.mucow.scoring.json`."""


class ContraWSD(Contrastive):
    """ContraWSD: a reference and variants of it with another sense of a word."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "word", "sense", "corpus", "frequency", "share")

    format: Literal["contrawsd"]
    """A JSON array of sentences with their `errors`; the reference must beat all of them."""
    file: Text
    """`ContraWSD.de-en.json`."""


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


@with_copies
def read(data: MuCoWScoring | ContraWSD, reading: Reading) -> Iterator[Item]:
    """Each sentence with all of its variants, at the line where it begins."""
    target = reading.target(data.target)

    def sample(value: Any, place: Place) -> SampleModel | Skipped:
        sentence = checked(_Sentence, value, place)
        variants = [error.contrastive for error in sentence.errors]
        frequency, share = _frequency(value, place)
        item = Contrasted(
            id=f"{slug(sentence.word)}/{fingerprint(sentence.source, sentence.reference, *variants)}",
            source=sentence.source,
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
        )
        return contrastive_sample(item, data, target, place)

    yield from samples_from(json_items(reading.find("file", data.file)), sample)


def _frequency(item: dict[str, Any], place: Place) -> tuple[int | None, float | None]:
    """How often the word has this sense in training data, and the sense's share among all its senses: `12/340`."""
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


MUCOW_SCORING = Format(
    name="mucow-scoring",
    heading="MuCoW, the scoring suite",
    entry=MuCoWScoring,
    read=read,
    preset=preset,
    family=CONTRASTIVE,
    guide="""\
Attributes: `word`, `sense`, `corpus`.
""",
)


CONTRAWSD = Format(
    name="contrawsd",
    heading="ContraWSD",
    entry=ContraWSD,
    read=read,
    preset=preset,
    family=CONTRASTIVE,
    guide="""\
Attributes: `word`, `sense`, `corpus`, `frequency` of the sense in training data, and its `share` among the word's senses.
""",
)
