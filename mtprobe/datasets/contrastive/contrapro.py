"""ContraPro (Müller et al., 2018): English sentences with *it*, a German reference, and variants with another pronoun.

The reference must be strictly better than all of its variants; a tie is wrong. The published file has no context; the
authors' script writes it to `contrapro.context.en`, as many lines for the reference and for each of its variants as it was asked
for (`--context`), empty where a document begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, BaseModel, Field

from mtprobe.datasets.contrastive.family import (
    CONTRASTIVE,
    Contrasted,
    Contrastive,
    contrastive_preset,
    with_variants,
)
from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.reading import Line, with_copies
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import checked, json_items, text_lines


class ContraPro(Contrastive):
    """ContraPro: a reference and variants of it with another pronoun."""

    KNOWN: ClassVar[tuple[str, ...]] = (
        "origin",
        "pronoun",
        "source_pronoun",
        "antecedent_distance",
        "intrasegmental",
    )

    format: Literal["contrapro"]
    """A JSON array of sentences with their `errors`; the reference must beat all of them."""
    file: Text
    """`contrapro.json`."""
    context: Text | None = None
    """`contrapro.context.en`, as the authors' script writes it: the sentences before each source. Without it samples have no context."""
    context_sentences: Annotated[int, Field(ge=1)] = 1
    """How many sentences of context the script was asked for (`--context`)."""


class _Variant(BaseModel):
    contrastive: str


class _Sentence(BaseModel):
    source: str = Field(validation_alias=AliasChoices("source", "src segment"))
    reference: str = Field(validation_alias=AliasChoices("reference", "ref segment"))
    source_pronoun: str = Field(alias="src pronoun")
    pronoun: str = Field(alias="ref pronoun")
    distance: int | None = Field(default=None, alias="ante distance")
    intrasegmental: bool | None = None
    errors: list[_Variant]


@with_copies
def read(data: ContraPro, reading: Reading) -> Iterator[Item]:
    """Each sentence with all of its variants, at the line where it begins."""
    target = reading.target(data.target)
    lines = _Context(data, reading) if data.context is not None else None
    for place, value in json_items(reading.find("file", data.file)):
        try:
            pair = _contrasted(value, place)
            context = lines.next(1 + len(pair.incorrect), place) if lines else ()
            yield place, replace(pair, context=context).sample(data, target, place)
        except SuiteError as error:
            yield place, error
            if lines:  # what follows could belong to any sentence
                return
    if lines and (more := lines.more()):
        yield (
            more,
            SuiteError.at(more, "there are more lines of context than sentences; see `context_sentences`"),
        )


class _Context:
    """The context of one sentence after the other."""

    def __init__(self, data: ContraPro, reading: Reading) -> None:
        self._size = data.context_sentences
        self._lines: Iterator[Line] = text_lines(reading.find("context", data.context or ""))

    def next(self, targets: int, place: Place) -> tuple[str, ...]:
        """The lines of the next sentence, which are repeated for each of its targets."""
        lines = list(islice(self._lines, self._size * targets))
        if len(lines) < self._size * targets:
            raise SuiteError.at(place, "there is no context for this sentence; see `context_sentences`")
        texts = []
        for _, line in lines:
            if isinstance(line, SuiteError):
                raise line
            texts.append(line.strip())
        first = texts[: self._size]
        if texts != first * targets:
            raise SuiteError.at(
                lines[0][0],
                "the context of a sentence must be the same for all of its targets; see `context_sentences`",
            )
        return tuple(text for text in first if text)

    def more(self) -> Place | None:
        """The place of a surplus line."""
        return next((place for place, _ in self._lines), None)


def _contrasted(value: Any, place: Place) -> Contrasted:
    sentence = checked(_Sentence, value, place)
    pronoun = sentence.pronoun.lower()
    variants = [error.contrastive for error in sentence.errors]
    return with_variants(
        pronoun,
        sentence.source,
        sentence.reference,
        variants,
        {
            "pronoun": pronoun,
            "source_pronoun": sentence.source_pronoun.lower(),
            "antecedent_distance": sentence.distance,
            "intrasegmental": sentence.intrasegmental,
        },
    )


FORMAT = Format(
    name="contrapro",
    heading="ContraPro",
    entry=ContraPro,
    read=read,
    preset=partial(
        contrastive_preset,
        about="Does the model score a reference above the same text with a wrong pronoun?",
        gaps=("pronoun",),
    ),
    family=CONTRASTIVE,
    guide=read_guide("contrapro"),
)
