"""The generators' word lists, from the YAML files in `words`."""

from __future__ import annotations

from functools import cache
from typing import Any

from mtprobe.language.words import word_file


def table(language: str, name: str) -> Any:
    """One list or mapping of a language's file."""
    return word_file("mtprobe.authoring.pairs", "words", f"{language}.yaml")[name]


@cache
def words(language: str, name: str) -> frozenset[str]:
    """A list as a set."""
    return frozenset(table(language, name))
