"""Untrusted YAML, within limits that are checked before anything is built.

Scalars follow YAML 1.2: `no` and `on` are words, a date is text, only `true` and `false` are booleans.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import yaml

MOST_DIGITS = 400  # of a number: Python refuses to read or write very long ones

Scalar: TypeAlias = str | int | float | bool | None

# libyaml if available: the same events, many times faster.
BaseLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TAG = "tag:yaml.org,2002:"
_COLLECTIONS = (f"{_TAG}map", f"{_TAG}seq")
_PATTERNS = {
    "null": re.compile(r"(?:~|null|Null|NULL|)\Z"),
    "bool": re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
    "int": re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"),
    "float": re.compile(
        r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
    ),
}
_FIRST = {"null": ["~", "n", "N", ""], "bool": list("tTfF"), "int": list("-+0123456789")}
_FIRST["float"] = [*_FIRST["int"], "."]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a document may hold, with every alias expanded."""

    depth: int
    nodes: int
    characters: int


class YamlError(ValueError):
    """A problem with a document, and its place; line and column count from 1."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.column, self.reason = line, column, reason

    @classmethod
    def at(cls, mark: Any, reason: str) -> YamlError:
        return cls(mark.line + 1, mark.column + 1, reason)


class CoreLoader(BaseLoader):  # type: ignore[misc]
    """A loader whose plain scalars resolve by the YAML 1.2 core schema."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}


for _kind, _pattern in _PATTERNS.items():
    CoreLoader.add_implicit_resolver(_TAG + _kind, _pattern, _FIRST[_kind])


def check_structure(text: str, limits: Limits) -> None:
    """Rejects what would cost too much to build: deep nesting, and aliases that multiply.

    Only counts the parser's events, so that a YAML bomb is never expanded.
    """
    sizes: dict[str, tuple[int, int]] = {}  # nodes and characters of an anchor's value
    open_nodes: list[tuple[str | None, int, int]] = []  # anchor, nodes and characters counted before it
    total = characters = 0
    for event in yaml.parse(text, Loader=BaseLoader):
        mark = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _, _ in open_nodes):
                raise YamlError.at(mark, f"alias *{event.anchor} is inside its own anchor")
            nodes, letters = sizes.get(event.anchor or "", (1, 0))
            total, characters = total + nodes, characters + letters
        elif isinstance(event, yaml.NodeEvent):
            total += 1
            if isinstance(event, yaml.CollectionStartEvent):
                open_nodes.append((event.anchor, total - 1, characters))
            elif isinstance(event, yaml.ScalarEvent):
                characters += len(event.value)
                if event.anchor:
                    sizes[event.anchor] = 1, len(event.value)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, nodes, letters = open_nodes.pop()
            if anchor:
                sizes[anchor] = total - nodes, characters - letters
        if len(open_nodes) > limits.depth:
            raise YamlError.at(mark, f"nested more than {limits.depth} levels deep")
        if total > limits.nodes:
            raise YamlError.at(mark, f"more than {limits.nodes:,} values once aliases are expanded")
        if characters > limits.characters:
            raise YamlError.at(mark, f"more than {limits.characters:,} characters once aliases are expanded")


def is_core(node: yaml.Node) -> bool:
    """Whether the core schema has the node's tag, and the scalar is one of that kind."""
    if isinstance(node, yaml.CollectionNode):
        return node.tag in _COLLECTIONS
    kind = str(node.tag).removeprefix(_TAG)
    return kind == "str" or (kind in _PATTERNS and bool(_PATTERNS[kind].match(node.value)))


def has_too_many_digits(node: yaml.Node) -> bool:
    return node.tag != f"{_TAG}str" and len(node.value) > MOST_DIGITS


def is_merge_key(node: yaml.ScalarNode) -> bool:
    """YAML 1.2 has none."""
    return bool(node.value == "<<" and node.style not in ("'", '"'))


def scalar(node: yaml.Node) -> Scalar:
    """The value of a scalar of the core schema."""
    text: str = node.value
    match str(node.tag).removeprefix(_TAG):
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int":
            return int(text, 0 if text.startswith(("0o", "0x")) else 10)
        case "float":
            return float(text.replace(".", "") if text[-1] in "fFnN" else text)  # .inf, .nan
    return text


def read_yaml(text: str, limits: Limits) -> Any:
    """The plain value of a document; the keys of mappings are text. Raises `YamlError`."""
    try:
        check_structure(text, limits)
        node = yaml.compose(text, Loader=CoreLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = error.problem or error.context or "cannot be read"
        raise (YamlError.at(mark, reason) if mark else YamlError(1, 1, reason)) from None
    except yaml.YAMLError as error:  # a character that YAML does not allow
        raise YamlError(1, 1, str(error).partition("\n")[0]) from None
    return None if node is None else _value(node)


def _value(node: yaml.Node) -> Any:
    if not is_core(node):
        raise YamlError.at(node.start_mark, f"the tag {node.tag.replace(_TAG, '!!')} is not supported")
    if isinstance(node, yaml.MappingNode):
        return {_key(key): _value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if has_too_many_digits(node):
        raise YamlError.at(node.start_mark, f"a number with more than {MOST_DIGITS} digits")
    return scalar(node)


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise YamlError.at(node.start_mark, "a key must be a word")
    if is_merge_key(node):
        raise YamlError.at(node.start_mark, "merge keys (<<) are not supported")
    return str(node.value)
