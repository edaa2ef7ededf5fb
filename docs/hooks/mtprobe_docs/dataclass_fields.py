"""The fields of a dataclass with what the comments in its source say about them."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterator
from typing import NamedTuple


class Field(NamedTuple):
    name: str
    kind: str  # its annotation
    default: str  # empty where it is required
    about: str


def fields_of(owner: type) -> Iterator[Field]:
    """In order."""
    source = textwrap.dedent(inspect.getsource(owner))
    comments = _comments(source)
    for node in (
        node for part in ast.parse(source).body if isinstance(part, ast.ClassDef) for node in part.body
    ):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            about = " ".join(comments[line] for line in lines if line in comments)
            if not about and source.splitlines()[node.lineno - 2].lstrip().startswith("#"):
                about = comments[node.lineno - 1]
            default = ast.unparse(node.value) if node.value else ""
            yield Field(node.target.id, ast.unparse(_bare(node.annotation)), default, about)


def _bare(annotation: ast.expr) -> ast.expr:
    """`X` of `Annotated[X, …]`."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[first, *_])):
            return first
    return annotation


def _comments(source: str) -> dict[int, str]:
    """By line."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
