"""Schemas in the layout of WinoGrande: a sentence with a gap, two options, and the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from mtprobe.errors import Place, SuiteError
from mtprobe.suite.parsing.lines import checked, json_line, text_lines
from mtprobe.suite.samples.focus import marked

GAP = "_"


class _Record(BaseModel):
    qID: Annotated[str, Field(min_length=1)]
    sentence: Annotated[str, Field(min_length=1)]
    option1: Annotated[str, Field(min_length=1)]
    option2: Annotated[str, Field(min_length=1)]
    answer: Annotated[
        Literal[1, 2],
        BeforeValidator(lambda value: int(value) if value in ("1", "2") else value),
    ]


@dataclass(frozen=True, slots=True)
class Instance:
    """One sentence of a schema; its twin differs in a word and has the other answer."""

    id: str
    sentence: str
    options: tuple[str, str]
    answer: int  # 0 or 1
    place: Place

    @property
    def schema(self) -> str:
        """The id shared by both instances, without -1 or -2."""
        return re.sub(r"-[12]$", "", self.id)

    def filled(self, option: int) -> str:
        return self.sentence.replace(GAP, self.options[option])

    @property
    def source(self) -> str:
        """With *it* in the gap; an article before the gap is dropped."""

        before, it, after = self._around
        return before + it + after

    @property
    def marked(self) -> str:
        """The source with *it* as its focus, as a suite writes it."""
        before, it, _ = self._around
        return marked(self.source, (len(before), len(before) + len(it)))

    @property
    def gapped(self) -> str:
        """With a gap that takes a complete noun phrase; an article before it is dropped."""
        before, _, after = self._around
        return before + GAP + after

    def filler(self, option: int) -> str:
        """The noun phrase of an option, with the article that `gapped` dropped."""
        return self.filled(option)[len(self._around[0]) :].removesuffix(self._around[2])

    @property
    def _around(self) -> tuple[str, str, str]:
        """The text before the gap, *it*, and the text after it."""
        gap = re.search(rf"(?:\b[Tt]he )?{GAP}", self.sentence)
        assert gap is not None  # noqa: S101 - checked when it was read
        it = "It" if gap[0][0].isupper() or self._initial(gap.start()) else "it"
        return self.sentence[: gap.start()], it, self.sentence[gap.end() :]

    def _initial(self, at: int) -> bool:
        before = self.sentence[:at].rstrip()
        return not before or before[-1] in ".!?"


def read_schemas(path: Path) -> Iterator[Instance]:
    """The instances of a file with one JSON object per line; a duplicate id is an error."""
    seen: dict[str, Place] = {}
    for place, line in text_lines(path):
        if isinstance(line, SuiteError):
            raise line
        if not line.strip():
            continue
        instance = _instance(json_line(line, place), place)
        if instance.id in seen:
            raise SuiteError.at(
                place, f'duplicate qID "{instance.id}" (first on line {seen[instance.id].line})'
            )
        seen[instance.id] = place
        yield instance


def _instance(item: Any, place: Place) -> Instance:
    record = checked(_Record, item, place)
    if record.sentence.count(GAP) != 1:
        raise SuiteError.at(place, f'sentence: needs exactly one gap, written "{GAP}"')
    options = (record.option1.strip(), record.option2.strip())
    if options[0].lower() == options[1].lower():
        raise SuiteError.at(place, "option1 and option2 are the same")
    return Instance(record.qID, " ".join(record.sentence.split()), options, record.answer - 1, place)
