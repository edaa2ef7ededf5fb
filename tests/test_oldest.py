"""The minimum versions that `make test-oldest` installs are those that are declared."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Not tested with their oldest versions; constraints-oldest.txt says why.
UNTESTED = {
    "atheris",
    "axe-playwright-python",
    "eflomal",
    "import-linter",
    "mypy",
    "playwright",
    "ray",
    "ruff",
    "spacy",
    "stanza",
    "torch",
    "transformers",
    "types-pyyaml",
}
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[.*?\])?\s*(?:(>=|==)\s*([\w.]+))?\s*(?:;.*)?")


def name_of(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def number(version: str) -> tuple[int, ...]:
    """Without zeros at the end: 8.2 is 8.2.0."""
    parts = [int(part) for part in version.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def declared() -> dict[str, str]:
    floors: dict[str, str] = {}
    for path in (ROOT / "pyproject.toml", *ROOT.glob("plugins/*/pyproject.toml")):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        extras = project.get("optional-dependencies", {}).values()
        for requirement in [*project["dependencies"], *(one for extra in extras for one in extra)]:
            match = _REQUIREMENT.fullmatch(requirement)
            assert match, requirement
            name, floor = name_of(match[1]), match[3]
            if name.startswith("mtprobe") or name == "fxtranslate":  # ours, or pinned
                continue
            assert floor or name in UNTESTED, f"{path}: {requirement} has no minimum version"
            if floor:
                assert number(floors.setdefault(name, floor)) == number(floor), (
                    f"{name} has two minimum versions"
                )
    return floors


def installed() -> dict[str, str]:
    lines = (ROOT / "constraints-oldest.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name_of(name): version for name, version in pins}


def test_the_oldest_versions_are_those_that_are_declared():
    floors = {name: number(floor) for name, floor in declared().items() if name not in UNTESTED}
    assert {name: number(version) for name, version in installed().items()} == floors


@pytest.mark.parametrize("package", ["onnxruntime", "onnxruntime-gpu"])
def test_no_runtime_that_computes_wrongly_is_allowed(package):
    assert number(declared()[package]) >= (1, 21)
