"""The plugin that `mtprobe new backend` writes: small, commented, and its tests pass."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import PurePosixPath

from mtprobe.backends.registry import listed
from mtprobe.errors import ModelError

_KIND = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TEMPLATES = {
    "pyproject.toml": "pyproject.txt",
    "README.md": "readme.txt",
    "src/«module»/__init__.py": "module.txt",
    "src/«module»/py.typed": None,
    "tests/test_«word».py": "test.txt",
}


def starter(kind: str) -> Mapping[PurePosixPath, str]:
    """The files of a new plugin, by their paths below its folder. A kind that cannot be had is a `ModelError`."""
    if not _KIND.fullmatch(kind):
        raise ModelError(
            f'"{kind}" cannot stand before the colon of a model: small letters, digits and hyphens, as in my-engine'
        )
    for known in listed():
        if known.kind == kind:
            raise ModelError(f'there is a backend "{kind}" already, from {known.origin}')
    word = kind.replace("-", "_")
    words = {
        "kind": kind,
        "word": word,
        "module": f"mtprobe_{word}",
        "Class": "".join(part.title() for part in kind.split("-")),
    }
    return {
        PurePosixPath(_filled(path, words)): _filled(_template(name), words) if name else ""
        for path, name in _TEMPLATES.items()
    }


def _template(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"«{name}»", word)
    return text
