"""BLiMP (Warstadt et al., 2020): minimal pairs of English sentences for language models. A tie is wrong.

There is no source: the right sentence stands in for it, since a language model is not shown one.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, Field

from mtprobe.datasets.contrastive import contrastive_preset, contrastive_sample
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, Reading, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.format.public import BLiMP
from mtprobe.suite.parsing.lines import checked, json_line, text_lines

LANGUAGE = "en"


class _Pair(BaseModel):
    good: str = Field(alias="sentence_good")
    bad: str = Field(alias="sentence_bad")
    paradigm: str = Field(alias="UID")
    number: str | int = Field(alias="pairID")
    phenomenon: str = Field(alias="linguistics_term")
    field: str


def read(data: BLiMP, reading: Reading) -> Iterator[Item]:
    """Each line's pair."""
    yield from with_copies(_read(data, reading))


def _read(data: BLiMP, reading: Reading) -> Iterator[Item]:
    for place, line in text_lines(reading.find("file", data.file)):
        try:
            if isinstance(line, SuiteError):
                raise line
            if not line.strip():
                continue
            pair = checked(_Pair, json_line(line, place), place)
            yield (
                place,
                contrastive_sample(
                    data,
                    place,
                    id=f"{pair.paradigm}/{pair.number}",
                    source=pair.good,
                    target=data.target or LANGUAGE,
                    correct=pair.good,
                    incorrect=[pair.bad],
                    attributes={
                        "origin": "human",
                        "paradigm": pair.paradigm,
                        "phenomenon": pair.phenomenon,
                        "field": pair.field,
                    },
                ),
            )
        except SuiteError as problem:
            yield place, problem


def preset(data: BLiMP) -> Preset:
    return contrastive_preset(
        data,
        "blimp",
        "Does the language model score a grammatical sentence above an ungrammatical one?",
        source=LANGUAGE,
        target=LANGUAGE,
        cluster="paradigm",
        ties="incorrect",
        method="masked-lm",
    )
