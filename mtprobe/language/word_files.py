"""Word lists that come with mtprobe: YAML in which every word is text, *no* and *on* too."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def word_file(package: str, *path: str) -> dict[str, Any]:
    """A file of word lists inside a package."""
    text = files(package).joinpath(*path).read_text(encoding="utf-8")
    lists: dict[str, Any] = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - creates only text
    return lists
