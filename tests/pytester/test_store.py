"""--mt-store, --mt-no-store: nothing is done twice"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time


def test_a_second_run_asks_no_model(project):
    project.pytest()
    before = project.calls("")
    assert before
    project.pytest().assert_outcomes(passed=4)
    assert project.calls("") == before


def test_another_model_does_not_get_its_outputs(project):
    project.pytest(model="fair")
    result = project.pytest(model="always_male")
    result.assert_outcomes(passed=1, failed=3)
    assert project.calls("translate always-male")


def test_a_changed_sentence_alone_is_translated(project):
    project.pytest()
    before = len(project.calls("translate"))
    project.change("dancer]", "dancer, writer of plays]")
    project.pytest()
    assert len(project.calls("translate")) == before + 4


def test_without_a_store_everything_is_done_again(project):
    for _ in range(2):
        project.pytest("--mt-no-store")
    assert len(project.calls("translate")) == 48
    assert not (project.path / ".mtprobe" / "store.sqlite").exists()


def test_a_store_of_ones_own(project):
    project.pytest("--mt-store=kept/store.sqlite")
    assert (project.path / "kept" / "store.sqlite").exists()


def test_a_file_that_is_no_store_is_left_alone_with_a_message(project):
    path = project.path / "mine.txt"
    path.write_text("my notes, not a database, and long enough to be looked at as one\n" * 50)
    result = project.pytest("--mt-store=mine.txt")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*mine.txt cannot be used as a store: *"])
    assert path.read_text().startswith("my notes")


SLOW = """
import time
from toys import fair, note


class Slow:
    fingerprint = "slow"

    def __call__(self, sources):
        made = fair(sources)
        note(f"done {len(sources)}")
        return made

    def score(self, pairs):
        time.sleep(0.2)
        return fair.score(pairs)


slow = Slow()
"""


def test_finished_work_survives_kill_9(project):
    (project.path / "slow.py").write_text(SLOW, encoding="utf-8")
    args = ["--mt-model=python:slow:slow", "--mt-target=pt", "suites"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *args], cwd=project.path, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while not project.calls("score") and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    translated = len(project.calls("translate"))
    assert translated == 24
    project.pytest(*args[:2], model=None).assert_outcomes(passed=4)
    assert len(project.calls("translate")) == translated
