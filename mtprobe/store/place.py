"""The location of a store, its maximum size, and sizes and ages as written by users."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from mtprobe.store.errors import StoreError

LIMIT_VARIABLE = "MTPROBE_STORE_LIMIT"
_LIMIT = 8_000_000_000
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}  # fmt: skip
_DAYS = {"D": 1, "W": 7, "Y": 365}


def limit_of_the_environment() -> int:
    """Bytes of the file beyond which nothing new is stored."""
    given = os.environ.get(LIMIT_VARIABLE)
    if not given:
        return _LIMIT
    try:
        return bytes_of(given)
    except ValueError as error:
        raise StoreError(f"{LIMIT_VARIABLE}: {error}") from None


def keep_out_of_git(folder: Path) -> None:
    """Adds a .gitignore to mtprobe's own folder; a folder of another name is the user's business."""
    if folder.name == ".mtprobe":
        with suppress(OSError):  # the next write there reports it
            folder.mkdir(parents=True, exist_ok=True)
            ignore = folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")


def bytes_of(text: str) -> int:
    """`500MB` → 500,000,000."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Z]*)", text.strip().upper())
    if not match or match[2] not in _UNITS:
        raise ValueError(f'"{text}" is not a size; write it like 500MB or 2GB')
    return int(float(match[1]) * _UNITS[match[2]])


def days_of(text: str) -> int:
    """`2w` → 14."""
    match = re.fullmatch(r"(\d+)\s*([DWY])", text.strip().upper())
    if not match:
        raise ValueError(f'"{text}" is not an age; write it like 30d, 8w or 1y')
    return int(match[1]) * _DAYS[match[2]]


def as_size(count: int) -> str:
    """`12.3 MB`."""
    for unit in ("GB", "MB", "kB"):
        size = _UNITS[unit.upper()]
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count} B"
