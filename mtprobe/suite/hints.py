"""What to say about the YAML traps that people who write suites fall into."""

from __future__ import annotations

import re

_BARE_BOUND = re.compile(r":\s*(?P<bound>[<>]=?\s*[\d.]+.*?)\s*(?:#.*)?$")
_BRACKET_KEY_IN_FLOW = re.compile(r"[{,]\s*(?P<key>[\w-]+\[[^\]]*\])\s*:")
_COLON_IN_TEXT = re.compile(r"^\s*(?:-\s+)?(?:[\w-]+:\s+)?(?P<text>[^\"'\s|>].*:\s.*)$")


_BRACKET_OPENS_TEXT = re.compile(r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?(?:\{[^{}:]*\}|\[[^\[\]]*\])\s*[^\s#,}\]]")
_LONGEST = 400  # characters of a line that are looked at


def hint_for(problem: str, text: str, line: int) -> str:
    """A hint for a syntax error in this line, or nothing; `problem` is what the parser said."""
    lines = text.split("\n")
    around = [lines[number - 1][:_LONGEST] for number in (line, line - 1) if 0 < number <= len(lines)]
    for written in around:
        if found := _BARE_BOUND.search(written):
            return f'; put the bound in quotes: "{found["bound"]}"'
        if found := _BRACKET_KEY_IN_FLOW.search(written):
            return f'; inside {{…}} put the key in quotes: "{found["key"]}"'
    written = around[0] if around else ""
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return "; YAML is indented with spaces, not with tabs"
    if "escape" in problem:
        return "; a backslash stands for itself only in plain text or between single quotes '…'"
    if "alias" in problem or "anchor" in problem:
        return "; put text that starts with * or & in quotes"
    if "another document" in problem:
        return "; each suite has its own file"
    if _BRACKET_OPENS_TEXT.match(written):
        return "; put text that starts with { or [ in quotes"
    if "expected ','" in problem and re.search(r"[{\[].*[{\[]", written):
        return "; inside {…} and […] put text that holds such brackets or a comma in quotes"
    if _COLON_IN_TEXT.match(written):
        return "; put text that holds a colon in quotes"
    if written.lstrip().startswith(("@", "`", "%", "- @", "- `", "- %")):
        return "; put text that starts with this sign in quotes"
    return ""
