"""The entries of `data:`: one model a format, so that each has just the keys that its files need."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from mtprobe.errors import did_you_mean
from mtprobe.suite.fields import Language, Strict, Text


class Data(Strict):
    """Samples from files. What more stands there depends on the format. Files may be packed with gzip; where a name has no `.gz`, both are looked for."""

    KNOWN: ClassVar[tuple[str, ...]] = ()  # attributes that the format's samples have

    format: str | None = None
    """How the files are laid out; by default told from the file's ending."""
    missing: Literal["error", "skip"] = "error"
    """What happens when a file is not there: `skip` leaves the suite out, visibly, for suites whose data not everybody has."""

    @property
    def known_attributes(self) -> tuple[str, ...]:
        """The attributes that derived attributes of the suite may refer to."""
        return self.KNOWN


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
    """Ambiguous words in YAML, with their senses: cues are written once a sense, and nothing is said twice."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "sense")

    format: Literal["senses"]
    """Each word with its senses, each sense with its category, cues and contexts."""
    file: Text
    """A YAML file."""
    attributes: list[str] = Field(default_factory=list)
    """The attributes in the file that derived attributes of the suite refer to."""

    @property
    def known_attributes(self) -> tuple[str, ...]:
        return (*self.KNOWN, *self.attributes)


class WinoMT(Data):
    """WinoMT: sentences about two people, of whom a pronoun tells one's gender."""

    KNOWN: ClassVar[tuple[str, ...]] = ("occupation", "stereotype", "copy")

    format: Literal["winomt"]
    """Lines of gender, index, sentence, occupation and perhaps stereotype, separated by tabs."""
    file: Text
    """`test.tsv`, `en.txt`, `en_pro.txt` or `en_anti.txt`."""
    stereotype: Literal["pro", "anti"] | None = None
    """For files without that column: what all of their sentences are."""
    neutral: Literal["omit", "keep"] = "omit"
    """Whether sentences that tell no gender are left out, or kept with the category `neutral`."""


class MuCoW(Data):
    """MuCoW, the translation suite: sentences with an ambiguous word, and the lemmas of its right and wrong translations."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "sense", "corpus")

    format: Literal["mucow"]
    """Parallel files: the n-th line of each belongs to the n-th item."""
    text: Text
    """The sentences, `en-de.text.txt`."""
    key: Text
    """`en-de.key.txt`: id, corpus, word, correct and incorrect lemmas, separated by tabs."""
    references: Text | None = None
    """Translations by people, `en-de.ref.txt`."""
    cues: Text | None = None
    """Cues for contrastive conditioning, `en-de.insertions.roberta-large.jsonl`; items without any are left out."""
    frequencies: Text | None = None
    """Which senses are frequent, `frequency_categories.json`: sets the category, `frequent` or `rare`; items without one are left out."""
    target: Language | None = None
    """The language of lemmas and references; by default the suite's only target language."""


MODELS: dict[str, type[Data]] = {"jsonl": JsonLines, "senses": Senses, "winomt": WinoMT, "mucow": MuCoW}


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
    | Annotated[WinoMT, Tag("winomt")]
    | Annotated[MuCoW, Tag("mucow")],
    Discriminator(_format_of),
    BeforeValidator(_known_format),
]
