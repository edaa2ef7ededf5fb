"""Detects a missing colon or dash, which YAML reports only lines later."""

from __future__ import annotations

import re

Omission = tuple[int, int, str]  # line, column, what is wrong

_LONGEST = 400  # characters of a line that are examined
_WITHOUT_COLON = re.compile(r"^ *(?:- +)*(?P<key>[^\W\d][\w-]*) +(?P<value>[^\s:#][^:]*)$")
_PARENT = re.compile(r"^ *(?:- +)*[\w-]+: *(?:#.*)?$")


def omission(problem: str, text: str, line: int) -> Omission | None:
    """The omission above the line in which the parser reports this problem; None if there is none."""
    lines = [written[:_LONGEST] for written in text.split("\n")]
    filled = [
        number
        for number, written in enumerate(lines, start=1)
        if written.strip() and not _is_comment(written)
    ]
    above = [number for number in filled if number < line]
    if "expected ':'" in problem or "mapping values" in problem:
        return _colon(lines, above, line)
    if "expected key" in problem or "block end" in problem:
        return _first_dash(lines, above, line)
    return None


def _colon(lines: list[str], above: list[int], line: int) -> Omission | None:
    """`category rare`: the parser complains in the next line, which is not indented further."""
    if not above or (match := _WITHOUT_COLON.match(lines[above[-1] - 1])) is None:
        return None
    here = lines[line - 1] if line <= len(lines) else ""
    if here.strip() and _indentation(here) > match.start("key"):
        return None
    key, value = match["key"], match["value"].strip()
    return above[-1], match.end("key") + 1, f'a colon is missing after "{key}"; write "{key}: {value}"'


def _first_dash(lines: list[str], above: list[int], line: int) -> Omission | None:
    """The second item of a list has its dash, and the first one has not."""
    if line > len(lines) or not lines[line - 1].lstrip().startswith("- "):
        return None
    most = max(_indentation(lines[line - 1]) - 1, 0)
    parent = max(
        (at for at, number in enumerate(above) if _indentation(lines[number - 1]) <= most), default=None
    )
    if parent is None or parent + 1 == len(above) or not _PARENT.match(lines[above[parent] - 1]):
        return None
    first = lines[above[parent + 1] - 1]
    if first.lstrip().startswith("-"):
        return None
    return above[parent + 1], _indentation(first) + 1, 'a "- " is missing before the first item of the list'


def _indentation(written: str) -> int:
    return len(written) - len(written.lstrip(" "))


def _is_comment(written: str) -> bool:
    return written.lstrip().startswith("#")
