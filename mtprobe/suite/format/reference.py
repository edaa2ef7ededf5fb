"""docs/reference/suite-format.md: the hand-written reference.txt, filled with tables generated from the models.

In reference.txt `«Owner»` becomes what the model is and a table of its keys, `«Owner-»` the table alone, `«Owner: a b»` a table of
these keys (`*` for all that are left), and `«Owner+: c»` more rows of the table above.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, create_model
from pydantic.fields import FieldInfo

from mtprobe.suite.data import Section
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import (
    CueFile,
    Evidence,
    Lemmas,
    SampleModel,
    Sides,
    TargetSides,
    VariantValues,
)
from mtprobe.suite.format.fields import LANGUAGE_PATTERN, MAX_TEXT
from mtprobe.suite.format.suite import (
    AuditFile,
    AuditPairModel,
    GateModel,
    Languages,
    SuiteModel,
    XfailModel,
    method_fields,
)
from mtprobe.suite.format.template import SlotFile, Template
from mtprobe.suite.parsing.limits import MAX_BYTES, MAX_DATA_BYTES, MAX_DATA_LINES
from mtprobe.suite.samples.slots import MAX_COMBINATIONS
from mtprobe.suite.vocabulary import MetricText, Vocabulary

# Where a model is described: the heading of its section.
SECTIONS: dict[type[BaseModel], str] = {
    SuiteModel: "The suite",
    Languages: "Languages",
    SampleModel: "Samples",
    Evidence: "Evidence",
    Sides: "Correct and incorrect",
    TargetSides: "Targets",
    VariantValues: "Variants of targets",
    Lemmas: "Lemmas",
    Template: "Templates",
    SlotFile: "A slot's values from a file",
    AuditPairModel: "Audit pairs",
    AuditFile: "Audit pairs from a file",
    CueFile: "Cues from a file",
    Data: "Data files",
    GateModel: "A gate with more than a bound",
    XfailModel: "A known failure",
}

# By the name of a model, its keys whose values are described in plain words.
TYPES: dict[str, dict[str, str]] = yaml.safe_load(
    Path(__file__).with_name("types.yaml").read_text(encoding="utf-8")
)


_PLACEHOLDER = re.compile(r"«(?P<owner>[A-Z]\w+)(?P<how>[-+]?)(?:: (?P<keys>[^»]*))?»")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_HEADER = "| key | value | default | meaning |\n|---|---|---|---|\n"
# Where the keys of a model may be, for the index.
_OWNERS = {
    SuiteModel: "suite",
    SampleModel: "sample",
    Evidence: "sample or template",
    Template: "template",
    Languages: "`languages`",
    Sides: "evidence",
    TargetSides: "`targets`",
    VariantValues: "`variants` of targets",
    Lemmas: "`lemmas`",
    SlotFile: "slot",
    AuditPairModel: "`audit`",
    AuditFile: "`audit`",
    CueFile: "`cues`",
    Data: "`data`",
    GateModel: "gate",
    XfailModel: "`xfail`",
}


def reference(vocabulary: Vocabulary, metrics: Mapping[str, MetricText]) -> str:
    """The page of the suite format, as Markdown, with these methods, metrics, and the formats of files that people write."""
    page = Path(__file__).with_name("reference.txt").read_text(encoding="utf-8")
    page = _Tables(vocabulary).fill(page)
    return (
        page.replace("«formats»", "\n\n".join(_formats(vocabulary, published=False)))
        .replace("«methods»", ", ".join(f"`{name}`" for name in vocabulary.methods))
        .replace("«metrics»", "\n".join(_metrics(metrics)))
        .replace("«max_bytes»", f"{MAX_BYTES / 1e6:.0f} MB")
        .replace("«max_data_bytes»", f"{MAX_DATA_BYTES / 1e9:.0f} GB")
        .replace("«max_data_lines»", f"{MAX_DATA_LINES:,}")
        .replace("«max_combinations»", f"{MAX_COMBINATIONS:,}")
        .replace("«max_text»", f"{MAX_TEXT:,}")
    )


def published_formats(vocabulary: Vocabulary) -> str:
    """The formats of public test sets, as Markdown: a section for each."""
    return "\n\n".join(_formats(vocabulary, published=True)) + "\n"


class _Tables:
    """Fills the tables of a page, and its index with where every key is."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._owners = {owner.__name__: owner for owner in SECTIONS}
        self._left = {
            owner: {key: _row(owner, key, field) for key, field in _fields(owner)} for owner in SECTIONS
        }
        self._left[SuiteModel] |= {
            name: _row(SuiteModel, name, field) for name, field in method_fields(vocabulary).items()
        }
        self._index: dict[str, dict[str, str]] = {}  # for each key, the headings by owner

    def fill(self, page: str) -> str:
        filled = _PLACEHOLDER.sub(lambda match: self._table(match, page), page)
        return filled.replace("«index»", "\n".join(self._lines_of_index()))

    def _table(self, match: re.Match[str], page: str) -> str:
        owner, left = self._owners[match["owner"]], self._left[self._owners[match["owner"]]]
        named = {
            key
            for other in _PLACEHOLDER.finditer(page)
            if other["owner"] == match["owner"]
            for key in (other["keys"] or "").split()
        }
        rest = [key for key in left if key not in named]
        keys = [key for name in (match["keys"] or "*").split() for key in (rest if name == "*" else [name])]
        heading = _HEADING.findall(page, 0, match.start())[-1]
        for key in keys:
            self._index.setdefault(key, {})[_OWNERS[owner]] = heading
        rows = "\n".join(left.pop(key) for key in keys)
        if match["how"] == "+":
            return rows
        about = "" if match["how"] == "-" or match["keys"] else f"{(owner.__doc__ or '').strip()}\n\n"
        return f"{about}{_HEADER}{rows}"

    def _lines_of_index(self) -> Iterator[str]:
        """A line for each letter."""
        for _, keys in itertools.groupby(sorted(self._index), key=lambda key: key[0]):
            yield f"- {' · '.join(f'`{key}` {self._links(key)}' for key in keys)}"

    def _links(self, key: str) -> str:
        return ", ".join(f"[{owner}]({_anchor(heading)})" for owner, heading in self._index[key].items())


