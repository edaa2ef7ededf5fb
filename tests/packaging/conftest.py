"""The wheel as a user gets it, and environments that have it installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.conftest import ROOT

_SOURCES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "mtprobe", "suites")


class Environment:
    """A virtual environment, and commands in it, run from a folder outside of the source tree."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self.site_packages = next(folder.glob("lib*/python*/site-packages"), folder / "Lib" / "site-packages")

    def run(self, *command: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """The first word is a program of the environment; nothing of the tests' own environment reaches it."""
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=cwd,
            env=foreign_variables() | environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
        )


def foreign_variables() -> dict[str, str]:
    """The environment variables, without those that lead back to the source tree."""
    ours = {"PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in ours}


@pytest.fixture(scope="session")
def source_tree(tmp_path_factory) -> Path:
    """A copy of what the package is built from, so that building leaves nothing in the source tree."""
    folder = tmp_path_factory.mktemp("source") / "mtprobe"
    folder.mkdir()
    for name in _SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def build(kind: str, source: Path, folder: Path) -> Path:
    """Builds a `wheel` or an `sdist`, with the setuptools of the tests' environment."""
    code = f"import sys; from setuptools import build_meta; print(build_meta.build_{kind}(sys.argv[1]))"
    built = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=source, text=True, capture_output=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return folder / built.stdout.splitlines()[-1]


@pytest.fixture(scope="session")
def wheel(source_tree: Path, tmp_path_factory) -> Path:
    return build("wheel", source_tree, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def core(wheel: Path, tmp_path_factory) -> Environment:
    """The wheel with what it declares as its dependencies, no extra: links to packages of the tests' environment."""
    folder = tmp_path_factory.mktemp("core") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    environment = Environment(folder)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(environment.bin / "python"), "install", "--quiet",
         "--no-deps", "--no-index", str(wheel)],
        check=True,
        env=foreign_variables(),
    )  # fmt: skip
    for name in sorted(_closure("mtprobe") - {"mtprobe"}):
        _link(name, environment.site_packages)
    return environment


def _closure(name: str) -> set[str]:
    """The distribution and all that it needs without extras, by their normalized names."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.add(current)
            waiting += _required(current)
    return found


def _required(name: str) -> Iterator[str]:
    from packaging.requirements import Requirement

    lines = _declared() if name == "mtprobe" else distribution(name).requires or []
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield re.sub(r"[-_.]+", "-", requirement.name).lower()


def _declared() -> list[str]:
    """Of the source tree: an editable install may have been made from an older one."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return list(project["dependencies"])


def _link(name: str, site_packages: Path) -> None:
    installed = distribution(name)
    tops = {file.parts[0] for file in installed.files or () if file.parts[0] not in ("..", "__pycache__")}
    for top in tops:
        if not (site_packages / top).exists():
            (site_packages / top).symlink_to(Path(str(installed.locate_file(top))))
