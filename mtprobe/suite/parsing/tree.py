"""YAML text → plain Python values, with the place of each.

Scalars follow YAML 1.2: `no` and `on` are words, only `true` and `false` are booleans.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from mtprobe.errors import Place, Problem, SuiteError
from mtprobe.suite.parsing.limits import check_structure, read_text
from mtprobe.system import bounded_yaml

Location = tuple[str | int, ...]
_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class Tree:
    """A suite's values with the place of each, found by its location (`("samples", 3, "category")`)."""

    path: Path
    value: Any
    marks: dict[Location, tuple[int, int]]

    def place(self, location: Location) -> Place:
        """The place of a location; of one that does not exist, of its nearest parent."""
        while location and location not in self.marks:
            location = location[:-1]
        return Place(self.path, *self.marks.get(location, (1, 1)))


def read_tree(path: Path) -> Tree:
    """Reads a YAML file, or raises a `SuiteError` at the place of a syntax error."""
    text = read_text(path)
    try:
        check_structure(text, path)
        node = yaml.compose(text, Loader=bounded_yaml.CoreLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = error.problem or error.context or "cannot be read"
        if problem.startswith("but ") and error.context:
            problem = f"{error.context}, {problem}"
        inside = re.search("quoted scalar|flow", error.context or "") and error.context_mark
        hint = _hint(problem, text, line, inside.line + 1 if inside else None)
        message = f"not valid YAML: {problem}{hint}"
        raise SuiteError.at(Place(path, line, column), message) from None
    except yaml.YAMLError as error:
        raise SuiteError.at(Place(path, 1), f"not valid YAML: {error}") from None
    if node is None:
        return Tree(path, None, {})
    marks: dict[Location, tuple[int, int]] = {(): _mark(node)}
    problems: list[Problem] = []
    value = _Builder(path, marks, problems).build(node, ())
    if problems:
        raise SuiteError(problems)
    return Tree(path, value, marks)


_LONGEST = 400  # characters of a line that are examined

_BARE_BOUND = re.compile(r":\s*(?P<bound>[<>]=?\s*[\d.]+.*?)\s*(?:#.*)?$")
_BRACKET_KEY_IN_FLOW = re.compile(r"[{,]\s*(?P<key>[\w-]+\[[^\]]*\])\s*:")

# The parser's message, the line (both are regular expressions), and the hint. The first that matches counts.
_KEY = r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?"
_HINTS = tuple(
    (re.compile(problem), re.compile(line), hint)
    for problem, line, hint in (
        ("", r"^ *\t", "YAML is indented with spaces, not with tabs"),
        ("escape", "", "a backslash is literal only in plain text or between single quotes '…'"),
        ("alias|anchor", "", "put text that starts with * or & in quotes"),
        ("another document", "", "each suite has its own file"),
        ("", rf"{_KEY}(?:\{{[^{{}}:]*\}}|\[[^\[\]]*\])\s*[^\s#,}}\]]", "put text that starts with { or [ in quotes"),
        ("", rf"{_KEY}(?:\"[^\"]*\"|'[^']*')\s*[^\s#,:}}\]]", "put quotes around all of the text; inside '…' a ' is doubled"),
        ("expected ','", r"[{\[].*[{\[]", "inside {…} and […] put text that contains brackets or a comma in quotes"),
        ("", r"^\s*(?:-\s+)*[\w-]+:\s+[^\"'\s|>{\[].*:\s", "put text that contains a colon in quotes"),
        ("cannot start any token", "", "put text that starts with this character in quotes"),
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
        return f"; is the quote or bracket closed that line {opened} opens?"
    written = around[0] if around else ""
    for says, looks, hint in _HINTS:
        if says.search(problem) and looks.search(written):
            return f"; {hint}"
    return ""


@dataclass(frozen=True, slots=True)
class _Builder:
    path: Path
    marks: dict[Location, tuple[int, int]]
    problems: list[Problem]

    def build(self, node: yaml.Node, at: Location) -> Any:
        if not bounded_yaml.is_core(node):
            self._problem(node, _rejected(node.tag))
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode):
            return [self._item(item, (*at, index)) for index, item in enumerate(node.value)]
        if bounded_yaml.has_too_many_digits(node):
            self._problem(
                node, f"a number with more than {bounded_yaml.MOST_DIGITS} digits; put text in quotes"
            )
            return None
        return bounded_yaml.scalar(node)

    def _item(self, node: yaml.Node, at: Location) -> Any:
        self.marks[at] = _mark(node)
        return self.build(node, at)

    def _mapping(self, node: yaml.MappingNode, at: Location) -> dict[str, Any]:
        result: dict[str, Any] = {}
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._problem(
                    key_node, "a key must be a word; put it in quotes if it contains brackets or braces"
                )
                continue
            key = key_node.value  # always the text as written: `no` and `1` are names here
            if bounded_yaml.is_merge_key(key_node):
                self._problem(key_node, "YAML 1.2 has no merge key <<; write the keys out")
                continue
            if key in result:
                self._problem(key_node, f'duplicate key "{key}" (first on line {first[key]})')
                continue
            first[key] = key_node.start_mark.line + 1
            self.marks[(*at, key)] = _mark(key_node)
            result[key] = self.build(value_node, (*at, key))
        return result

    def _problem(self, node: yaml.Node, message: str) -> None:
        self.problems.append(Problem(Place(self.path, *_mark(node)), message))


def _rejected(tag: str) -> str:
    return f"the tag {tag.replace(_TAG, '!!')} is not allowed here; a suite needs no tags"


def _mark(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
