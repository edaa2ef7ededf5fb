"""Packages that extend mtprobe by entry points, installed for one test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.pytester.conftest import Project

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a package as pip would: a module, and its metadata with the entry points."""

    def install(package: str, entry_points: str, module: str) -> None:
        folder: Path = tmp_path_factory.mktemp(package)
        (folder / f"{package}.py").write_text(dedent(module), encoding="utf-8")
        info = folder / f"{package}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(dedent(entry_points))
        monkeypatch.syspath_prepend(str(folder))

    return install


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)
