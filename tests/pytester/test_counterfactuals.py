"""--mt-counterfactuals: how many translations are put into their other reading, to audit the evaluator"""

from __future__ import annotations

import pytest


def counterfactuals(project):
    (suite,) = [
        line
        for line in project.record()
        if line["kind"] == "suite" and line["method"].startswith("contrastive")
    ]
    return suite["in_place"]["counterfactuals"]


def test_a_run_exchanges_translations_and_says_so(project):
    result = project.pytest("-v", "--mt-markdown=run.md", "--mt-report=run.html", model="fair")
    rows = counterfactuals(project)
    assert {row["category"] for row in rows} == {"male", "female"}
    assert all(row["both"]["n"] == row["asked"] > 0 for row in rows)
    result.stdout.fnmatch_lines(["*counterfactuals: male: both readings recognized in *"])
    assert "counterfactuals: male" in (project.path / "run.md").read_text(encoding="utf-8")
    assert "Counterfactual translations" in (project.path / "run.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("given", "asked"), [("0", 0), ("3", 3)])
def test_the_number_can_be_set(project, given, asked):
    project.pytest(f"--mt-counterfactuals={given}", model="fair")
    assert sum(row["asked"] for row in counterfactuals(project)) == asked


def test_the_ini_file_can_set_it(project):
    (project.path / "pytest.ini").write_text("[pytest]\nmt_counterfactuals = 2\n", encoding="utf-8")
    project.pytest(model="fair")
    assert sum(row["asked"] for row in counterfactuals(project)) == 2


def test_a_number_that_is_none_is_a_usage_error(project):
    result = project.pytest("--mt-counterfactuals=many", model="fair")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--mt-counterfactuals: many is not a number of samples*"])
