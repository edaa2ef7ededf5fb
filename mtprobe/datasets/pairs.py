"""Minimal pairs in YAML: each target is written once, with right and wrong variants in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from mtprobe.datasets.alternatives import readings
from mtprobe.datasets.format import Format, read_guide
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Attribute, Language, Name, Strict, Text
from mtprobe.suite.parsing.lines import checked
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import read_tree


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


ORIGINS = ("human", "machine")


class PairModel(Strict):
    """A source with its targets, by who wrote them."""

    source: Text
    """The sentence."""
    human: Text | None = None
    """A translation by a person, with `[right|wrong]` where the targets differ."""
    machine: Text | None = None
    """A translation by a model, in the same way."""

    @model_validator(mode="before")
    @classmethod
    def _has_a_target(cls, value: Any) -> Any:
        if isinstance(value, dict) and "source" in value and not any(origin in value for origin in ORIGINS):
            raise PydanticCustomError("no_target", "has no target; give `human`, `machine` or both")
        return value


class PairList(Strict):
    """The content of a file of pairs."""

    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """Attributes of all samples in the file: `phenomenon: negation`."""
    pairs: Annotated[dict[Name, PairModel], Field(min_length=1)]
    """Each pair with a short name for its id."""


def read(data: Pairs, reading: Reading) -> Iterator[Item]:
    """A sample for each target, with the id `file/name/origin`, the category `origin` and the attribute `pair`."""
    target = reading.target(data.target)
    path = reading.find("file", data.file)
    try:
        tree = read_tree(path)
        file: PairList = validated(tree, PairList)
    except SuiteError as error:
        yield Place(path), error
        return
    for name, pair in file.pairs.items():
        full = f"{path.name.split('.')[0]}/{name}"  # pairs of several files may share a name
        for origin in ORIGINS:
            text = getattr(pair, origin)
            if text is None:
                continue
            place = tree.place(("pairs", name, origin))
            try:
                right, *wrong = readings(text, place)
                sample = {
                    "id": f"{full}/{origin}",
                    "source": pair.source,
                    "category": origin,
                    "attributes": {**file.attributes, "pair": full},
                    "targets": {target: {"correct": [right], "incorrect": wrong}},
                }
                yield place, checked(SampleModel, sample, place)
            except SuiteError as error:
                yield place, error


FORMAT = Format(
    name="pairs",
    heading="Pairs of targets",
    entry=Pairs,
    read=read,
    published=False,
    guide=read_guide("pairs"),
)
