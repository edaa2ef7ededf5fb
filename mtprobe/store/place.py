"""Where a store is, and how large it may get."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from mtprobe.store.errors import StoreError
from mtprobe.store.sizes import bytes_of

LIMIT_VARIABLE = "MTPROBE_STORE_LIMIT"
_LIMIT = 8_000_000_000


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
