"""Winograd schemas in YAML: two sentences that differ in a trigger word, which determines the referent of a pronoun.

Both sentences and all of their targets are written once: the trigger in braces, what agrees with the first and with
the second noun in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from mtprobe.datasets.alternatives import braced, instances, readings
from mtprobe.datasets.format import Format, read_guide
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel, TargetSides, VariantValues
from mtprobe.suite.format.fields import Attribute, Language, Name, Strict, Text
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import read_tree


class Schemas(Data):
    """Winograd schemas in YAML: two sentences that differ in one word, with their targets in one or several languages."""

    KNOWN: ClassVar[tuple[str, ...]] = ("schema", "trigger", "antecedent")

    format: Literal["schemas"]
    """Each schema with its source and, by language, its sentence and its two nouns."""
    file: Text
    """A YAML file."""


Gender: TypeAlias = Literal["masculine", "feminine", "neuter", "common"]


def _two(nouns: dict[str, Gender]) -> dict[str, Gender]:
    if len(nouns) != 2 or len({*nouns.values()}) != 2:
        raise PydanticCustomError("antecedents", "must be two nouns of different gender")
    return nouns


class SchemaTarget(Strict):
    """A schema in a target language."""

    sentence: Text
    """With `[of the first noun|of the second]`, and braces in the order of the source's."""
    antecedents: Annotated[dict[Text, Gender], AfterValidator(_two)]
    """The two nouns as they appear in the sentence, in that order, each with its gender."""


class SchemaModel(Strict):
    """Two sentences that differ in one word."""

    source: Text
    """With `{trigger|trigger}`: with the first one, the pronoun refers to the first noun."""
    targets: Annotated[dict[Language, SchemaTarget], Field(min_length=1)]
    """By language."""


class SchemaList(Strict):
    """The content of a file of schemas."""

    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """Attributes of all samples in the file."""
    schemas: Annotated[dict[Name, SchemaModel], Field(min_length=1)]
    """Each schema with a short name for its id."""


def read(data: Schemas, reading: Reading) -> Iterator[Item]:
    """Two samples per schema, with the id `name/trigger` and the attributes `schema`, `trigger` and `antecedent`."""
    path = reading.find("file", data.file)
    try:
        tree = read_tree(path)
        file: SchemaList = validated(tree, SchemaList)
    except SuiteError as error:
        yield Place(path), error
        return
    for name, schema in file.schemas.items():
        place = tree.place(("schemas", name, "source"))
        try:
            sources = _two_of(schema.source, place)
            if not all(trigger.strip() for trigger in braced(schema.source)[0]):
                raise SuiteError.at(place, f'a trigger is empty, in "{schema.source}"')
            targets = {
                language: _targets(target, tree.place(("schemas", name, "targets", language, "sentence")))
                for language, target in schema.targets.items()
            }
        except SuiteError as error:
            yield place, error
            continue
        for number, (source, trigger) in enumerate(zip(sources, braced(schema.source)[0], strict=True)):
            yield (
                place,
                SampleModel(
                    id=f"{name}/{trigger}",
                    source=source,
                    attributes={
                        **file.attributes,
                        "schema": name,
                        "trigger": trigger,
                        "antecedent": number + 1,
                    },
                    targets={language: both[number] for language, both in targets.items()},
                    triggers=[trigger],
                ),
            )


def _targets(target: SchemaTarget, place: Place) -> list[TargetSides]:
    """The targets of the first and the second sentence: each right target is wrong for the other sentence."""
    first, second = target.antecedents
    bare = target.sentence
    if first not in bare or second not in bare[bare.index(first) + len(first) :]:
        raise SuiteError.at(place, f'"{first}" and, after it, "{second}" must be in "{bare}"')
    texts = _two_of(bare, place) if "{" in bare else [bare, bare]
    pairs = [readings(text, place) for text in texts]
    if any(len(pair) != 2 for pair in pairs):
        raise SuiteError.at(place, f'must have two alternatives in brackets, one per noun, in "{bare}"')
    genders = list(target.antecedents.values())
    return [
        TargetSides(
            correct=[pairs[right][right]],
            incorrect=[pairs[right][1 - right]],
            variants={
                "gender": VariantValues(correct=[genders[right]], incorrect=[genders[1 - right]]),
                "position": VariantValues(correct=[right + 1], incorrect=[2 - right]),
            },
        )
        for right in (0, 1)
    ]


def _two_of(text: str, place: Place) -> list[str]:
    sentences = instances(text, place)
    if len(sentences) != 2:
        raise SuiteError.at(place, f'must have two alternatives in braces, in "{text}"')
    return sentences


FORMAT = Format(
    name="schemas",
    heading="Winograd schemas",
    entry=Schemas,
    read=read,
    published=False,
    guide=read_guide("schemas"),
)
