r"""Makes untrusted text safe for a terminal or a log.

Translations, sources, names, paths and the messages of servers and programs may contain anything. Shown as they are,
some characters would be obeyed instead: escape sequences, changes of direction, line ends, and the commands that CI
systems look for in logs. These become visible escapes (`\x1b`, `\u202e`, `\n`); everything else stays as it is.

GitHub Actions obeys `::error …::` at the start of a line, after any white space, and `##[error]` anywhere in one;
Azure Pipelines (`##vso[`) and TeamCity (`##teamcity[`) search whole lines too.
"""

from __future__ import annotations

import json
import re
from typing import Any

_OBEYED = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, except tab and line feed
    "\u2028\u2029"  # line ends of Unicode
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # changes of direction
    "\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # invisible, and of no use to letters
    "\ud800-\udfff"  # lone surrogates, which cannot be encoded
)
_IN_LINES = re.compile(f"[{_OBEYED}]")
_IN_LINE = re.compile(f"[{_OBEYED}\t\n]")
_AT_START = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)
_ANYWHERE = re.compile(r"##(?=(?:vso|teamcity)?\[)", re.IGNORECASE)


def printable(text: object) -> str:
    """The text on one line, which can stand anywhere in a line."""
    return without_commands(_IN_LINE.sub(_escape, str(text)))


def printable_lines(text: object) -> str:
    """The text with its own line feeds and tabs: for what we have put together from several parts."""
    return without_commands(_IN_LINES.sub(_escape, str(text)))


def printable_json(value: Any, **settings: Any) -> str:
    """JSON that reads back as the same value, with escapes where a terminal would obey; `settings` as in `json.dumps`."""
    text = json.dumps(value, ensure_ascii=False, **settings)
    return _ANYWHERE.sub(r"#\\u0023", _IN_LINES.sub(_escape_in_json, text))


def without_commands(text: str) -> str:
    """Lines in which a CI system finds no command: for what was laid out after it was made printable."""
    return _ANYWHERE.sub(r"#\\x23", _AT_START.sub(r"\1\\x3a", text))


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def _escape_in_json(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
