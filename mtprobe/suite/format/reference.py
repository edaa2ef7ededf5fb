"""docs/reference/suite-format.md: the hand-written reference.txt, filled with tables made from the models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def reference(vocabulary: Vocabulary, metrics: Mapping[str, MetricText]) -> str:
    """The whole page, as Markdown, with these methods, formats and metrics."""
    page = Path(__file__).with_name("reference.txt").read_text(encoding="utf-8")
    for owner in SECTIONS:
        rows = [*_rows(owner)]
        if owner is SuiteModel:
            rows += (_row(owner, name, field) for name, field in method_fields(vocabulary).items())
        page = page.replace(f"«{owner.__name__}»", _section(owner, rows))
    return (
        page.replace("«formats»", "\n\n".join(_formats(vocabulary)))
        .replace("«methods»", ", ".join(f"`{name}`" for name in vocabulary.methods))
        .replace("«metrics»", "\n".join(_metrics(metrics)))
        .replace("«max_bytes»", f"{MAX_BYTES / 1e6:.0f} MB")
        .replace("«max_data_bytes»", f"{MAX_DATA_BYTES / 1e9:.0f} GB")
        .replace("«max_data_lines»", f"{MAX_DATA_LINES:,}")
        .replace("«max_combinations»", f"{MAX_COMBINATIONS:,}")
        .replace("«max_text»", f"{MAX_TEXT:,}")
    )


def _formats(vocabulary: Vocabulary) -> Iterator[str]:
    """A section for each format; those of a family come after the section of the keys that they share."""
    seen: set[int] = set()
    for format in vocabulary.formats.values():
        if format.family is not None and id(format.family) not in seen:
            seen.add(id(format.family))
            yield _format(format.family, "###")
        yield _format(format, "###" if format.family is None else "####")


def _format(described: Section, level: str) -> str:
    section = _section(described.entry, _rows(described.entry))
    return "\n\n".join(
        part for part in (f"{level} {described.heading}", section, described.guide.strip()) if part
    )


def _section(owner: type[BaseModel], rows: Iterable[str]) -> str:
    """What the model is, and a table of its keys."""
    table = ["| key | value | default | meaning |", "|---|---|---|---|", *rows]
    return "\n".join([(owner.__doc__ or "").strip(), "", *table])


def _rows(owner: type[BaseModel]) -> Iterator[str]:
    """The keys that the model declares itself."""
    for name in owner.__annotations__:
        if field := owner.model_fields.get(name):
            yield _row(owner, field.alias or name, field)


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
