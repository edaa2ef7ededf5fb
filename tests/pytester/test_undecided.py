"""--mt-undecided, and gates that are decided on the interval"""

from __future__ import annotations

import pytest


def test_an_interval_that_spans_the_bound_is_undecided_and_fails_in_its_own_words(project):
    project.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0.60 @95%"')
    project.change(
        "occupation: [doctor, lawyer, teacher, engineer, writer, dancer]", "occupation: [doctor, lawyer]"
    )
    result = project.pytest("-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["*accuracy[[]female] = 1.00 * is undecided: it must be >= 0.60 @95%*about * samples would decide it"]
    )


def test_it_may_skip_instead(project):
    project.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0.60 @95%"')
    project.change(
        "occupation: [doctor, lawyer, teacher, engineer, writer, dancer]", "occupation: [doctor, lawyer]"
    )
    project.pytest("--mt-undecided=skip").assert_outcomes(passed=3, skipped=1)


def test_enough_samples_decide_it(project):
    project.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0.50 @95%"')
    project.pytest().assert_outcomes(passed=4)
    project.pytest(model="always_male").assert_outcomes(passed=1, failed=3)


def test_another_word_is_refused(project):
    assert project.pytest("--mt-undecided=maybe").ret == 4


CONSTANT = """
from toys import fair


class Constant:
    fingerprint = "constant"

    def __call__(self, sources):
        return fair(sources)

    def score(self, pairs):
        return [(-0.5, -0.5) for _ in pairs]


scorer = Constant()
"""


@pytest.mark.parametrize("undecided", ["fail", "skip"])
def test_verdicts_that_are_exact_ties_turn_no_gate_green(project, undecided):
    (project.path / "constant.py").write_text(CONSTANT, encoding="utf-8")
    project.change("gates:\n", "expect: each\ngates:\n")
    result = project.pytest(
        "-v",
        f"--mt-undecided={undecided}",
        "--mt-evaluator=python:constant:scorer",
        "--mt-report=report.html",
        "--mt-markdown=summary.md",
    )
    result.assert_outcomes(failed=4 + 24)
    why = "24 of 24 verdicts are exact ties"
    result.stdout.fnmatch_lines(
        [
            f"*gap = 0.00 * is undecided: {why}: the scores do not distinguish the readings; it must be <= 0.20",
            f"*undecided gap <= 0.20: {why}: the scores do not distinguish the readings",
            f"*note: {why}",
        ]
    )
    for path in ("report.html", "summary.md"):
        assert why in (project.path / path).read_text(encoding="utf-8")


def test_a_doubt_is_in_the_record(project):
    (project.path / "constant.py").write_text(CONSTANT, encoding="utf-8")
    project.pytest("--mt-evaluator=python:constant:scorer")
    gates = [line for line in project.record() if line["kind"] == "gate"]
    assert {(gate["decision"], gate["skippable"]) for gate in gates} == {("undecided", False)}
    project.pytest()
    gates = [line for line in project.record() if line["kind"] == "gate"]
    assert {(gate["decision"], gate["skippable"]) for gate in gates} == {("passed", True)}
