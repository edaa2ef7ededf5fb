"""The shape of the code: sizes, and concepts that are objects. Layers are checked by `lint-imports`."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtprobe.methods import METHODS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS, MOST_MODULES = 350, 80, 8, 22
SOURCES = sorted(path for folder in ("mtprobe", "plugins") for path in (ROOT / folder).rglob("*.py"))


def test_no_module_is_long():
    assert [path for path in SOURCES if len(path.read_text("utf-8").splitlines()) > MOST_LINES] == []


def test_no_folder_is_crowded():
    folders = {path.parent for path in SOURCES}
    assert [folder for folder in folders if len(list(folder.glob("*.py"))) > MOST_MODULES] == []


def test_no_function_is_long():
    assert [where for where, node in _functions() if _length(node) > MOST_LINES_OF_A_FUNCTION] == []


def test_no_function_takes_many_parameters():
    assert [where for where, node in _functions() if _parameters(node) > MOST_PARAMETERS] == []


def _functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return len([argument for argument in arguments if argument.arg not in ("self", "cls")])


def test_no_module_imports_what_another_keeps_to_itself():
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno} {alias.name}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mtprobe")
        for alias in node.names
        if alias.name.startswith("_") and alias.name != "__version__"
    ] == []


def test_no_name_of_a_method_or_metric_is_tested_for_outside_its_own_module():
    found = []
    for path in SOURCES:
        package = path.relative_to(ROOT).parts[1]
        if package in ("methods", "metrics"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Compare) and _tests_a_name(node):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def _tests_a_name(node: ast.Compare) -> bool:
    sides = [node.left, *node.comparators]
    texts = {part.value for side in sides for part in ast.walk(side) if _is_text(part)}
    parts = [part for side in sides for part in ast.walk(side)]
    of_metric = any(isinstance(part, ast.Attribute) and part.attr in ("metric", "method") for part in parts)
    return bool(texts & set(METHODS)) or (of_metric and bool(texts))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_the_page_shows_which_package_imports_which():
    """`MTPROBE_GOLDEN=write` brings the page up to date."""
    before, start, rest = PAGE.read_text("utf-8").partition("<!-- graph -->\n")
    _, end, after = rest.partition("<!-- end of the graph -->")
    assert start
    assert end
    page = f"{before}{start}{graph()}{end}{after}"
    if os.environ.get("MTPROBE_GOLDEN") == "write":
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text("utf-8") == page


@pytest.mark.parametrize("name", sorted({path.relative_to(ROOT).parts[1] for path in SOURCES if path.parts[-2] != "mtprobe" and "plugins" not in path.parts}))  # fmt: skip
def test_every_package_is_on_the_page(name):
    assert f"`{name}`" in PAGE.read_text("utf-8")


def test_every_folder_of_word_lists_is_on_the_page():
    """Those of `suite` and `reproduce` are formats and settings."""
    package = ROOT / "mtprobe"
    files = {
        file.relative_to(package) for ending in ("yaml", "toml") for file in package.rglob(f"*.{ending}")
    }
    folders = {file.parent.as_posix() for file in files if file.parts[0] not in ("suite", "reproduce")}
    text = PAGE.read_text("utf-8")
    assert [folder for folder in sorted(folders) if f"`{folder}/" not in text] == []


def graph() -> str:
    """A line per package, with the packages that it imports."""
    edges: dict[str, set[str]] = {}
    for path in (ROOT / "mtprobe").rglob("*.py"):
        package = path.relative_to(ROOT / "mtprobe").parts[0].removesuffix(".py")
        edges.setdefault(package, set()).update(_imported(path))
    del edges["__init__"]
    lines = (
        f"    {package:14} ─► {', '.join(sorted(edges[package] - {package, '__init__', ''})) or '–'}"
        for package in sorted(edges, key=lambda name: (-_depth(name, edges), name))
    )
    return "\n" + "\n".join(lines) + "\n\n"


def _imported(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    hidden = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) not in hidden and isinstance(node, ast.ImportFrom) and node.module:
            parts = node.module.split(".")
            if parts[0] == "mtprobe" and len(parts) > 1:
                yield parts[1]


def _depth(package: str, edges: dict[str, set[str]]) -> int:
    return 1 + max(
        (_depth(lower, edges) for lower in edges.get(package, ()) if lower != package and lower in edges),
        default=0,
    )
