"""Progress shows although pytest captures output"""

from __future__ import annotations

import os
import sys

import pytest

from tests.pytester.running import OTHERS_OFF

pty = pytest.importorskip("pty", reason="there are no terminals on this platform")


def in_a_terminal(project, *args: str) -> str:
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - the child becomes pytest
        os.chdir(project.path)
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *OTHERS_OFF, *args])
    shown = b""
    try:
        while part := os.read(terminal, 65536):
            shown += part
    except OSError:  # the child has closed its side
        pass
    os.waitpid(pid, 0)
    return shown.decode(errors="replace")


@pytest.mark.slow
def test_a_terminal_gets_a_bar_that_goes_away(project):
    shown = in_a_terminal(project, "--mt-model=python:toys:fair", "--mt-target=pt", "suites")
    assert "mtprobe: translating" in shown
    assert "24/24" in shown
    assert "mtprobe: scoring" in shown
    assert "4 passed" in shown


def test_a_log_gets_lines_only_when_it_takes_long(project):
    result = project.pytest()
    assert "mtprobe: translating" not in result.stdout.str()


@pytest.mark.slow
def test_a_log_gets_a_line_now_and_then(project):
    (project.path / "conftest.py").write_text(
        "import mtprobe.report.progress as p\np._SECONDS_PER_LINE = 0.0\n"
    )
    (project.path / "many.py").write_text(
        "from toys import fair\n"
        "class Many:\n"
        "    chunk = 8\n"
        "    fingerprint = 'many'\n"
        "    def __call__(self, sources): return fair(sources)\n"
        "    def score(self, pairs): return fair.score(pairs)\n"
        "many = Many()\n"
    )
    result = project.pytest("--mt-model=python:many:many", "--mt-target=pt", model=None, alone=True)
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["mtprobe: translating 8 of 24", "mtprobe: translating 16 of 24"])
