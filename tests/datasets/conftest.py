"""A folder of files in published layouts, and what a reader makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mtprobe.errors import Place
from mtprobe.suite.data import Reading
from mtprobe.suite.parsing.files import SuiteFiles


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """Files in the test's folder, named by a suite there that says nothing of its target languages."""
    return Reading(SuiteFiles(tmp_path / "test.mt.yaml"), lambda key: Place(Path(key)), "en", None)


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., None]:
    """Writes files: `files({"test.tsv": "…"})`."""

    def write(contents: dict[str, str | bytes]) -> None:
        for name, content in contents.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    return write


@pytest.fixture
def published(shared_data: Path) -> Path:
    """The folder of published test sets."""
    return shared_data
