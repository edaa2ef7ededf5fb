"""The public names: all there, cheap to import, and enough for our own plugins"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mtprobe
import mtprobe.backends
import mtprobe.verbs

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "plugins").glob("*/src/**/*.py"))
STARTER = sorted((ROOT / "mtprobe" / "backends" / "starter").glob("*.txt"))


@pytest.mark.parametrize(
    "package", [mtprobe, mtprobe.backends, mtprobe.verbs], ids=lambda package: package.__name__
)
def test_public_names_are_listed_and_there(package):
    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018 - reading it is the test


def test_every_public_name_is_documented():
    text = (ROOT / "docs" / "howto" / "backends.md").read_text(encoding="utf-8")
    assert [name for name in mtprobe.backends.__all__ if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", ["mtprobe", "mtprobe.backends", "mtprobe.verbs"])
def test_importing_costs_next_to_nothing(name):
    code = f"import sys; before = set(sys.modules); import {name}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = [module for module in done.stdout.split() if module.startswith("mtprobe")]
    assert set(ours) <= {"mtprobe", name}
    assert not {"numpy", "pydantic", "yaml", "langcodes"} & set(done.stdout.split())


def imported_from_mtprobe(code: str) -> set[str]:
    """The modules of mtprobe that Python code imports, wherever it does."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
    return {module for module in modules if module.partition(".")[0] == "mtprobe"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(path.parts[-2:]))
def test_our_plugins_import_only_the_public_interface(path):
    interface = {"mtprobe.backends"}
    if "mtprobe-train" in path.parts:  # the only plugin that adds verbs
        interface |= {"mtprobe.verbs", "mtprobe.methods"}
    assert imported_from_mtprobe(path.read_text(encoding="utf-8")) <= interface


def test_every_plugin_was_looked_at():
    plugins = {path.parent.name for path in (ROOT / "plugins").glob("*/pyproject.toml")}
    assert {path.relative_to(ROOT / "plugins").parts[0] for path in SOURCES} == plugins


def test_a_new_backend_starts_with_the_public_interface():
    for path in STARTER:
        code = path.read_text(encoding="utf-8")
        if "import" in code:
            modules = imported_from_mtprobe(code.replace("«", "").replace("»", ""))
            assert modules <= {"mtprobe.backends", "mtprobe.testing"}, path.name
