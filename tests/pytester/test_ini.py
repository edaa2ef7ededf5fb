"""Every flag has its twin in the ini file, and the flag wins"""

from __future__ import annotations

from mtprobe.pytest_plugin.options import _OPTIONS


def test_a_run_from_the_ini_file_alone(project):
    project.pytester.makeini(
        """
        [pytest]
        mt_model = old=python:toys:always_male
        mt_evaluator = judge=python:toys:fair
        mt_source = en
        mt_target = pt
        mt_method = contrastive-conditioning
        mt_take = 20
        mt_set =
            occupations:gap=<= 1.0
        mt_report = out/report.html
        mt_record = out/run.jsonl
        mt_store = out/store.sqlite
        mt_device = cpu
        mt_dtype = int8
        mt_undecided = skip
        mt_allow_skips = true
        mt_data_root = .
        """
    )
    result = project.pytest("-v", model=None)
    result.stdout.fnmatch_lines(["*evaluator: judge", "*::gap PASSED*"])
    assert {path.name for path in (project.path / "out").iterdir()} >= {
        "report.html",
        "run.jsonl",
        "store.sqlite",
    }
    assert len([line for line in project.record("out/run.jsonl") if line["kind"] == "sample"]) == 20


def test_the_flag_wins(project):
    project.pytester.makeini("[pytest]\nmt_model = python:toys:always_male\nmt_target = pt\nmt_take = 2\n")
    project.pytest("--mt-take=24", model="fair").assert_outcomes(passed=4)


def test_a_wrong_value_in_the_ini_file_is_a_usage_error(project):
    project.pytester.makeini("[pytest]\nmt_undecided = perhaps\n")
    assert project.pytest().ret == 4


def test_every_option_has_help(pytester):
    shown = pytester.runpytest_inprocess("--help").stdout.str()
    for name, *_ in _OPTIONS:
        assert f"--mt-{name}" in shown
        assert "mt_" + name.replace("-", "_") in shown
