"""YAML text → plain Python values, with the place of each.

Scalars follow YAML 1.2: `no` and `on` are words, only `true` and `false` are booleans.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from mtprobe.errors import Place, Problem, SuiteError
from mtprobe.suite.parsing.limits import check_structure, read_text
from mtprobe.suite.parsing.slips import missing_space_in_flow, odd_edge, typographic_quotes
from mtprobe.suite.parsing.syntax import syntax_error
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
        raise syntax_error(error, text, path) from None
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
        plain = isinstance(node, yaml.ScalarNode) and not node.style
        if plain and (slip := odd_edge(node.value) or typographic_quotes(node.value, at)):
            self._problem(node, slip)
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
            if slip := _slip_in_key(key_node, value_node, flow=bool(node.flow_style)):
                self._problem(key_node, slip)
                continue
            if key in result:
                begins_item = at and isinstance(at[-1], int) and key == next(iter(result))
                hint = '; is the "- " missing that begins the next item?' if begins_item else ""
                self._problem(key_node, f'duplicate key "{key}" (first on line {first[key]}){hint}')
                if begins_item:
                    break  # so are the other keys of the next item
                continue
            first[key] = key_node.start_mark.line + 1
            self.marks[(*at, key)] = _mark(key_node)
            result[key] = self.build(value_node, (*at, key))
        return result

    def _problem(self, node: yaml.Node, message: str) -> None:
        self.problems.append(Problem(Place(self.path, *_mark(node)), message))


def _slip_in_key(key: yaml.ScalarNode, value: yaml.Node, *, flow: bool) -> str | None:
    if key.style:
        return None
    empty = isinstance(value, yaml.ScalarNode) and not value.value and not value.style
    return (
        (missing_space_in_flow(key.value) if flow and empty else None)
        or odd_edge(key.value)
        or typographic_quotes(key.value)
    )


def _rejected(tag: str) -> str:
    return f"the tag {tag.replace(_TAG, '!!')} is not allowed here; a suite needs no tags"


def _mark(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
