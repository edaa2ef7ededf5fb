"""The suite format as JSON Schema, for completion and typo checks in editors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mtprobe.suite.format.fields import LANGUAGE_PATTERN
from mtprobe.suite.format.suite import suite_model
from mtprobe.suite.vocabulary import MetricText, Vocabulary

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Suites name it in their first line, so it stays as it is for all of format 1.
SCHEMA_ID = "https://raw.githubusercontent.com/mtprobe/mtprobe/main/mtprobe/suite/format/schema.json"

_BOUND = {
    "type": "string",
    "pattern": r"^\s*(>=|<=|>|<|≥|≤)\s*[0-9.]+\s*%?\s*(@\s*[0-9.]+\s*%)?\s*$",
    "description": 'A comparison, in quotes: ">= 0.60", or ">= 0.60 @95%" to decide on the confidence interval.',
}


def suite_schema(vocabulary: Vocabulary, metrics: Mapping[str, MetricText]) -> dict[str, Any]:
    """A suite's JSON Schema, with these methods, formats and metrics."""
    schema = _without_titles(suite_model(vocabulary, described=True).model_json_schema(by_alias=True))
    keys = schema["properties"]
    keys["method"]["enum"] = [*vocabulary.methods, None]
    keys["methods"]["anyOf"][0]["items"] = {"enum": [*vocabulary.methods]}
    keys["gates"] = {"description": keys["gates"]["description"], **_gates(metrics)}
    schema["$defs"]["GateModel"]["properties"]["bound"] = _BOUND
    return {
        "$schema": DIALECT,
        "$id": SCHEMA_ID,
        "title": "mtprobe suite",
        **schema,
        "oneOf": [{"required": ["method"]}, {"required": ["methods"]}],
        "anyOf": [{"required": [key]} for key in ("samples", "generate", "data")],
    }


def _gates(metrics: Mapping[str, MetricText]) -> dict[str, Any]:
    """Metrics with a bound, and language tags with gates of their own."""
    gate = {"anyOf": [_BOUND, {"$ref": "#/$defs/GateModel"}]}
    gates = {
        rf"^{metric}(\[[^\]]*\])?( *@ *[\w-]+)?$": {"description": f"{text.about}.", **gate}
        for metric, text in metrics.items()
    }
    # `gap` could be a language tag too.
    language = f"^(?!({'|'.join(metrics)})$){LANGUAGE_PATTERN.removeprefix('^')}"
    gates_for_language = {
        "type": "object",
        "description": "For models into this language only.",
        "patternProperties": gates,
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "patternProperties": {**gates, language: gates_for_language},
        "additionalProperties": False,
    }


def _without_titles(node: Any) -> Any:
    """The schema without the titles that pydantic makes from our names, and closed where the keys are languages."""
    if isinstance(node, list):
        return [_without_titles(part) for part in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _without_titles(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }
    return {**kept, "additionalProperties": False} if "patternProperties" in kept else kept
