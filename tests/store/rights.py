"""Rights that count: root may do everything, so tests of missing rights lay it down for a while."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def own_folder() -> Iterator[Path]:
    """A folder that nobody in particular may use; pytest's own is for its user alone."""
    folder = Path(tempfile.mkdtemp(prefix="mtprobe-rights-"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)
