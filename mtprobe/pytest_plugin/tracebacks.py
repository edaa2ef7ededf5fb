"""Makes tracebacks of models and plugins safe to print, because they may quote untrusted text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from mtprobe.printable import printable_lines


def printable_traceback(shown: Any) -> Any:
    """pytest's representation of an error, with all its texts printable; it keeps its colours and its parts."""
    if isinstance(shown, str):
        return printable_lines(shown)
    if isinstance(shown, list | tuple):
        return type(shown)(printable_traceback(part) for part in shown)
    if is_dataclass(shown) and not isinstance(shown, type):
        for field in fields(shown):
            object.__setattr__(shown, field.name, printable_traceback(getattr(shown, field.name)))
    return shown
