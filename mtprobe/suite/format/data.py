"""The entries of `data:`: one model a format, so that each has just the keys that its files need."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from mtprobe.errors import did_you_mean
from mtprobe.suite.format.entry import Data
from mtprobe.suite.format.fields import Language, Text
from mtprobe.suite.format.public import (
    GATE,
    BLiMP,
    ContraPro,
    ContraWSD,
    DiBiMT,
    DistilLingEval,
    LingEval97,
    MTGenEval,
    MuCoW,
    MuCoWScoring,
    WinoMT,
    WinoX,
)


class JsonLines(Data):
    """One sample a line, with the keys of `samples`."""

    file: Text
    """A path, seen from the suite's folder and inside it (or inside `--mt-data-root`)."""
    format: Literal["jsonl"] | None = None
    """Needed where the name does not end in `.jsonl`."""
    attributes: list[str] = Field(default_factory=list)
    """The attributes in the file that derived attributes of the suite refer to."""

    @property
    def known_attributes(self) -> tuple[str, ...]:
        return tuple(self.attributes)


class Senses(Data):
    """Ambiguous words in YAML, with their senses: cues and lemmas are written once a sense, and nothing is said twice."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "sense", "sense_rank", "polysemy")

    format: Literal["senses"]
    """Each word with its senses, each sense with its category, rank, cues, lemmas and contexts."""
    file: Text
    """A YAML file."""
    attributes: list[str] = Field(default_factory=list)
    """The attributes in the file that derived attributes of the suite refer to."""

    @property
    def known_attributes(self) -> tuple[str, ...]:
        return (*self.KNOWN, *self.attributes)


class Pairs(Data):
    """Minimal pairs in YAML: each target is written once, with `[right|wrong]` where the two differ."""

    KNOWN: ClassVar[tuple[str, ...]] = ("pair",)

    format: Literal["pairs"]
    """Each pair with its source and its targets: one by a person, one by a machine, or both."""
    file: Text
    """A YAML file."""
    target: Language | None = None
    """The language of the targets; by default the suite's only target language."""
    attributes: list[str] = Field(default_factory=list)
    """The attributes in the file that derived attributes of the suite refer to."""

    @property
    def known_attributes(self) -> tuple[str, ...]:
        return (*self.KNOWN, *self.attributes)


class Schemas(Data):
    """Winograd schemas in YAML: two sentences that differ in one word, with their targets in one or several languages."""

    KNOWN: ClassVar[tuple[str, ...]] = ("schema", "trigger", "antecedent")

    format: Literal["schemas"]
    """Each schema with its source and, by language, its sentence and its two nouns."""
    file: Text
    """A YAML file."""


MODELS: dict[str, type[Data]] = {
    "jsonl": JsonLines,
    "senses": Senses,
    "pairs": Pairs,
    "schemas": Schemas,
    "winomt": WinoMT,
    "mucow": MuCoW,
    "distil-lingeval": DistilLingEval,
    "lingeval97": LingEval97,
    "mucow-scoring": MuCoWScoring,
    "contrawsd": ContraWSD,
    "contrapro": ContraPro,
    "wino-x": WinoX,
    "blimp": BLiMP,
    "mt-geneval": MTGenEval,
    "gate": GATE,
    "dibimt": DiBiMT,
}


def _known_format(value: Any) -> Any:
    format = value.get("format") if isinstance(value, dict) else None
    if isinstance(format, str) and format not in MODELS:
        raise PydanticCustomError(
            "format",
            'unknown format "{format}"{hint}',
            {"format": format, "hint": did_you_mean(format, MODELS)},
        )
    return value


def _format_of(value: Any) -> str:
    format = value.get("format") if isinstance(value, dict) else getattr(value, "format", None)
    return format if isinstance(format, str) else "jsonl"


DataEntry: TypeAlias = Annotated[
    Annotated[JsonLines, Tag("jsonl")]
    | Annotated[Senses, Tag("senses")]
    | Annotated[Pairs, Tag("pairs")]
    | Annotated[Schemas, Tag("schemas")]
    | Annotated[WinoMT, Tag("winomt")]
    | Annotated[MuCoW, Tag("mucow")]
    | Annotated[DistilLingEval, Tag("distil-lingeval")]
    | Annotated[LingEval97, Tag("lingeval97")]
    | Annotated[MuCoWScoring, Tag("mucow-scoring")]
    | Annotated[ContraWSD, Tag("contrawsd")]
    | Annotated[ContraPro, Tag("contrapro")]
    | Annotated[WinoX, Tag("wino-x")]
    | Annotated[BLiMP, Tag("blimp")]
    | Annotated[MTGenEval, Tag("mt-geneval")]
    | Annotated[GATE, Tag("gate")]
    | Annotated[DiBiMT, Tag("dibimt")],
    Discriminator(_format_of),
    BeforeValidator(_known_format),
]
