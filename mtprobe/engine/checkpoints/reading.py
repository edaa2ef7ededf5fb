"""Reads the files of a model, which may be incomplete or not what their names say."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

from mtprobe.errors import ModelError
from mtprobe.system.regular_files import open_regular, special_file

MOST_LAYERS = 1000  # of an encoder or a decoder
MOST_CONFIG_BYTES = 5_000_000
MOST_TOKENIZER_BYTES = 40_000_000  # the largest are half of that

_LISTED = 12  # file names shown in an error
_LONGEST_REASON = 200  # characters of a library's message
_LONGEST_VALUE = 40  # characters
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")  # one half of a pair


def open_file(path: Path) -> BufferedReader:
    """Opens a regular file; anything else raises `ModelError`."""
    try:
        return open_regular(path)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None


def read_bytes(path: Path, most: int = MOST_CONFIG_BYTES) -> bytes:
    """The content of a file of at most so many bytes."""
    with open_file(path) as file:
        try:
            content = file.read(most + 1)
        except OSError as error:
            raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(content) > most:
        raise ModelError(f"{path}: too large: such a file has at most {most / 1e6:.0f} MB")
    return content


@contextmanager
def library_errors(what: str) -> Iterator[None]:
    """Turns whatever a library raises for a damaged file into a `ModelError` that starts with `what`.

    Libraries in C++ and Rust raise errors of any kind; a panic of Rust is not even an `Exception`.
    """
    try:
        yield
    except ModelError:
        raise
    except MemoryError:
        raise ModelError(f"{what}: needs more memory than there is") from None
    except Exception as error:
        raise ModelError(f"{what}: {reason_of(error)}") from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ModelError(f"{what}: {reason_of(error)}") from None


def reason_of(error: BaseException) -> str:
    """The first line of an error's message, or its name if it has none."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0] if len(lines[0]) <= _LONGEST_REASON else lines[0][: _LONGEST_REASON - 1] + "…"


def require_folder(folder: Path) -> None:
    if not folder.is_dir():
        problem = "is a file; give the folder that contains it" if folder.exists() else "does not exist"
        raise ModelError(f"{folder}: the model folder {problem}")
    refuse_special_files(folder)


def refuse_special_files(folder: Path) -> None:
    """A model folder has files and folders; reading a FIFO or a device might never end."""
    for path in folder.iterdir():
        if kind := special_file(path):
            raise ModelError(f"{path}: {kind}, not a regular file")


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
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_json(path: Path, most: int = MOST_CONFIG_BYTES) -> dict[str, Any]:
    """The object in a JSON file of at most so many bytes; anything else raises `ModelError`."""
    content = read_bytes(path, most)
    if not content.strip():
        raise ModelError(f"{path}: the file is empty")
    try:
        value = json.loads(content.decode("utf-8-sig"), parse_constant=_not_a_number, parse_float=_finite)
        if _SURROGATE.search(content):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ModelError(f"{path}: not JSON: a lone surrogate, which is not text") from None
    except UnicodeDecodeError:
        raise ModelError(f"{path}: not JSON{what_it_is_instead(content) or ': not UTF-8 text'}") from None
    except RecursionError:
        raise ModelError(f"{path}: not JSON: nested too deeply") from None
    except json.JSONDecodeError as error:
        instead = what_it_is_instead(content) or f": {error.msg}"
        raise ModelError(f"{path}:{error.lineno}:{error.colno}: not JSON{instead}") from None
    except ValueError as error:  # of our own checks, or a number that Python refuses to read
        reason = error.args[0] if isinstance(error, _BadNumber) else "a number with too many digits"
        raise ModelError(f"{path}: not JSON: {reason}") from None
    if not isinstance(value, dict):
        raise ModelError(f"{path}: JSON, but not an object with fields")
    return value


class _BadNumber(ValueError):
    """Accepted by Python's parser, but not JSON."""


def _not_a_number(text: str) -> float:
    raise _BadNumber(f"{text} is not a number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _BadNumber(f"{text[:40]} is too large")
    return value


def read_optional_json(path: Path | None) -> dict[str, Any]:
    """The object in a JSON file, or an empty one if there is no file."""
    return {} if path is None else read_json(path, MOST_TOKENIZER_BYTES)


def shown_value(value: object) -> str:
    """A value for an error, shortened."""
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


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
