"""How long to wait before a retry."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

_FIRST, _LONGEST = 1.0, 30.0


def retry_after(text: str | None, today: float) -> float | None:
    """Seconds from a Retry-After header, which is a number or a date; None for anything else."""
    if text is None:
        return None
    text = text.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, date.timestamp() - today)


def backoff(tries: int, chance: float) -> float:
    """Doubles with each try, up to a limit; `chance` (0 to 1) shortens it by up to half."""
    longest = min(_LONGEST, _FIRST * 2.0 ** min(tries - 1, 10))
    return longest * (0.5 + chance / 2)


def in_words(seconds: float) -> str:
    """`0.4 s`, `12 s`, `3 min`."""
    if seconds < 1:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
