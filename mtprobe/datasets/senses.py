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
    cues: Texts | None = None
    """Cues for this sense, and against the word's other senses; none where the suite names a file of cues."""
    contexts: Annotated[dict[Name, Text], Field(min_length=1)]
    """Sentences in which the word has this sense, each with a short name for its id; `<…>` marks the word."""


def _two_or_more(senses: dict[str, Sense]) -> dict[str, Sense]:
    if len(senses) < 2:
        raise PydanticCustomError(
            "one_sense", "has one sense; a word needs two that can be taken for each other"
        )
    without = [name for name, sense in senses.items() if sense.cues is None]
    if without and len(without) < len(senses):
        raise PydanticCustomError(
            "some_cues",
            'the sense "{name}" has no cues; give cues to all senses of a word, or to none',
            {"name": without[0]},
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
                    cues=_cues(senses, name),
                )
                yield tree.place(("words", word, name, "contexts", context)), sample


def _cues(senses: Mapping[str, Sense], name: str) -> Sides | None:
    own = senses[name].cues
    if own is None:
        return None
    others = [cue for other, sense in senses.items() if other != name for cue in sense.cues or ()]
    return Sides(correct=own, incorrect=others)
