"""--mt-method"""

from __future__ import annotations

import pytest


def test_the_suites_own_method_may_be_named(project):
    project.pytest("--mt-method=contrastive-conditioning").assert_outcomes(passed=4)


def test_an_unknown_method_is_a_usage_error(project):
    result = project.pytest("--mt-method=guessing")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*unknown method "guessing"; available: contrastive-conditioning*'])


def test_an_unknown_method_in_a_suite_is_a_located_error(project):
    project.change("method: contrastive-conditioning", "method: contrastive-conditoning")
    result = project.pytest()
    assert result.ret == 2
    result.stdout.fnmatch_lines(
        ['suites/occupations.mt.yaml:5:1: unknown method "contrastive-conditoning"; did you mean*']
    )


BOTH = ("method: contrastive-conditioning", "methods: [contrastive-conditioning, minimal-pairs]")
PAIRS = """
samples:
  - id: pair
    source: The <doctor> sold her house near the harbour.
    category: female
    targets:
      pt:
        correct: A médica vendeu a casa perto do antigo porto da cidade.
        incorrect: O médico vendeu a casa perto do antigo porto da cidade.
"""


def with_pairs(project):
    project.change(*BOTH)
    project.change("gates:", 'gates:\n  accuracy[female]@minimal-pairs: ">= 0"')
    path = project.path / "suites" / "occupations.mt.yaml"
    path.write_text(path.read_text(encoding="utf-8") + PAIRS, encoding="utf-8")


def test_several_methods_judge_one_translation_and_a_gate_names_the_one_it_reads(project):
    with_pairs(project)
    project.pytest("--mt-no-store").assert_outcomes(passed=5)
    suites = {line["method"]: line for line in project.record() if line["kind"] == "suite"}
    assert list(suites) == ["contrastive-conditioning", "minimal-pairs"]
    assert "skipped" in suites["minimal-pairs"]["notes"][0]
    translated = project.calls("translate fair")
    assert len(translated) == len(set(translated))  # once, whoever judges


def test_one_of_several_methods_may_be_picked_and_gates_of_the_other_say_why_they_are_skipped(project):
    with_pairs(project)
    result = project.pytest("--mt-method=contrastive-conditioning", "-rs")
    result.assert_outcomes(passed=4, skipped=1)
    result.stdout.fnmatch_lines(["*only contrastive-conditioning was asked for*"])


def test_a_method_that_the_model_does_not_allow_is_left_out_visibly(project):
    with_pairs(project)
    result = project.pytest("-v", "--mt-target=de", "--mt-model=python:toys:fair", "-rs", model=None)
    assert result.parseoutcomes()["skipped"] == 1
    result.stdout.fnmatch_lines(
        ["*note: minimal-pairs was skipped: *", "SKIPPED*minimal-pairs needs `targets` in de*"]
    )


@pytest.mark.slow
def test_a_gate_of_a_method_that_does_not_judge_the_suite_is_a_located_error(project):
    project.change("gates:", 'gates:\n  accuracy@minimal-pair: ">= 0"')
    result = project.pytest()
    result.stdout.fnmatch_lines(['*occupations.mt.yaml:*the suite is not judged by "minimal-pair"*'])


def test_the_report_says_where_methods_agree(project):
    with_pairs(project)
    result = project.pytest("-v", "--mt-report=report.html")
    result.stdout.fnmatch_lines(["*contrastive-conditioning and minimal-pairs agree on *"])
    page = (project.path / "report.html").read_text(encoding="utf-8")
    assert "Where methods agree" in page


COMBINED = (
    "method: contrastive-conditioning",
    "methods: [gender-morphology, contrastive-conditioning]\ncombine: first-decided",
)


@pytest.mark.parametrize(
    "given",
    [
        ["--mt-method=gender-morphology,contrastive-conditioning"],
        ["--mt-method=contrastive-conditioning", "--mt-method=gender-morphology"],
    ],
    ids=["list", "repeated"],
)
def test_several_methods_judge_each_by_itself(project, given):
    project.change(*COMBINED)
    project.pytest()
    assert [line["method"] for line in suites_of(project)] == ["gender-morphology, contrastive-conditioning"]
    project.pytest(*given, "--mt-report=run.html")
    assert [line["method"] for line in suites_of(project)] == [
        "gender-morphology",
        "contrastive-conditioning",
    ]
    assert "Where methods agree" in (project.path / "run.html").read_text(encoding="utf-8")


def suites_of(project):
    return [line for line in project.record() if line["kind"] == "suite"]


def test_one_unknown_method_of_several_is_a_usage_error(project):
    result = project.pytest("--mt-method=contrastive-conditioning,guessing")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*unknown method "guessing"; available: contrastive-conditioning*'])
