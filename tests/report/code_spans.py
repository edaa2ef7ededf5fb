"""Code spans as CommonMark reads them."""

from __future__ import annotations

import re

_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def outside_code(line: str) -> str:
    return _SPAN.sub("", line)


def spans(line: str) -> list[str]:
    """What the spans show: one space on each side belongs to the fence."""
    found = [one[1] for one in _SPAN.findall(line)]
    return [one[1:-1] if one.startswith(" ") and one.endswith(" ") and one.strip() else one for one in found]
