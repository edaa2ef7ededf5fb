"""`missing: skip`: a suite whose data is not here is skipped visibly, and does not make a run green by itself"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.pytester.test_data_root import LINES, SUITE, write

SKIPPING = SUITE.replace("{file: samples.jsonl}", "{file: samples.jsonl, missing: skip}")


def test_its_gates_are_skipped_with_the_file_that_is_missing(project):
    project.suite("data", SKIPPING)
    result = project.pytest("-rs")
    assert result.ret == 0
    result.assert_outcomes(passed=4, skipped=1)
    result.stdout.fnmatch_lines(['*suites/data.mt.yaml:12:*there is no file "samples.jsonl" in the suite*'])


def test_a_shipped_suite_is_shown_by_its_name(project):
    result = project.pytest("--mt-suite=public/winomt", "--mt-allow-skips", where=None)
    result.stdout.fnmatch_lines(
        ['SKIPPED*winomt: mtprobe:public/winomt.mt.yaml:29:24: there is no file "winomt/test.tsv"*']
    )


def test_a_run_of_nothing_else_is_not_green(project):
    project.suite("data", SKIPPING)
    result = project.pytest(where="suites/data.mt.yaml")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no gate was judged*"])


def test_it_runs_where_the_data_is(project):
    project.suite("data", SKIPPING)
    elsewhere = project.path / "elsewhere"
    elsewhere.mkdir()
    write(elsewhere / "samples.jsonl", LINES)
    project.pytest("--mt-data-root=elsewhere", where="suites/data.mt.yaml").assert_outcomes(passed=1)


@pytest.mark.slow
def test_a_file_that_is_there_and_wrong_is_still_an_error(project):
    suite = project.suite("data", SKIPPING)
    (suite.parent / "samples.jsonl").write_text("{}\n", encoding="utf-8")
    result = project.pytest(where="suites/data.mt.yaml")
    assert result.ret == 2
    result.stdout.fnmatch_lines(["suites/samples.jsonl:1: source: is missing"])


def test_a_gate_of_it_can_be_named(project):
    project.suite("data", SKIPPING)
    project.pytest("--mt-allow-skips", where="suites/data.mt.yaml::accuracy").assert_outcomes(skipped=1)


def test_lint_says_that_it_was_not_checked(project):
    path = project.suite("data", SKIPPING)
    result = project.pytester.run(Path(sys.executable).with_name("mtprobe"), "lint", path)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ['*not checked: there is no file "samples.jsonl"*', "1 suite, 0 errors, 0 warnings"]
    )
