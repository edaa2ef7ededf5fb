"""The topics of a source that resemble chatter, which its translation may therefore mention."""

from __future__ import annotations

import re
from functools import cache

from mtprobe.language.words import word_file


def is_about_translating(text: str) -> bool:
    return bool(_pattern("translating").search(text))


def is_about_requests(text: str) -> bool:
    """Translating, helping, requests, or language models: what refusals talk about."""
    return bool(_pattern("translating", "models", "helping", "requests").search(text))


@cache
def _pattern(*topics: str) -> re.Pattern[str]:
    stems = word_file("mtprobe.language", "topics.yaml")
    return re.compile("|".join(stem for topic in topics for stem in stems[topic]), re.IGNORECASE)
