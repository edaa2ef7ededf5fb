"""Versions of dependencies: the oldest that `make test-oldest` installs, and the next that nobody has tried."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
# Not tested with their oldest versions; constraints-oldest.txt says why.
UNTESTED = {
    "atheris",
    "axe-playwright-python",
    "eflomal",
    "gguf",
    "import-linter",
    "llama-cpp-python",
    "mkdocs-material",
    "mypy",
    "playwright",
    "ray",
    "ruff",
    "spacy",
    "stanza",
    "torch",
    "transformers",
    "types-pyyaml",
    "xllamacpp",
}
# Not part of what a user installs.
TOOLS = {
    *(
        "axe-playwright-python",
        "import-linter",
        "llama-cpp-python",
        "mypy",
        "playwright",
        "ruff",
        "types-pyyaml",
    ),
    "xllamacpp",
}
CALENDAR = {"regex"}  # versions are dates, and have no majors
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[.*?\])?\s*(?:(>=|==)\s*([\w.]+))?(?:,<([\w.]+))?\s*(?:;.*)?")


def name_of(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def number(version: str) -> tuple[int, ...]:
    """Without zeros at the end: 8.2 is 8.2.0."""
    parts = [int(part) for part in version.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def requirements() -> Iterator[tuple[Path, re.Match[str]]]:
    """Those of mtprobe and of the plugins, without ours and without what is pinned."""
    for path in (ROOT / "pyproject.toml", *ROOT.glob("plugins/*/pyproject.toml")):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        extras = project.get("optional-dependencies", {}).values()
        for requirement in [*project["dependencies"], *(one for extra in extras for one in extra)]:
            match = _REQUIREMENT.fullmatch(requirement)
            assert match, requirement
            if not name_of(match[1]).startswith("mtprobe") and match[1] != "fxtranslate":
                yield path, match


def declared() -> dict[str, str]:
    floors: dict[str, str] = {}
    for path, match in requirements():
        name, floor = name_of(match[1]), match[3]
        assert floor or name in UNTESTED, f"{path}: {match[0]} has no minimum version"
        if floor:
            assert number(floors.setdefault(name, floor)) == number(floor), f"{name} has two minimum versions"
    return floors


def installed() -> dict[str, str]:
    lines = (ROOT / "constraints-oldest.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name_of(name): version for name, version in pins}


def test_the_oldest_versions_are_those_that_are_declared():
    floors = {name: number(floor) for name, floor in declared().items() if name not in UNTESTED}
    assert {name: number(version) for name, version in installed().items()} == floors


def test_every_dependency_ends_before_a_version_that_nobody_has_tried():
    ends: dict[str, str] = {}
    for path, match in requirements():
        name, operator, floor, end = name_of(match[1]), *match.groups()[1:]
        if name in TOOLS | CALENDAR or operator == "==":
            continue
        assert end, f"{path}: {match[0]} has no maximum version"
        assert number(floor) < number(end)
        assert ends.setdefault(name, end) == end, f"{name} has two maximum versions"


def test_what_is_installed_here_is_within_the_ranges():
    for path, match in requirements():
        name, end = match[1], match[4]
        try:
            here = Version(version(name))
        except PackageNotFoundError:
            continue
        assert not end or here < Version(end), f"{path}: {match[0]}, but the tests run with {here}"


@pytest.mark.parametrize("extra", ["onnx", "demo", "hf"])
def test_no_extra_installs_two_builds_of_the_runtime(extra):
    """Wherever it is installed: the GPU build where there is one, with -cpu never."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for system, machine in itertools.product(
        ("linux", "win32", "darwin"), ("x86_64", "AMD64", "aarch64", "arm64")
    ):
        here = {"sys_platform": system, "platform_machine": machine}
        assert len(list(runtimes(extras, extra, here))) == 1
        assert list(runtimes(extras, f"{extra}-cpu", here)) == ["onnxruntime"]
    linux = {"sys_platform": "linux", "platform_machine": "x86_64"}
    assert list(runtimes(extras, extra, linux)) == ["onnxruntime-gpu"]


def runtimes(extras: dict[str, list[str]], extra: str, here: dict[str, str]) -> Iterator[str]:
    for requirement in map(Requirement, extras[extra]):
        if requirement.name == "mtprobe":
            for inner in requirement.extras:
                yield from runtimes(extras, inner, here)
        elif requirement.name.startswith("onnxruntime") and (
            requirement.marker is None or requirement.marker.evaluate(here)
        ):
            yield requirement.name


@pytest.mark.parametrize("package", ["onnxruntime", "onnxruntime-gpu"])
def test_no_runtime_that_computes_wrongly_is_allowed(package):
    assert number(declared()[package]) >= (1, 21)
