"""Whole runs of pytest with --mt-executor=ray: what is seen, what is left behind, what an interruption does"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.pytester.conftest import Project
from tests.pytester.running import running, wait_for

pytestmark = pytest.mark.slow

TARGET = "--mt-target=pt"
PIDS = """
import os
if "raylet" in Path(f"/proc/{os.getppid()}/cmdline").read_text():
    note(f"process {os.getpid()} {os.getppid()}")
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    project = Project(pytester)
    toys = project.path / "toys.py"
    toys.write_text(toys.read_text(encoding="utf-8") + PIDS, encoding="utf-8")
    return project


def without_date(record: list[dict]) -> list[dict]:
    return [{name: value for name, value in line.items() if name != "created"} for line in record]


def processes(project: Project) -> set[int]:
    """Those of workers, and of the nodes that started them."""
    return {int(pid) for line in project.calls("process") for pid in line.split()[1:]}


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_a_cluster_that_was_there_before_gives_the_same_record_and_is_left_alone(project, nodes):
    here = project.pytest("--mt-no-store", "--mt-record=here.jsonl", model="always_male")
    there = project.pytest(
        "--mt-no-store",
        "--mt-record=there.jsonl",
        f"--mt-executor=ray:{nodes.address}",
        model="always_male",
        alone=True,
    )
    here.assert_outcomes(passed=1, failed=3)
    there.assert_outcomes(passed=1, failed=3)
    assert without_date(project.record("there.jsonl")) == without_date(project.record("here.jsonl"))
    assert there.stderr.str() == ""
    there.stdout.fnmatch_lines([f"mtprobe: model *; evaluator: *; executor: ray:{nodes.address}"])
    assert [line for line in there.outlines if "raylet" in line] == []
    raylets = {process.process.pid for process in nodes.cluster.head_node.all_processes["raylet"]}
    assert raylets < processes(project)
    wait_for(lambda: not any(map(is_running, processes(project) - raylets)))
    assert all(map(is_running, raylets))


SLOW = """
import time, toys

def fair(sources):
    time.sleep(0.2 * len(sources))
    return toys.fair(sources)

fair.chunk, fair.fingerprint, fair.score = 2, "slow", toys.fair.score
"""


def test_an_interrupted_run_keeps_what_arrived_and_leaves_no_process_behind(project):
    (project.path / "slow.py").write_text(SLOW, encoding="utf-8")
    slow = ("--mt-model=python:slow:fair", TARGET, "suites")
    with running(project.path, *slow, "--mt-executor=ray?workers=1") as run:
        run.until(lambda: stored(project.path / ".mtprobe" / "store.sqlite"))
        run.ctrl_c()
        said, _ = run.end()
        assert run.process.returncode == 2
        assert "Traceback" not in said
        assert "interrupted while translating: " in said
        assert len(processes(project)) == 2  # a worker, and the node that started it
        wait_for(lambda: not any(map(is_running, processes(project))))
        wait_for(lambda: not run.members)
    kept = stored(project.path / ".mtprobe" / "store.sqlite")
    assert 0 < kept < 24
    before = len(project.calls("translate"))
    project.pytest(*slow, model=None, where="").assert_outcomes(passed=4)
    assert len(project.calls("translate")) == before + 24 - kept


def stored(store: Path) -> int:
    if not store.exists():
        return 0
    try:
        with closing(sqlite3.connect(store)) as connection:
            return int(connection.execute("SELECT count(*) FROM kept").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def test_a_cluster_that_is_not_there_is_reported_without_a_traceback(project):
    result = project.pytest("--mt-executor=ray:127.0.0.1:1", alone=True)
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*ray: cannot connect to a cluster at 127.0.0.1:1: *"])
    assert "Traceback" not in result.stdout.str()
