"""What to say about the YAML traps that people who write suites fall into."""

from __future__ import annotations

import re

_LONGEST = 400  # characters of a line that are looked at

_BARE_BOUND = re.compile(r":\s*(?P<bound>[<>]=?\s*[\d.]+.*?)\s*(?:#.*)?$")
_BRACKET_KEY_IN_FLOW = re.compile(r"[{,]\s*(?P<key>[\w-]+\[[^\]]*\])\s*:")

# What the parser says, what the line looks like (both searched for), and what helps. The first that fits counts.
_KEY = r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?"
_HINTS = tuple(
    (re.compile(problem), re.compile(line), hint)
    for problem, line, hint in (
        ("", r"^ *\t", "YAML is indented with spaces, not with tabs"),
        ("escape", "", "a backslash stands for itself only in plain text or between single quotes '…'"),
        ("alias|anchor", "", "put text that starts with * or & in quotes"),
        ("another document", "", "each suite has its own file"),
        ("", rf"{_KEY}(?:\{{[^{{}}:]*\}}|\[[^\[\]]*\])\s*[^\s#,}}\]]", "put text that starts with { or [ in quotes"),
        ("", rf"{_KEY}(?:\"[^\"]*\"|'[^']*')\s*[^\s#,:}}\]]", "put quotes around all of the text; inside '…' a ' is doubled"),
        ("expected ','", r"[{\[].*[{\[]", "inside {…} and […] put text that holds such brackets or a comma in quotes"),
        ("", r"^\s*(?:-\s+)*[\w-]+:\s+[^\"'\s|>{\[].*:\s", "put text that holds a colon in quotes"),
        ("cannot start any token", "", "put text that starts with this sign in quotes"),
        ("mapping values|expected key|expected '-'|expected ':'|block end", "",
         "look at how far this line and those around it are indented, and for a missing space behind : or -"),
    )
)  # fmt: skip


def hint_for(problem: str, text: str, line: int, opened: int | None = None) -> str:
    """A hint for a syntax error in this line, or nothing.

    `problem` is what the parser said, `opened` the line where the quote or bracket that it was reading opened.
    """
    lines = text.split("\n")
    around = [lines[number - 1][:_LONGEST] for number in (line, line - 1) if 0 < number <= len(lines)]
    for written in around:
        if found := _BARE_BOUND.search(written):
            return f'; put the bound in quotes: "{found["bound"]}"'
        if found := _BRACKET_KEY_IN_FLOW.search(written):
            return f'; inside {{…}} put the key in quotes: "{found["key"]}"'
    if opened is not None and opened < line:
        return f"; is the quote or bracket closed that line {opened} opens?"
    written = around[0] if around else ""
    for says, looks, hint in _HINTS:
        if says.search(problem) and looks.search(written):
            return f"; {hint}"
    return ""
