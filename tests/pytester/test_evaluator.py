"""--mt-evaluator SPEC"""

from __future__ import annotations

import pytest


def test_an_evaluator_scores_in_the_models_place(project):
    result = project.pytest("-v", "--mt-evaluator=python:toys:fair", model="always_male")
    result.assert_outcomes(passed=1, failed=3)
    assert project.calls("score fair")
    assert not project.calls("score always-male")
    result.stdout.fnmatch_lines(["*evaluator: python-toys-fair", "*evaluator python-toys-fair*"])


def test_a_model_that_cannot_score_needs_one(project):
    result = project.pytest(model="echo")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*contrastive-conditioning needs an evaluator*--mt-evaluator*"])


def test_an_evaluator_that_cannot_score_is_a_usage_error(project):
    result = project.pytest("--mt-evaluator=python:toys:echo")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*python-toys-echo cannot score*"])


def test_an_evaluator_for_another_language_pair_is_a_usage_error(project):
    result = project.pytest(
        "--mt-model=python:toys:fair", "--mt-target=de", "--mt-evaluator=demo", model=None
    )
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*evaluator demo: *translates into pt, not de"])


def test_the_record_names_model_and_evaluator(project):
    project.pytest("--mt-evaluator=judge=python:toys:fair")
    suite = next(line for line in project.record() if line["kind"] == "suite")
    assert suite["evaluator"]["name"] == "judge"
    assert suite["judges_itself"] is False


def test_several_evaluators_score_together(project):
    judges = ("--mt-evaluator=a=python:toys:fair", "--mt-evaluator=b=python:toys:always_male")
    result = project.pytest("-v", *judges, model="fair")
    result.stdout.fnmatch_lines(["mtprobe: *evaluator: a + b"])
    assert project.calls("score fair")
    assert project.calls("score always-male")
    (suite,) = [line for line in project.record() if line["kind"] == "suite"]
    assert suite["evaluator"]["name"] == "a + b"
    assert "fair" in suite["evaluator"]["fingerprint"]
    assert "always-male" in suite["evaluator"]["fingerprint"]
    sample = next(line for line in project.record() if line["kind"] == "sample")
    for item in sample["verdict"]["evidence"]:
        assert item["score"] == pytest.approx(sum(item["by_evaluator"]) / 2)
    result.stdout.fnmatch_lines(["*the evaluators, each alone, would decide *of 24 samples differently*"])


def test_the_ini_file_may_name_several(project):
    project.path.joinpath("pytest.ini").write_text(
        "[pytest]\nmt_evaluator =\n  a=python:toys:fair\n  b=python:toys:always_male\n", encoding="utf-8"
    )
    project.pytest()
    (suite,) = [line for line in project.record() if line["kind"] == "suite"]
    assert suite["evaluator"]["name"] == "a + b"
