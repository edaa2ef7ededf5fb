"""Minimal pairs in YAML: a target is written once, and brackets hold what makes it right or wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from mtprobe.datasets.alternatives import readings
from mtprobe.datasets.reading import Item, Reading
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.format import data as models
from mtprobe.suite.format.fields import Attribute, Name, Strict, Text
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import checked
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import read_tree

ORIGINS = ("human", "machine")


class PairModel(Strict):
    """A source, and its target by those who wrote it."""

    source: Text
    """The sentence."""
    human: Text | None = None
    """A translation by a person, with `[right|wrong]` where the targets differ."""
    machine: Text | None = None
    """A translation by a model, in the same way."""

    @model_validator(mode="before")
    @classmethod
    def _written_by_somebody(cls, value: Any) -> Any:
        if isinstance(value, dict) and "source" in value and not any(origin in value for origin in ORIGINS):
            raise PydanticCustomError("no_target", "has no target; give `human`, `machine` or both")
        return value


class PairList(Strict):
    """What stands in a file of pairs."""

    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """Attributes of all samples in the file: `phenomenon: negation`."""
    pairs: Annotated[dict[Name, PairModel], Field(min_length=1)]
    """Each pair with a short name for its id."""


def read(data: models.Pairs, reading: Reading) -> Iterator[Item]:
    """A sample for each target, with the id `file/name/origin`, the category `origin` and the attribute `pair`."""
    target = reading.target(data.target)
    path = reading.find("file", data.file)
    try:
        tree = read_tree(path)
        held: PairList = validated(tree, PairList)
    except SuiteError as error:
        yield Place(path), error
        return
    for name, pair in held.pairs.items():
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
                    "attributes": {**held.attributes, "pair": full},
                    "targets": {target: {"correct": [right], "incorrect": wrong}},
                }
                yield place, checked(SampleModel, sample, place)
            except SuiteError as error:
                yield place, error
