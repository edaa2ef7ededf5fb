"""--mt-executor"""

from __future__ import annotations

import pytest

from mtprobe.backends.model import Local, open_executor


def test_models_run_here_unless_it_is_said_otherwise(project):
    result = project.pytest("--mt-executor=local")
    result.assert_outcomes(passed=4)
    assert "executor" not in result.stdout.str()
    assert isinstance(open_executor(None), Local)


def test_an_unknown_executor_is_a_usage_error(project):
    result = project.pytest("--mt-executor=locl")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*--mt-executor: there is no executor "locl"; did you mean "local"?'])


def test_a_mistake_in_its_options_is_a_usage_error(project):
    result = project.pytest("--mt-executor=ray?workers=many")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-executor: ray: workers=many is not a positive number"])


@pytest.mark.slow
def test_a_spread_run_of_pytest_cannot_be_spread_again(project):
    pytest.importorskip("xdist")
    result = project.pytest("--mt-executor=ray", "-n2")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-executor=ray distributes the work of one pytest process: omit -n"])


def test_collecting_starts_no_cluster(project):
    result = project.pytest("--mt-executor=ray:127.0.0.1:1", "--collect-only", "-q")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*::gap"])


def test_the_ini_file_may_name_it(project):
    (project.path / "pytest.ini").write_text("[pytest]\nmt_executor = ry\n", encoding="utf-8")
    result = project.pytest()
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*there is no executor "ry"*'])


def test_models_that_stay_here_are_named(project):
    (project.path / "made.tsv").write_text("a\tb\n", encoding="utf-8")
    evaluator = "--mt-evaluator=python:toys:fair"
    result = project.pytest(
        "--mt-model=file:made.tsv",
        "--mt-target=pt",
        evaluator,
        "--mt-executor=ray",
        "--collect-only",
        model=None,
    )
    result.stdout.fnmatch_lines(["mtprobe: model file-made.tsv *; executor: ray (not for file-made.tsv)"])
