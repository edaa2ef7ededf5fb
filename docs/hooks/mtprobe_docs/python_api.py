"""Public names with their signatures and docstrings."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import mtprobe
import mtprobe.backends
import mtprobe.methods
import mtprobe.metrics
import mtprobe.verbs
from mtprobe_docs.markdown import code, table


def python_api() -> str:
    return "\n\n".join(part for name in mtprobe.__all__ for part in _described(name, getattr(mtprobe, name)))


def extension_api() -> str:
    """One row per name that packages which extend mtprobe may import."""
    return "\n\n".join(
        f"## {module.__name__}\n\n{inspect.getdoc(module)}\n\n{_names(module)}"
        for module in (mtprobe.backends, mtprobe.methods, mtprobe.metrics, mtprobe.verbs)
    )


def _names(module: ModuleType) -> str:
    rows = ((code(name), _first_line(name, getattr(module, name))) for name in sorted(module.__all__))
    return table(["name", "meaning"], rows)


def _first_line(name: str, thing: Any) -> str:
    doc = (
        inspect.getdoc(thing)
        if inspect.isclass(thing) or inspect.isroutine(thing)
        else _of_constants().get(name)
    )
    if doc is None or (inspect.isclass(thing) and doc.startswith(f"{thing.__name__}(")):
        return code(type(thing).__name__) if not callable(thing) else ""
    return doc.splitlines()[0]


@cache
def _of_constants() -> dict[str, str]:
    """The docstrings after module-level assignments: constants and type aliases."""
    docs = {}
    for path in Path(mtprobe.__file__).parent.rglob("*.py"):
        for node, after in pairwise(ast.parse(path.read_text(encoding="utf-8")).body):
            match node, after:
                case (
                    ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(doc))),
                ):
                    docs[name] = inspect.cleandoc(doc)
    return docs


def _described(name: str, thing: Any) -> Iterator[str]:
    yield f"## {name}"
    if inspect.isclass(thing):
        yield inspect.getdoc(thing) or ""
        members = [member for member in vars(thing) if not member.startswith("_")]
        names = (
            {field.name for field in dataclasses.fields(thing)} if dataclasses.is_dataclass(thing) else set()
        )
        rows = (
            (code(member), _first_line_of_member(thing, member)) for member in members if member not in names
        )
        if rows := [row for row in rows if row[1]]:
            yield table(["member", "meaning"], rows)
    else:
        yield f"```python\n{name}{_signature(thing)}\n```"
        yield inspect.getdoc(thing) or ""


def _first_line_of_member(owner: type, name: str) -> str:
    doc = inspect.getdoc(getattr(owner, name))
    return doc.splitlines()[0] if doc else ""


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    parts = [_parameter(parameter) for parameter in signature.parameters.values()]
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parts.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    inside = "".join(f"\n    {part}," for part in parts)
    return f"({inside}\n) -> {_type(signature.return_annotation)}"


def _parameter(parameter: inspect.Parameter) -> str:
    plain = parameter.replace(annotation=parameter.empty, default=parameter.empty)
    annotated = "" if parameter.annotation is parameter.empty else f": {_type(parameter.annotation)}"
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{plain}{annotated}{default}"


def _type(annotation: Any) -> str:
    """As it is written in the source, which need not quote it."""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
