"""Protects tables from spreadsheets, which run cells that look like formulas."""

from __future__ import annotations

import re
from typing import Any

# White space and control characters before the sign do not stop a spreadsheet; full-width signs count as well.
_FORMULA = re.compile(r"[\s\x00-\x1f]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n\x00]")


def begins_like_a_formula(text: str) -> bool:
    """Whether a spreadsheet would compute the text."""
    return _FORMULA.match(text) is not None


def spreadsheet_cell(value: Any) -> Any:
    """A text that begins like a formula gets an apostrophe in front; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and begins_like_a_formula(value) else value
