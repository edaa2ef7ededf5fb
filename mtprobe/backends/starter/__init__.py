"""The plugin created by `mtprobe new backend`: small, commented, with passing tests."""

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
    """The files of a new plugin, by path. A kind that is invalid or taken is a `ModelError`."""
    if not _KIND.fullmatch(kind):
        raise ModelError(
            f'"{kind}" cannot be the kind of a model: use lower-case letters, digits and hyphens, for example my-engine'
        )
    for backend in listed():
        if backend.kind == kind:
            raise ModelError(f'there is already a backend "{kind}", from {backend.origin}')
    word = kind.replace("-", "_")
    words = {
        "kind": kind,
        "word": word,
        "module": f"mtprobe_{word}",
        "Class": "".join(part.title() for part in kind.split("-")),
    }
    folder = files(__package__)
    return {
        PurePosixPath(_filled(path, words)): _filled((folder / name).read_text("utf-8"), words)
        if name
        else ""
        for path, name in _TEMPLATES.items()
    }


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"«{name}»", word)
    return text
