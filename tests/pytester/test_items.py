"""Gates are ordinary items: selection, marks, xfail, `expect: each`, JUnit, --collect-only"""

from __future__ import annotations

import datetime
import xml.etree.ElementTree as ElementTree

import pytest


@pytest.mark.slow
def test_collecting_loads_no_model(project):
    (project.path / "conftest.py").write_text(
        """
import sys

def pytest_sessionfinish():
    heavy = {"onnxruntime", "onnx", "sentencepiece", "torch", "transformers", "py3langid"} & set(sys.modules)
    print("HEAVY", sorted(heavy))
"""
    )
    result = project.pytest("--collect-only", "-q", "-s", "--mt-model=demo", model=None, alone=True)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["suites/occupations.mt.yaml::accuracy[[]female]", "*HEAVY []"])
    assert not (project.path / ".mtprobe").exists()


def test_a_single_gate_can_be_named(project):
    result = project.pytest("-v", where="suites/occupations.mt.yaml::accuracy[female]")
    result.assert_outcomes(passed=1)


def test_k_selects(project):
    project.pytest("-k", "female").assert_outcomes(passed=1, deselected=3)


def test_last_failed_runs_what_failed(project):
    project.pytest(model="always_male")
    project.pytest("--lf", model="always_male").assert_outcomes(failed=3)


def test_marks_serve_m(project):
    project.pytester.makeini("[pytest]\nmarkers =\n    nightly: takes long\n")
    project.change("name: occupations\n", "name: occupations\nmarks: [nightly]\n")
    project.pytest("-m", "nightly").assert_outcomes(passed=4)
    project.pytest("-m", "not nightly").assert_outcomes(deselected=4)


def xfail(until):
    return f'{{bound: ">= 0.60", xfail: {{reason: "known, see the model card", until: "{until}"}}}}'


def test_an_expected_failure_does_not_fail_the_run(project):
    later = datetime.date.today() + datetime.timedelta(days=1)
    project.change('accuracy[female]: ">= 0.60"', f"accuracy[female]: {xfail(later)}")
    result = project.pytest("-rx", model="always_male")
    result.assert_outcomes(passed=1, failed=2, xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL *accuracy[[]female] - known, see the model card"])


def test_an_expected_failure_expires(project):
    yesterday = datetime.date.today() - datetime.timedelta(days=1)
    project.change('accuracy[female]: ">= 0.60"', f"accuracy[female]: {xfail(yesterday)}")
    project.pytest(model="always_male").assert_outcomes(passed=1, failed=3)


def test_expect_each_makes_every_sample_an_item(project):
    project.change("name: occupations\n", "name: occupations\nexpect: each\n")
    result = project.pytest("-v", model="always_male")
    result.assert_outcomes(passed=1 + 12, failed=3 + 12)
    result.stdout.fnmatch_lines(
        ["*::each[[]shift/doctor/her[]] FAILED*", "*::each[[]shift/doctor/his[]] PASSED*"]
    )


def test_junit_has_the_numbers_as_properties(project):
    project.pytest("--junitxml=junit.xml", model="always_male")
    cases = ElementTree.parse(project.path / "junit.xml").iter("testcase")
    case = next(case for case in cases if case.get("name") == "accuracy[female]")
    properties = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert properties["mtprobe_suite"] == "occupations"
    assert float(properties["mtprobe_value"]) == 0.0
    assert properties["mtprobe_n"] == "12"
    assert properties["mtprobe_bound"] == ">= 0.60"


def test_failures_point_at_the_gates_line(project):
    result = project.pytest("--tb=line", model="always_male")
    result.stdout.fnmatch_lines(["*accuracy[[]female]*"])


def test_a_source_without_a_translation_makes_the_gates_error_by_name(project):
    (project.path / "made.tsv").write_text(
        "The doctor finished her shift before the others arrived.\tA médica terminou o turno.\n"
    )
    result = project.pytest(
        "-v", "--mt-model=file:made.tsv", "--mt-target=pt", "--mt-evaluator=python:toys:fair", model=None
    )
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(
        [
            "occupations: accuracy[[]male] cannot be judged: 23 of 24 samples could not be judged: 23 × made.tsv has no translation of “…” (“The doctor finished his shift before the others arrived.”, *, …)"
        ]
    )


def test_a_plugin_hears_of_finished_suites(project):
    (project.path / "conftest.py").write_text(
        """
def pytest_mtprobe_suite_finished(config, suite_run):
    print("FINISHED", suite_run.suite, len(suite_run.results))

def pytest_mtprobe_run_finished(config, run):
    print("RUN", len(run.suites))
"""
    )
    project.pytest("-s").stdout.fnmatch_lines(["*FINISHED occupations 24", "*RUN 1"])


def test_a_suite_outside_of_the_root_directory_has_its_name_in_ids(project, tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    (root / "pytest.ini").touch()
    suite = str(project.path / "suites" / "occupations.mt.yaml")
    result = project.pytest(
        "--collect-only", "-q", f"--rootdir={root}", "-c", str(root / "pytest.ini"), where=suite
    )
    result.stdout.fnmatch_lines(["occupations.mt.yaml::accuracy[[]female]"])
