"""The card of a model (README.md), where it lies beside the weights: what it says of languages."""

from __future__ import annotations

import re

import yaml

from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.language import tags

CARD = "README.md"
_MOST_BYTES = 1_000_000
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)


def language_of_card(folder: ModelFolder) -> str | None:
    """The one language that the card names, as a BCP 47 tag; None where it names several, or none that is one."""
    path = folder.file(CARD)
    if path is None or path.stat().st_size > _MOST_BYTES:
        return None
    front = _FRONT.match(path.read_text(encoding="utf-8", errors="replace"))
    if front is None:
        return None
    try:
        # BaseLoader: every value is text, so that `no` is Norwegian.
        says = yaml.load(front.group(1), Loader=yaml.BaseLoader)  # noqa: S506 - it makes nothing but text
    except yaml.YAMLError:
        return None
    named = says.get("language") if isinstance(says, dict) else None
    if isinstance(named, list) and len(named) == 1:
        named = named[0]
    return tags.standard(named) if isinstance(named, str) and tags.is_language(named) else None
