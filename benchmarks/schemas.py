"""Winograd schemas from the templates of `schemas.yaml`, for `mtprobe winograd`: JSON Lines in the layout of WinoGrande.

python -m benchmarks.schemas > schemas.jsonl
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import yaml

TEMPLATES = Path(__file__).with_suffix(".yaml")


def instances() -> Iterator[dict[str, str]]:
    """Both twins of each schema, one after the other."""
    for template in yaml.safe_load(TEMPLATES.read_text(encoding="utf-8")):
        for first, second in product(template["first"], template["second"]):
            if first != second:
                yield from twins(template, first, second)


def twins(template: dict[str, Any], first: str, second: str) -> Iterator[dict[str, str]]:
    for answer, trigger in enumerate(template["triggers"], start=1):
        yield {
            "qID": f"{template['name']}-{first}-{second}-{answer}",
            "sentence": template["sentence"].format(first=first, second=second, trigger=trigger),
            "option1": first,
            "option2": second,
            "answer": str(answer),
        }


if __name__ == "__main__":
    for instance in instances():
        print(json.dumps(instance))
