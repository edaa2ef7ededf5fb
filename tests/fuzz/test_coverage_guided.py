"""Atheris, where it is installed: inputs that reach new code of the loader, from the same seeds and under the same law."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.soak import times

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("atheris") is None,
        reason='atheris is not installed (pip install -e ".[fuzz]")',
    ),
]


def test_inputs_that_reach_new_code_load_or_say_what_is_wrong(tmp_path):
    runs = times(200, 20_000)
    command = [sys.executable, "-m", "tests.fuzz.coverage_guided", f"-runs={runs}", "-seed=1"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}  # its process ends without cleaning up
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    (finished,) = re.findall(r"^Done (\d+) runs", done.stderr, re.MULTILINE)
    assert int(finished) >= runs  # more if there are more seeds
