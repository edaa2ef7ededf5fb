"""Text that cannot be encoded: a Python string may contain a lone surrogate."""

from __future__ import annotations

from mtprobe.errors import Failure

LONE_SURROGATE = Failure("the source contains a lone surrogate, so it is not valid Unicode text")


def is_encodable(text: str) -> bool:
    """Whether the text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
