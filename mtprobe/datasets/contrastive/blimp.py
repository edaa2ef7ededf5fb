"""BLiMP (Warstadt et al., 2020): minimal pairs of English sentences for language models. A tie is wrong.

There is no source, and a language model is not shown one: the right sentence takes its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from mtprobe.datasets.contrastive.family import CONTRASTIVE, Contrasted, Contrastive, contrastive_preset
from mtprobe.datasets.format import Format
from mtprobe.datasets.reading import sample_per_line, with_copies
from mtprobe.errors import Place
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import checked, json_line, text_lines


class BLiMP(Contrastive):
    """BLiMP: grammatical and ungrammatical English sentences. They have no source; the right sentence takes its place."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "paradigm", "phenomenon", "field")

    format: Literal["blimp"]
    """JSON Lines."""
    file: Text
    """`adjunct_island.jsonl`."""


LANGUAGE = "en"


class _Pair(BaseModel):
    good: str = Field(alias="sentence_good")
    bad: str = Field(alias="sentence_bad")
    paradigm: str = Field(alias="UID")
    number: str | int = Field(alias="pairID")
    phenomenon: str = Field(alias="linguistics_term")
    field: str


@with_copies
def read(data: BLiMP, reading: Reading) -> Iterator[Item]:
    """Each line's pair."""

    def sample(line: str, place: Place) -> SampleModel | Skipped:
        pair = checked(_Pair, json_line(line, place), place)
        item = Contrasted(
            id=f"{pair.paradigm}/{pair.number}",
            source=pair.good,
            correct=pair.good,
            incorrect=[pair.bad],
            attributes={
                "origin": "human",
                "paradigm": pair.paradigm,
                "phenomenon": pair.phenomenon,
                "field": pair.field,
            },
        )
        return item.sample(data, data.target or LANGUAGE, place)

    yield from sample_per_line(text_lines(reading.find("file", data.file)), sample)


FORMAT = Format(
    name="blimp",
    heading="BLiMP",
    entry=BLiMP,
    read=read,
    preset=partial(
        contrastive_preset,
        about="Does the language model score a grammatical sentence above an ungrammatical one?",
        source=LANGUAGE,
        target=LANGUAGE,
        method="masked-lm",
    ),
    family=CONTRASTIVE,
    guide="Attributes: `paradigm`, `phenomenon`, `field`.",
)