def _formats(vocabulary: Vocabulary, *, published: bool) -> Iterator[str]:
    """A section for each format; those of a family come after the section of the keys that they share."""
    seen: set[int] = set()
    for format in (format for format in vocabulary.formats.values() if format.published is published):
        top = "##" if published else "###"
        if format.family is not None and id(format.family) not in seen:
            seen.add(id(format.family))
            yield _format(format.family, top)
        yield _format(format, top if format.family is None else f"{top}#")


def _format(described: Section, level: str) -> str:
    about = (described.entry.__doc__ or "").strip().removeprefix(f"{described.heading}: ")
    about = about[:1].upper() + about[1:]
    table = _HEADER + "\n".join(_row(described.entry, key, field) for key, field in _fields(described.entry))
    return "\n\n".join(
        part for part in (f"{level} {described.heading}", about, table, described.guide.strip("\n")) if part
    )


def _fields(owner: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    """The keys that the model declares itself."""
    for name in owner.__annotations__:
        if field := owner.model_fields.get(name):
            yield field.alias or name, field


def _row(owner: type[BaseModel], key: str, field: FieldInfo) -> str:
    kind = TYPES.get(owner.__name__, {}).get(key) or " or ".join(_kinds(field))
    cells = [f"`{key}`", kind, _default(field), field.description or ""]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    return "" if field.default_factory is not None or field.default is None else f"`{field.default}`"


def _kinds(field: FieldInfo) -> list[str]:
    alone = create_model("Alone", **{"key": (field.annotation, copy(field))})  # type: ignore[call-overload]
    properties = alone.model_json_schema(by_alias=True)["properties"]
    return list(dict.fromkeys(_words(properties[field.alias or "key"])))


def _words(schema: dict[str, Any]) -> Iterator[str]:
    """The values of a key in plain words, from its JSON Schema."""
    for part in schema.get("anyOf", ()):
        yield from _words(part)
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        heading = next(heading for owner, heading in SECTIONS.items() if owner.__name__ == name)
        yield f"[{heading[0].lower()}{heading[1:]}]({_anchor(heading)})"
    elif "const" in schema:
        yield f"`{schema['const']}`"
    elif "enum" in schema:
        yield from (f"`{value}`" for value in schema["enum"])
    elif schema.get("type") == "array":
        items = " or ".join(_words(schema["items"]))
        yield f"list of {items if items.startswith('[') else items + 's'}"
    elif schema.get("type") == "string":
        yield (
            "language tag"
            if schema.get("pattern") == LANGUAGE_PATTERN
            else "name"
            if {"pattern", "maxLength"} & set(schema)
            else "text"
        )
    elif schema.get("type") == "integer":
        yield "whole number"
    elif schema.get("type") == "boolean":
        yield "`true` or `false`"


def _anchor(heading: str) -> str:
    return "#" + "".join(sign for sign in heading.lower().replace(" ", "-") if sign.isalnum() or sign == "-")


def _metrics(metrics: Mapping[str, MetricText]) -> Iterator[str]:
    yield "| metric | meaning | in brackets |"
    yield "|---|---|---|"
    for name, metric in metrics.items():
        yield f"| `{name}` | {metric.about} | {metric.brackets} |"
