"""The language that a model card (README.md) names."""

from __future__ import annotations

import re

import yaml

from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.language import tags

CARD = "README.md"
_MOST_BYTES = 1_000_000
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)


def language_of_card(folder: ModelFolder) -> str | None:
    """The language that the card names, as a BCP 47 tag; None if it names several, or no valid one."""
    path = folder.file(CARD)
    if path is None or path.stat().st_size > _MOST_BYTES:
        return None
    front = _FRONT.match(path.read_text(encoding="utf-8", errors="replace"))
    if front is None:
        return None
    try:
        # BaseLoader: every value is text, so that `no` is Norwegian.
        metadata = yaml.load(front.group(1), Loader=yaml.BaseLoader)  # noqa: S506 - creates only strings
    except yaml.YAMLError:
        return None
    language = metadata.get("language") if isinstance(metadata, dict) else None
    if isinstance(language, list) and len(language) == 1:
        language = language[0]
    return tags.standard(language) if isinstance(language, str) and tags.is_language(language) else None
