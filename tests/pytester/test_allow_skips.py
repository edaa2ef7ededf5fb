"""--mt-allow-skips: nothing judged is not green"""

from __future__ import annotations

import pytest


def test_a_run_in_which_nothing_was_judged_fails(project):
    project.change("targets: any", "targets: [de]")
    result = project.pytest()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no gate was judged, so this run is not green*"])


def test_unless_that_is_allowed(project):
    project.change("targets: any", "targets: [de]")
    assert project.pytest("--mt-allow-skips").ret == 0


def test_one_judged_gate_is_enough(project):
    project.suite(
        "german",
        (project.path / "suites/occupations.mt.yaml")
        .read_text()
        .replace("targets: any", "targets: [de]")
        .replace("name: occupations", "name: german"),
    )
    result = project.pytest()
    assert result.ret == 0
    result.assert_outcomes(passed=4, skipped=4)


@pytest.mark.slow
def test_it_is_the_same_under_xdist(project):
    project.change("targets: any", "targets: [de]")
    result = project.pytest("-n2")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no gate was judged*"])


def test_outputs_of_an_earlier_run_do_not_stay_in_place(project):
    outputs = ["--mt-record=run.jsonl", "--mt-markdown=run.md", "--mt-report=run.html"]
    assert project.pytest(*outputs).ret == 0
    project.change("targets: any", "targets: [de]")
    assert project.pytest(*outputs).ret == 1
    assert (project.path / "run.md").read_text(encoding="utf-8") == "## mtprobe: no gate was judged\n"
    assert [line["kind"] for line in project.record("run.jsonl")] == ["run", "end"]
    assert "No gate was judged" in (project.path / "run.html").read_text(encoding="utf-8")
