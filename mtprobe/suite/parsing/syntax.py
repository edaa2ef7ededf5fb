"""Reports YAML syntax errors at the place of the mistake, in words for authors."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from mtprobe.errors import Place, SuiteError
from mtprobe.suite.parsing.omissions import omission
from mtprobe.suite.parsing.slips import syntax_slip


def syntax_error(error: yaml.MarkedYAMLError, text: str, path: Path) -> SuiteError:
    """The parser's error, or the slip that caused it."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = error.problem or error.context or "cannot be read"
    if problem.startswith("but ") and error.context:
        problem = f"{error.context}, {problem}"
    inside = re.search("quoted scalar|flow", error.context or "") and error.context_mark
    if not inside and (slip := syntax_slip(text, line) or omission(problem, text, line)):
        return SuiteError.at(Place(path, *slip[:2]), f"not valid YAML: {slip[2]}")
    hint = _hint(problem, text, line, inside.line + 1 if inside else None)
    said = next((plain for jargon, plain in _IN_PLAIN_WORDS if jargon in problem), problem)
    return SuiteError.at(Place(path, line, column), f"not valid YAML: {said}{hint}")


# The parser's terms, and what they mean to somebody who writes suites.
_IN_PLAIN_WORDS = (
    ("mapping values are not allowed", "unexpected colon"),
    ("block sequence entries are not allowed", "unexpected dash"),
    ("mapping keys are not allowed", "unexpected question mark"),
    ("did not find expected '-' indicator", "this line does not belong to the list above it"),
    ("did not find expected ',' or '}'", "expected a comma or }"),
    ("did not find expected ',' or ']'", "expected a comma or ]"),
    ("did not find expected key", "unexpected text"),
    ("did not find expected comment or line break", "unexpected text"),
    ("found character that cannot start any token", "text cannot begin with this character"),
    ("expected alphabetic or numeric character", "text cannot begin with & or *"),
    ("found a tab character that violates indentation", "a tab in the indentation"),
)


_LONGEST = 400  # characters of a line that are examined

_BARE_BOUND = re.compile(r":\s*(?P<bound>[<>]=?\s*[\d.]+.*?)\s*(?:#.*)?$")
_UNCLOSED = re.compile(r"""[:\-\[{,]\s+(?:"[^"]*|'[^']*)$""")
_BRACKET_KEY_IN_FLOW = re.compile(r"[{,]\s*(?P<key>[\w-]+\[[^\]]*\])\s*:")

# The parser's message, the line (both are regular expressions), and the hint. The first that matches counts.
_KEY = r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?"
_HINTS = tuple(
    (re.compile(problem), re.compile(line), hint)
    for problem, line, hint in (
        ("", r"^ *\t", "YAML is indented with spaces, not with tabs"),
        ("escape", "", "a backslash is literal only in plain text or between single quotes '…'"),
        ("alias|anchor|alphabetic", "", "put text that starts with * or & in quotes"),
        ("", rf"{_KEY}[*&]", "put text that starts with * or & in quotes"),
        ("sequence entries", rf"{_KEY}-\s", "put text that starts with a dash in quotes, or begin the list on the next line"),
        ("mapping keys", "", "put text that starts with ? in quotes"),
        ("another document", "", "each suite has its own file"),
        ("", rf"{_KEY}(?:\{{[^{{}}:]*\}}|\[[^\[\]]*\])\s*[^\s#,}}\]]", "put text that starts with { or [ in quotes"),
        ("", rf"{_KEY}(?:\"[^\"]*\"|'[^']*')\s*[^\s#,:}}\]]", "put quotes around the whole text, and double a ' inside '…'"),
        ("expected ','", r"[{\[].*[{\[]", "inside {…} and […] put text that contains brackets or a comma in quotes"),
        ("expected ','", "", "entries inside {…} and […] are separated by commas; is one missing before this place?"),
        ("", r"^\s*(?:-\s+)*[\w-]+:\s+[^\"'\s|>{\[].*:(?:\s|$)", "put text that contains a colon in quotes"),
        ("cannot start any token", "", "put text that starts with this character in quotes"),
        ("expected '-'", r"^\s*[\w-]+:(\s|$)", 'a "- " is missing before it, or it is not indented like the lines above'),
        ("mapping values|expected key|expected '-'|expected ':'|block end", "",
         "check the indentation of this line and of those around it, and for a missing space after : or -"),
    )
)  # fmt: skip


def _hint(problem: str, text: str, line: int, opened: int | None = None) -> str:
    """A hint for a syntax error in this line, or nothing.

    `problem` is the parser's message, `opened` the line of the opening quote or bracket that it was reading.
    """
    lines = text.split("\n")
    around = [lines[number - 1][:_LONGEST] for number in (line, line - 1) if 0 < number <= len(lines)]
    for written in around:
        if match := _BARE_BOUND.search(written):
            return f'; put the bound in quotes: "{match["bound"]}"'
        if match := _BRACKET_KEY_IN_FLOW.search(written):
            return f'; inside {{…}} put the key in quotes: "{match["key"]}"'
    if opened is not None and opened < line:
        return f"; check that the quote or bracket opened on line {opened} is closed"
    if around and re.search("[\"']", around[0]) and (left_open := _quote_left_open(lines, line)):
        return f"; check that the quote opened on line {left_open} is closed"
    written = around[0] if around else ""
    for says, looks, hint in _HINTS:
        if says.search(problem) and looks.search(written):
            return f"; {hint}"
    return ""


def _quote_left_open(lines: list[str], line: int) -> int | None:
    """The nearest line above that has a quote, if that quote is opened and not closed there: the parser ended it at the next one."""
    for number in range(line - 1, 0, -1):
        written = lines[number - 1][:_LONGEST]
        if re.search("[\"']", written):
            return number if _UNCLOSED.search(written) else None
    return None
