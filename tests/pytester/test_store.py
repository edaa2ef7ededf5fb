"""--mt-store, --mt-no-store: nothing is done twice"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest


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


def without_date(record):
    return [{name: value for name, value in line.items() if name != "created"} for line in record]


def spoil(path):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(random.Random(1).randbytes(50_000))


def test_a_damaged_store_is_set_aside_and_the_run_goes_on_with_a_fresh_one(project):
    store = project.path / ".mtprobe" / "store.sqlite"
    spoil(store)
    before = store.read_bytes()
    result = project.pytest()
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(
        ["mtprobe: *store.sqlite is damaged (*): it was moved to store.sqlite.damaged-*"]
    )
    (aside,) = store.parent.glob("store.sqlite.damaged-*")
    assert aside.read_bytes() == before
    calls = project.calls("")
    project.pytest().assert_outcomes(passed=4)
    assert project.calls("") == calls


@pytest.mark.slow
def test_workers_set_a_damaged_store_aside_once(project):
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    for number in range(3):
        project.suite(f"more-{number}", text.replace("name: occupations", f"name: more-{number}"))
    store = project.path / ".mtprobe" / "store.sqlite"
    spoil(store)
    result = project.pytest("-n2")
    result.assert_outcomes(passed=16)
    assert len(list(store.parent.glob("store.sqlite.damaged-*"))) == 1
    assert result.stderr.str().count("was moved to") == 1


def test_a_newer_store_is_an_error_before_anything_is_asked(project):
    project.pytest()
    connection = sqlite3.connect(project.path / ".mtprobe" / "store.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    calls = project.calls("")
    project.change("dancer]", "dancer, writer of plays]")
    result = project.pytest()
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*was written by a newer mtprobe (store version 99) and is left alone*"])
    assert project.calls("") == calls


def test_a_full_disk_changes_no_number_and_is_told_once(project, monkeypatch):
    project.pytest("--mt-no-store", "--mt-record=roomy.jsonl", model="always_male")
    monkeypatch.setenv("MTPROBE_STORE_LIMIT", "20kB")
    result = project.pytest("--mt-record=full.jsonl", model="always_male")
    result.assert_outcomes(passed=1, failed=3)
    said = result.stdout.str() + result.stderr.str()
    assert said.count("cannot be stored (database or disk is full); the run continues") == 1
    assert without_date(project.record("full.jsonl")) == without_date(project.record("roomy.jsonl"))


@pytest.mark.slow
def test_workers_tell_of_a_full_disk_once(project, monkeypatch):
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    for number in range(3):
        project.suite(f"more-{number}", text.replace("name: occupations", f"name: more-{number}"))
    monkeypatch.setenv("MTPROBE_STORE_LIMIT", "20kB")
    result = project.pytest("-n2")
    result.assert_outcomes(passed=16)
    assert (result.stdout.str() + result.stderr.str()).count("cannot be stored") == 1


@pytest.mark.slow
def test_where_nothing_can_be_written_the_run_says_so_and_completes(project):
    """No file may grow, as on a full disk: neither the store, nor the record, nor the report."""
    toys = project.path / "toys.py"
    toys.write_text(
        toys.read_text(encoding="utf-8").replace("def note(text):", "def note(text):\n    return\n")
    )
    (project.path / "conftest.py").write_text(
        "import resource, tempfile\nfrom mtprobe.language.identify import another_language\n\n"
        "another_language('The identifier unpacks itself into a file.', 'en')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))\n"
        "tempfile.tempdir = '/nowhere'\n"
    )
    named = ["--mt-model=python:toys:fair", "--mt-target=pt", "--mt-report=report.html"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-s", "-p", "no:cacheprovider", *named, "suites"],
        cwd=project.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert "4 passed" in run.stdout, run.stdout
    assert run.returncode == 1  # what was asked for could not be had
    assert run.stdout.count("cannot be stored") == 1
    assert run.stdout.count("the record could not be written: ") == 1
    assert run.stdout.count("the report could not be written: ") == 1


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


@pytest.mark.slow
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


def test_a_store_called_none_is_no_store(project):
    project.pytest("--mt-store=none").assert_outcomes(passed=4)
    assert not (project.path / "none").exists()
    before = len(project.calls(""))
    project.pytest("--mt-store=none").assert_outcomes(passed=4)
    assert len(project.calls("")) == 2 * before
