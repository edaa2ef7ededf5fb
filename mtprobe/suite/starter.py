"""The suite created by `mtprobe new suite`: small, commented and runnable."""

from __future__ import annotations

import json
import re
from pathlib import Path

_PLAIN = re.compile(r"[^\W\d_][\w.-]*(?: [\w.-]+)*")
_NOT_WORDS = ("true", "false", "null")


def starter(name: str, path: str) -> str:
    """The text of a new suite with this name, to be written to this path."""
    from mtprobe.suite.format.schema import SCHEMA_ID

    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    return text.replace("«name»", as_yaml(name)).replace("«path»", path).replace("«schema»", SCHEMA_ID)


def name_from(stem: str) -> str:
    """A suite's name from its file's: characters that a name may not have become dashes."""
    return re.sub(r"[^\w .-]+", "-", stem).strip("-. ")[:100] or "suite"


def as_yaml(name: str) -> str:
    """The text as a YAML scalar, in quotes where it needs them."""
    plain = _PLAIN.fullmatch(name) and name.casefold() not in _NOT_WORDS
    return name if plain else json.dumps(name, ensure_ascii=False)
