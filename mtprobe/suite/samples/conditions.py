"""The expression language of derived attributes: `typical == category and not pos in [noun, verb]`."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mtprobe.errors import did_you_mean
from mtprobe.suite.sample import Scalar

_MAX_LENGTH = 500
_ORDER = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
_COMPARISONS = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, *_ORDER)


class ConditionError(ValueError):
    """A condition that cannot be read, or that names something unknown."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of attributes, parsed once and evaluated for every sample."""

    text: str
    _tree: ast.expr

    def holds(self, values: Mapping[str, Scalar | None]) -> bool:
        """Whether it holds for a sample with these attributes; an attribute that it lacks equals nothing."""
        return bool(_evaluate(self._tree, values))


def read_condition(text: str, names: Collection[str], words: Collection[str]) -> Condition:
    """Reads a condition over attributes `names`; a bare word of `words` (their values) is a literal."""
    if len(text) > _MAX_LENGTH:
        raise ConditionError(f"a condition has at most {_MAX_LENGTH} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ConditionError(
            f'cannot read the condition "{text}"; write for example: typical == category'
        ) from None
    return Condition(text, _checked(tree, text, names, words))


def _checked(node: ast.expr, text: str, names: Collection[str], words: Collection[str]) -> ast.expr:
    """The same tree with bare words as constants; anything but comparisons is rejected."""

    def checked(child: ast.expr) -> ast.expr:
        return _checked(child, text, names, words)

    match node:
        case ast.Name(id=name):
            if name in names:
                return node
            if name in words:
                return ast.Constant(name)
            if name in ("true", "false"):
                return ast.Constant(name == "true")
            candidates = sorted({*names, *words})
            raise ConditionError(
                f'"{name}" in "{text}" is neither an attribute nor a value of one{did_you_mean(name, candidates)}'
                "; put a value from a data file in quotes, and its attribute in `attributes` of `data`"
            )
        case ast.Constant(value=str() | int() | float()):
            return node
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return ast.List([checked(item) for item in items], ast.Load())
        case ast.Compare(left=left, ops=comparisons, comparators=others) if all(
            isinstance(comparison, _COMPARISONS) for comparison in comparisons
        ):
            return ast.Compare(checked(left), comparisons, [checked(other) for other in others])
        case ast.BoolOp(op=junction, values=parts):
            return ast.BoolOp(junction, [checked(part) for part in parts])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ast.UnaryOp(ast.Not(), checked(operand))
    raise ConditionError(
        f'"{text}" is more than a comparison; use ==, !=, <, >, in, and, or, not over attributes and values'
        "; put a value that is not a single plain word in quotes"
    )


def _evaluate(node: ast.expr, values: Mapping[str, Scalar | None]) -> Any:
    match node:
        case ast.Name(id=name):
            return values.get(name)
        case ast.Constant(value=value):
            return value
        case ast.List(elts=items):
            return [_evaluate(item, values) for item in items]
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_evaluate(part, values) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_evaluate(part, values) for part in parts)
        case ast.UnaryOp(operand=operand):
            return not _evaluate(operand, values)
        case ast.Compare(left=left, ops=comparisons, comparators=others):
            sides = [_evaluate(side, values) for side in (left, *others)]
            pairs = zip(comparisons, itertools.pairwise(sides), strict=True)
            return all(_compare(comparison, left, right) for comparison, (left, right) in pairs)
    raise AssertionError(f"unchecked node {node!r}")


def _compare(comparison: ast.cmpop, left: Any, right: Any) -> bool:
    match comparison:
        case ast.Eq():
            return bool(left == right) and left is not None
        case ast.NotEq():
            return bool(left != right) and left is not None and right is not None
        case ast.In():
            return isinstance(right, list) and left is not None and left in right
        case ast.NotIn():
            return isinstance(right, list) and left is not None and left not in right
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if not numbers and not (isinstance(left, str) and isinstance(right, str)):
        return False  # values without an order are neither less nor greater
    return bool(_ORDER[type(comparison)](left, right))
