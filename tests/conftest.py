"""What all tests share. Heavy modules are imported here once, so that pytester's in-process runs find them."""

from __future__ import annotations

from pathlib import Path

import pytest

import mtprobe.runtime  # noqa: F401 - see above

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shipped_suites() -> list[Path]:
    return sorted((ROOT / "suites").rglob("*.mt.yaml"))
