"""`-k`, `--deselect` and ids: what was not selected is marked, and headlines agree with the exit code"""

from __future__ import annotations

import pytest

from mtprobe.records import read_run

REPORTS = ("--mt-markdown=run.md", "--mt-report=run.html", "--mt-record=run.jsonl")
SECOND = ("name: occupations", "name: jobs")


def headline(project):
    return (project.path / "run.md").read_text(encoding="utf-8").splitlines()[0]


def page(project):
    return (project.path / "run.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("args", [["-k", "accuracy and not female and not minimum"], ["-n2", "-k", "accuracy and not female and not minimum"]])  # fmt: skip
def test_gates_that_were_not_selected_do_not_count(project, args):
    result = project.pytest(*args, *REPORTS, model="always_male")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["* female * not selected", "3 of 4 gates were not selected"])
    assert headline(project) == "## mtprobe: the only selected gate passed; 3 of 4 gates were not selected"
    assert "The only selected gate passed" in page(project)
    assert "3 of 4 gates were not selected" in page(project)
    run = read_run(project.path / "run.jsonl")
    assert run.passed
    assert [gate.status for gate in run.suites[0].gates] == [
        "passed",
        "unselected",
        "unselected",
        "unselected",
    ]


def test_an_id_selects_too(project):
    project.pytest(*REPORTS, "suites/occupations.mt.yaml::gap", model="always_male", where="")
    assert headline(project) == "## mtprobe: 1 of 1 gates did not pass; 3 of 4 gates were not selected"


def test_suites_of_which_nothing_was_selected_are_in_the_record(project):
    text = (project.path / "suites" / "occupations.mt.yaml").read_text(encoding="utf-8")
    project.suite("jobs", text.replace(*SECOND))
    result = project.pytest("-k", "jobs", *REPORTS)
    assert result.ret == 0
    run = read_run(project.path / "run.jsonl")
    assert [(suite.suite, suite.gates) for suite in run.unselected] == [("occupations", 4)]
    assert headline(project) == "## mtprobe: all 4 selected gates passed; 4 of 8 gates were not selected"


@pytest.mark.slow
@pytest.mark.parametrize("args", [["-x"], ["-x", "-n2"]])
def test_after_an_early_end_gates_of_suites_that_never_started_are_counted(project, args):
    text = (project.path / "suites" / "occupations.mt.yaml").read_text(encoding="utf-8")
    for name in ("pastimes", "qualifications", "roles"):
        project.suite(name, text.replace("name: occupations", f"name: {name}"))
    result = project.pytest(*args, *REPORTS, model="always_male")
    assert result.ret != 0
    run = read_run(project.path / "run.jsonl", whole=False)
    judged, bad = len(run.gates), sum(gate.status == "failed" for gate in run.gates)
    said = f"{16 - judged} of 16 gates were not judged: the run stopped early"
    result.stdout.fnmatch_lines([said])
    assert headline(project) == f"## mtprobe: {bad} of {judged} gates did not pass; {said}"
    assert said in page(project)


def test_undecided_gates_that_are_skipped_do_not_count(project):
    project.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0.99 @95%"')
    result = project.pytest("--mt-undecided=skip", *REPORTS)
    assert result.ret == 0
    assert headline(project) == "## mtprobe: all 3 gates passed; 1 undecided gate was skipped"
    assert "All 3 gates passed" in page(project)


def test_samples_that_must_be_correct_are_in_the_headline(project):
    project.change("categories:", "expect: each\ncategories:")
    project.change('  accuracy[female]: ">= 0.60"\n  minimum_accuracy: ">= 0.60"\n  gap: "<= 0.20"\n', "")
    result = project.pytest(*REPORTS, model="always_male")
    assert result.ret == 1
    assert headline(project) == ("## mtprobe: 12 samples that must be correct are not; the only gate passed")
    assert not read_run(project.path / "run.jsonl").passed
    assert "12 samples that must be correct are not" in page(project)
