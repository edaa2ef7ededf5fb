"""Ambiguous words with good and bad translations by language, as DiBiMT (Campolungo et al., 2022) has them.

The benchmark is given out on request, so this is the layout that we ask for: a JSON array of items such as

    {"id": "…", "sentence": "…", "word": "shot", "pos": "NOUN", "sense": "bn:…", "sense_rank": 3, "polysemy": 9,
     "good": {"de": ["Schuss"]}, "bad": {"de": ["Spritze", "Foto * Kamera"]}}

A word may be marked in the sentence as <shot>. Lemmas may hold `*`, which takes any number of words, and a part of
speech, as in `Schluck|noun`. Bad lemmas may stand by sense ({"de": {"bn:…": ["Spritze"]}}), and `senses` may list the
word's senses, the most frequent first, or map them to their ranks.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, Field

from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, LeftOut, Reading, fingerprint, with_copies
from mtprobe.datasets.words import find_word
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.format.public import DiBiMT
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import checked, json_items
from mtprobe.suite.samples.build import slug
from mtprobe.suite.samples.focus import escaped

ONE_SIDE = LeftOut("no language has both good and bad translations for it")


class _Item(BaseModel):
    id: str | None = None
    sentence: str = Field(min_length=1)
    word: str = Field(min_length=1)
    pos: str | None = None
    sense: str | None = None
    sense_rank: int | None = Field(default=None, ge=1)
    polysemy: int | None = Field(default=None, ge=1)
    senses: list[str] | dict[str, int] | None = None
    good: dict[str, list[str]]
    bad: dict[str, list[str] | dict[str, list[str]]]


def read(data: DiBiMT, reading: Reading) -> Iterator[Item]:
    """Each item's sample, at the line where it begins."""
    yield from with_copies(_read(data, reading))


def _read(data: DiBiMT, reading: Reading) -> Iterator[Item]:
    for place, value in json_items(reading.find("file", data.file)):
        try:
            yield place, _sample(checked(_Item, value, place), place)
        except SuiteError as error:
            yield place, error


def _sample(item: _Item, place: Place) -> SampleModel | LeftOut:
    lemmas = {
        language: {"good": good, "bad": item.bad[language]}
        for language, good in item.good.items()
        if good and item.bad.get(language)
    }
    if not lemmas:
        return ONE_SIDE
    known = {"word": item.word, "pos": item.pos, "sense": item.sense}
    numbers = {"sense_rank": item.sense_rank, "polysemy": item.polysemy}
    sample = {
        "id": item.id or f"{slug(item.word)}/{fingerprint(item.sentence, item.sense or '')}",
        "source": _marked(item, place),
        "attributes": {name: value for name, value in {**known, **numbers}.items() if value is not None},
        "lemmas": lemmas,
        "senses": item.senses,
    }
    return checked(SampleModel, sample, place)


def _marked(item: _Item, place: Place) -> str:
    if f"<{item.word}>".casefold() in item.sentence.casefold():
        return item.sentence
    found = find_word(item.word, item.sentence)
    if found is None:
        raise SuiteError.at(place, f'the word "{item.word}" does not stand in the sentence; mark it as <…>')
    start, end = found
    before, word, after = item.sentence[:start], item.sentence[start:end], item.sentence[end:]
    return f"{escaped(before)}<{escaped(word)}>{escaped(after)}"


def preset(data: DiBiMT) -> Preset:  # noqa: ARG001 - all formats are asked alike
    return Preset(
        name="dibimt",
        about="Is an ambiguous word translated in the sense that the sentence asks for?",
        source="en",
        target=None,
        methods=("lexicon",),
        cluster="word",
        gates={"accuracy": ">= 0.60", "undecided": "<= 0.50"},
    )
