"""A digest of a sample's content: samples of two runs are comparable if it is the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from mtprobe.language import tags
from mtprobe.suite.sample import Sample

# A sample's name, its place and the group that it counts for (also by the rank of its sense) do not change its verdict.
_NOT_CONTENT = frozenset({"id", "category", "attributes", "cluster", "place", "senses"})
_CONTENT = tuple(item.name for item in fields(Sample) if item.name not in _NOT_CONTENT)


def content_digest(sample: Sample, target: str) -> str:
    """Changes when the source or the evidence for models into `target` does.

    Empty fields do not count, so that a key which a later version adds changes nothing.
    """
    parts = {name: _for_language(getattr(sample, name), target) for name in _CONTENT}
    text = json.dumps(_plain(parts), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _for_language(value: Any, target: str) -> Any:
    """The parts of a mapping by language that apply to `target`; anything else unchanged."""
    if not isinstance(value, Mapping) or not all(tags.is_language(str(name)) for name in value):
        return value
    return {language: part for language, part in value.items() if tags.fits(language, target)}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value):
        value = {item.name: getattr(value, item.name) for item in fields(value)}
    if isinstance(value, Mapping):
        plain = {str(name): _plain(part) for name, part in value.items()}
        return {name: part for name, part in plain.items() if part not in (None, (), [], {}, "")}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
