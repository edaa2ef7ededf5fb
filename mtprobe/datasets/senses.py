"""Words and their senses, in YAML: each sense with its cues and contexts, each context a sample.

What speaks for one sense of a word speaks against its other ones, so cues are written once a sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from mtprobe.datasets.reading import Item, Reading
from mtprobe.errors import Place, SuiteError
from mtprobe.suite import data as models
from mtprobe.suite.fields import Attribute, Name, Strict, Text, Texts
from mtprobe.suite.model import SampleModel, Sides
from mtprobe.suite.problems import validated
from mtprobe.suite.tree import read_tree


class Sense(Strict):
    """One sense of a word."""

    category: Text | None = None
    """The category of its samples."""
    cues: Texts
    """Cues for this sense, and against the word's other senses."""
    contexts: Annotated[dict[Name, Text], Field(min_length=1)]
    """Sentences in which the word has this sense, each with a short name for its id; `<…>` marks the word."""


def _two_or_more(senses: dict[str, Sense]) -> dict[str, Sense]:
    if len(senses) < 2:
        raise PydanticCustomError(
            "one_sense", "has one sense; a word needs two that can be taken for each other"
        )
    return senses


class Lexicon(Strict):
    """What stands in a file of senses."""

    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """Attributes of all samples in the file: `pos: noun`."""
    words: Annotated[
        dict[Name, Annotated[dict[Name, Sense], AfterValidator(_two_or_more)]], Field(min_length=1)
    ]
    """Each word with its senses by name."""


def read(data: models.Senses, reading: Reading) -> Iterator[Item]:
    """A sample for each context, with the id `word/sense/context` and the attributes `word` and `sense`."""
    path = reading.find("file", data.file)
    try:
        tree = read_tree(path)
        lexicon: Lexicon = validated(tree, Lexicon)
    except SuiteError as error:
        yield Place(path), error
        return
    for word, senses in lexicon.words.items():
        for name, sense in senses.items():
            for context, source in sense.contexts.items():
                sample = SampleModel(
                    id=f"{word}/{name}/{context}",
                    source=source,
                    category=sense.category,
                    attributes={**lexicon.attributes, "word": word, "sense": name},
                    cues=Sides(correct=sense.cues, incorrect=_other_cues(senses, name)),
                )
                yield tree.place(("words", word, name, "contexts", context)), sample


def _other_cues(senses: Mapping[str, Sense], name: str) -> list[str]:
    return [cue for other, sense in senses.items() if other != name for cue in sense.cues]
