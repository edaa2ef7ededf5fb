"""Standard input, line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice

from mtprobe.errors import MtprobeError

CHUNK = 256  # lines read before the model is called


def lines() -> Iterator[str]:
    """Standard input, line by line."""
    try:
        for line in sys.stdin:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise MtprobeError("standard input is not UTF-8 text") from None


def chunks_of_lines() -> Iterator[list[str]]:
    """Standard input, `CHUNK` lines at a time."""
    remaining = lines()
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk
