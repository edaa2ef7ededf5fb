"""Golden files: what mtprobe said before, byte for byte, asked only through its command line, pytest and `import mtprobe`.

A test hands its text to `golden`, which compares it with the file of that name in `expected`. Where a change is meant,
`MTPROBE_GOLDEN=write pytest tests/golden` writes the files anew; the diff is then for the reviewer to read.
"""

from __future__ import annotations

import difflib
import os
import shutil
from pathlib import Path

# Loaded once here: an in-process run of pytest must not load them a second time.
import babel.localedata  # noqa: F401
import onnx  # noqa: F401
import onnxruntime  # noqa: F401
import pytest
import scipy.stats  # noqa: F401
import sentencepiece  # noqa: F401
import simplemma  # noqa: F401

from mtprobe.cli import main

HERE = Path(__file__).parent
WRITING = os.environ.get("MTPROBE_GOLDEN") == "write"
MOST_LINES = 200  # of a diff

# The suites in there are for the runs of these tests.
collect_ignore = ["project"]


@pytest.fixture
def golden():
    """Compares a text with the golden file of a name, or writes it."""
    return _write if WRITING else _compare


def _write(name, text):
    path = HERE / "expected" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def _compare(name, text):
    path = HERE / "expected" / name
    before = path.read_bytes().decode() if path.exists() else ""
    if text != before:
        pytest.fail(f"{name} is not what it was:\n{_difference(before, text)}", pytrace=False)


def _difference(before, now):
    lines = [
        line.rstrip("\n")
        for line in difflib.unified_diff(
            before.splitlines(keepends=True), now.splitlines(keepends=True), "before", "now", n=2
        )
    ]
    more = [f"… and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
    return "\n".join([*lines[:MOST_LINES], *more])


@pytest.fixture
def mtprobe_says(capsys):
    """Runs a command; gives the command line and all that it printed, with its exit code where that is not 0."""

    def says(*args):
        capsys.readouterr()
        code = main(list(args))
        said, complaint = capsys.readouterr()
        parts = [f"$ mtprobe {' '.join(args)}\n", said, complaint, f"exit code {code}\n" if code else ""]
        return "".join(parts)

    return says


@pytest.fixture
def project(pytester):
    """A folder with small suites, toy models and a baseline, in which pytest runs as a user would run it."""
    shutil.copytree(HERE / "project", pytester.path, dirs_exist_ok=True)
    return pytester
