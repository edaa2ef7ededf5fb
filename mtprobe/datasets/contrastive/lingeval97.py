"""LingEval97 (Sennrich, 2017), and sets in its layout: MuCoW's scoring suite (Raganato et al., 2019) and ContraWSD
(Rios et al., 2017). A JSON array of references, each with its `errors`.

In LingEval97 every error is a pair of its own; in the other sets a reference must be strictly better than all of its
variants. A tie is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from mtprobe.datasets.contrastive.family import (
    CONTRASTIVE,
    NO_VARIANTS,
    Contrasted,
    Contrastive,
    contrastive_preset,
    with_variants,
)
from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.reading import fingerprint, samples_from, with_copies
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.fields import Text, is_count
from mtprobe.suite.parsing.lines import checked, json_items
from mtprobe.suite.sample import Scalar
from mtprobe.suite.samples.build import slug


class LingEval97(Contrastive):
    """LingEval97: references with one error inserted; every error is a sample."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "type", "sentence", "distance", "frequency")

    format: Literal["lingeval97"]
    """A JSON array of sentences with their `errors`."""
    file: Text
    """`lingeval97.json`."""


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
    type: str
    contrastive: str
    distance: int | None = None
    frequency: int | None = None


class _Sentence(BaseModel):
    source: str
    reference: str
    origin: str
    errors: list[_Error]


class _Variant(BaseModel):
    contrastive: str


class _SenseSentence(BaseModel):
    source: str
    reference: str
    word: str = Field(alias="ambig word")
    sense: str
    origin: str | None = None
    errors: list[_Variant]


@with_copies
def read_errors(data: LingEval97, reading: Reading) -> Iterator[Item]:
    """Each error's pair, at the line where its sentence begins."""
    target = reading.target(data.target)
    for place, value in json_items(reading.find("file", data.file)):
        try:
            sentence = checked(_Sentence, value, place)
            if not sentence.errors:
                yield place, NO_VARIANTS
            for error in sentence.errors:
                yield place, _pair(sentence, error).sample(data, target, place)
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


@with_copies
def read_variants(data: MuCoWScoring | ContraWSD, reading: Reading) -> Iterator[Item]:
    """Each sentence with all of its variants, at the line where it begins."""
    target = reading.target(data.target)
    yield from samples_from(
        json_items(reading.find("file", data.file)),
        lambda value, place: _sense(value, place).sample(data, target, place),
    )


def _sense(value: Any, place: Place) -> Contrasted:
    sentence = checked(_SenseSentence, value, place)
    frequency, share = _frequency(value, place)
    attributes: dict[str, Scalar | None] = {
        "word": sentence.word,
        "sense": f"{sentence.word}:{sentence.sense}",
        "corpus": sentence.origin,
        "frequency": frequency,
        "share": share,
    }
    variants = [error.contrastive for error in sentence.errors]
    return with_variants(slug(sentence.word), sentence.source, sentence.reference, variants, attributes)


def _frequency(item: dict[str, Any], place: Place) -> tuple[int | None, float | None]:
    """How often the word has this sense in training data, and the sense's share among all its senses: `12/340`."""
    text = next((value for key, value in item.items() if key.startswith(_FREQUENCY)), None)
    if text is None:
        return None, None
    sense, _, word = (part.strip() for part in str(text).partition("/"))
    if not (is_count(sense) and is_count(word) and int(word)):
        raise SuiteError.at(place, f'{_FREQUENCY}: "{text}" is not like 12/340')
    return int(sense), int(sense) / int(word)


LINGEVAL97 = Format(
    name="lingeval97",
    heading="LingEval97",
    entry=LingEval97,
    read=read_errors,
    preset=partial(
        contrastive_preset,
        about="Does the model score a reference above the same text with one error inserted?",
        cluster="sentence",
    ),
    family=CONTRASTIVE,
    guide="Attributes: `type` of the error, `sentence` (test set and number), `distance`, `frequency`.",
)
_SENSES = partial(
    contrastive_preset,
    about="Does the model score a reference above the same text with another sense of a word?",
    source="de",
    cluster="word",
)
MUCOW_SCORING = Format(
    name="mucow-scoring",
    heading="MuCoW, the scoring suite",
    entry=MuCoWScoring,
    read=read_variants,
    preset=_SENSES,
    family=CONTRASTIVE,
    guide="Attributes: `word`, `sense`, `corpus`.",
)
CONTRAWSD = Format(
    name="contrawsd",
    heading="ContraWSD",
    entry=ContraWSD,
    read=read_variants,
    preset=_SENSES,
    family=CONTRASTIVE,
    guide=read_guide("contrawsd"),
)
