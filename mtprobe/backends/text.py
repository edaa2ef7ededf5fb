"""Text that no encoding has: Python's strings may hold half a surrogate pair."""

from __future__ import annotations

from mtprobe.errors import Failure

HALF_A_CHARACTER = Failure("the source holds half a character (a lone surrogate), which is no text")


def is_whole(text: str) -> bool:
    """Whether it can be written down at all."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
