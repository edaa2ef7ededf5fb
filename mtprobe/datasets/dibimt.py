"""Ambiguous words with good and bad translations by language, as in DiBiMT (Campolungo et al., 2022).

The benchmark is available on request, so this layout is our own: a JSON array of items such as

    {"id": "…", "sentence": "…", "word": "shot", "pos": "NOUN", "sense": "bn:…", "sense_rank": 3, "polysemy": 9,
     "good": {"de": ["Schuss"]}, "bad": {"de": ["Spritze", "Foto * Kamera"]}}

A word may be marked in the sentence as <shot>. Lemmas may contain `*`, which matches any number of words, and a part
of speech, as in `Schluck|noun`. Bad lemmas may be grouped by sense ({"de": {"bn:…": ["Spritze"]}}), and `senses` may list the
word's senses, the most frequent first, or map them to their ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import fingerprint, mark_word, samples_from, with_copies
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import checked, json_items
from mtprobe.suite.samples.build import slug


class DiBiMT(Data):
    """Ambiguous words with good and bad translations, as DiBiMT has them: lemmas by language."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "pos", "sense", "sense_rank", "polysemy")

    format: Literal["dibimt"]
    """A JSON array of items with `id`, `sentence`, `word`, `good` and `bad`, and optionally `pos`, `sense`, `sense_rank`, `polysemy` and `senses`."""
    file: Text
    """A JSON file."""


ONE_SIDE = Skipped("no language has both good and bad translations for it")


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


@with_copies
def read(data: DiBiMT, reading: Reading) -> Iterator[Item]:
    """Each item's sample, at the line where it begins."""
    yield from samples_from(json_items(reading.find("file", data.file)), _sample)


def _sample(value: Any, place: Place) -> SampleModel | Skipped:
    item = checked(_Item, value, place)
    lemmas = {
        language: {"good": good, "bad": item.bad[language]}
        for language, good in item.good.items()
        if good and item.bad.get(language)
    }
    if not lemmas:
        return ONE_SIDE
    sample = {
        "id": item.id or f"{slug(item.word)}/{fingerprint(item.sentence, item.sense or '')}",
        "source": _marked(item, place),
        "attributes": item.model_dump(include={*DiBiMT.KNOWN}, exclude_none=True),
        "lemmas": lemmas,
        "senses": item.senses,
    }
    return checked(SampleModel, sample, place)


def _marked(item: _Item, place: Place) -> str:
    if f"<{item.word}>".casefold() in item.sentence.casefold():
        return item.sentence
    marked = mark_word(item.word, item.sentence)
    if marked is None:
        raise SuiteError.at(place, f'the word "{item.word}" is not in the sentence; mark it as <…>')
    return marked


FORMAT = Format(
    name="dibimt",
    heading="DiBiMT",
    entry=DiBiMT,
    read=read,
    preset=lambda _: Preset(
        name="dibimt",
        about="Is an ambiguous word translated in the sense that the sentence asks for?",
        source="en",
        target=None,
        methods=("lexicon",),
        cluster="word",
        gates={"accuracy": ">= 0.60", "undecided": "<= 0.50"},
    ),
    guide=read_guide("dibimt"),
)
