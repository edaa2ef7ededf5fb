"""Reads the files of a model, which may be whatever a failed download left behind."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mtprobe.errors import ModelError

_LISTED = 12  # file names shown in an error


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None


def require_folder(folder: Path) -> None:
    if not folder.is_dir():
        problem = "is a file; give the folder that contains it" if folder.exists() else "does not exist"
        raise ModelError(f"{folder}: the model folder {problem}")


def abbreviated(paths: Iterable[Path]) -> str:
    """The names of the first files, for errors."""
    names = sorted(path.name for path in paths)
    return ", ".join(names[:_LISTED] + ["…"] * (len(names) > _LISTED)) or "nothing"


def file_digest(path: Path) -> str:
    """The sha256 of a file, computed again only if the file has changed."""
    try:
        status = path.stat()
        return _digest_of_content(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None


@functools.cache
def _digest_of_content(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - part of the cache key
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; anything else raises `ModelError`."""
    content = read_bytes(path)
    if not content.strip():
        raise ModelError(f"{path}: the file is empty")
    try:
        value = json.loads(content.decode())
    except (UnicodeDecodeError, RecursionError):
        raise ModelError(f"{path}: not JSON{what_it_is_instead(content)}") from None
    except json.JSONDecodeError as error:
        instead = what_it_is_instead(content) or f": {error.msg}"
        raise ModelError(f"{path}:{error.lineno}:{error.colno}: not JSON{instead}") from None
    if not isinstance(value, dict):
        raise ModelError(f"{path}: JSON, but not an object with fields")
    return value


def read_optional_json(path: Path | None) -> dict[str, Any]:
    """The object in a JSON file, or an empty one if there is no file."""
    return {} if path is None else read_json(path)


def what_it_is_instead(content: bytes) -> str:
    """`; it is …` for common replacements of a model's file, or an empty string."""
    start = content[:64].lstrip()
    if start.startswith(b"<"):
        return "; it is an HTML or XML page, as a failed download leaves behind"
    if start.startswith(b"version https://git-lfs"):
        return "; it is a Git LFS pointer: fetch the file itself with `git lfs pull`"
    if start.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")):
        return "; it is compressed: unpack it first"
    return ""
