"""Tests that need a program of the system: they are skipped without it, unless it is said to be there."""

from __future__ import annotations

import os
import shutil

import pytest

# Set where every system package is installed, so that a missing one cannot hide behind a skip.
REQUIRED = "MTPROBE_REQUIRE_SYSTEM_PACKAGES"


def require_program(name: str) -> str:
    """The program's path. Without it the test is skipped, or fails when `REQUIRED` is set."""
    found = shutil.which(name)
    if found:
        return found
    if os.environ.get(REQUIRED):
        pytest.fail(f"{name} is not installed, and {REQUIRED} is set", pytrace=False)
    pytest.skip(f"{name} is not installed (apt-get install {name})")


def require_files(*paths: str, package: str) -> None:
    """For a package that is data: without its files the test is skipped, or fails when `REQUIRED` is set."""
    missing = [path for path in paths if not os.path.exists(path)]  # noqa: PTH110
    if missing and os.environ.get(REQUIRED):
        pytest.fail(f"{missing[0]} does not exist, and {REQUIRED} is set", pytrace=False)
    if missing:
        pytest.skip(f"{missing[0]} does not exist (apt-get install {package})")
