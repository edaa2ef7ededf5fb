"""The suite format as a JSON Schema, so that editors complete keys and find typos.

Made from the models; what only other stages know (metrics, methods) is added here.
"""

from __future__ import annotations

import json
from typing import Any

from mtprobe.methods import METHODS
from mtprobe.metrics import METRICS
from mtprobe.suite.format.fields import LANGUAGE_PATTERN
from mtprobe.suite.format.suite import SuiteModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_BOUND = {
    "type": "string",
    "pattern": r"^\s*(>=|<=|>|<|≥|≤)\s*[0-9.]+\s*%?\s*(@\s*[0-9.]+\s*%)?\s*$",
    "description": 'A comparison, in quotes: ">= 0.60", or ">= 0.60 @95%" to decide on the confidence interval.',
}


def suite_schema() -> dict[str, Any]:
    """A suite's JSON Schema."""
    schema = _without_titles(SuiteModel.model_json_schema(by_alias=True))
    keys = schema["properties"]
    keys["method"]["enum"] = [*METHODS, None]
    keys["methods"]["anyOf"][0]["items"] = {"enum": [*METHODS]}
    keys["gates"] = {"description": keys["gates"]["description"], **_gates()}
    schema["$defs"]["GateModel"]["properties"]["bound"] = _BOUND
    return {
        "$schema": DIALECT,
        "title": "mtprobe suite",
        **schema,
        "oneOf": [{"required": ["method"]}, {"required": ["methods"]}],
        "anyOf": [{"required": [key]} for key in ("samples", "generate", "data")],
    }


def schema_text() -> str:
    """The schema as it is written to a file."""
    return json.dumps(suite_schema(), indent=2, ensure_ascii=False) + "\n"


def _gates() -> dict[str, Any]:
    """Metrics with a bound, and language tags with such gates of their own."""
    metrics = "|".join(METRICS)
    gate = {"anyOf": [_BOUND, {"$ref": "#/$defs/GateModel"}]}
    gates = {
        rf"^{name}(\[[^\]]*\])?( *@ *[\w-]+)?$": {"description": f"{metric.about}.", **gate}
        for name, metric in METRICS.items()
    }
    # `gap` could be a language tag, too.
    language = f"^(?!({metrics})$){LANGUAGE_PATTERN.removeprefix('^')}"
    for_one_language = {
        "type": "object",
        "description": "For models into this language only.",
        "patternProperties": gates,
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "patternProperties": {**gates, language: for_one_language},
        "additionalProperties": False,
    }


def _without_titles(node: Any) -> Any:
    """The schema without the titles that pydantic makes from our names, and closed where languages are keys."""
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
