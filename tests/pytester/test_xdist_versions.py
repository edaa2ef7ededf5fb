"""The oldest supported pytest-xdist distributes suites and survives a dead worker, as the installed one does in test_xdist and test_kill"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("xdist")

OLDEST = "3.6.1"  # 3.6.0 was withdrawn

# The first item ends its worker once, and is handed to another one.
DIES = """
import os

def test_first():
    if not os.path.exists("died"):
        open("died", "w").close()
        os._exit(1)

def test_second():
    pass
"""


@pytest.fixture(scope="session")
def oldest(tmp_path_factory):
    """A folder with the oldest supported version; it goes first on the path."""
    folder = tmp_path_factory.mktemp("xdist")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
    done = subprocess.run([*install, f"pytest-xdist=={OLDEST}"], capture_output=True, text=True)
    if done.returncode:
        reason = f"pytest-xdist {OLDEST} cannot be installed: {done.stderr.strip()[-200:]}"
        if os.environ.get("MTPROBE_REQUIRE_SYSTEM_PACKAGES"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.mark.slow
def test_suites_are_distributed_and_a_dead_worker_is_replaced(project, oldest, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(oldest), os.environ.get("PYTHONPATH", "")]))
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    project.suite("second", text.replace("name: occupations", "name: second"))
    (project.path / "test_dies.py").write_text(DIES)
    result = project.pytest("--mt-no-store", "-n2", where=".")
    result.assert_outcomes(passed=8 + 2, failed=1)
    result.stdout.fnmatch_lines([f"*xdist-{OLDEST}*", "*crashed while running*test_dies.py::test_first*"])
    assert len(project.calls("translate")) == 2 * 24
