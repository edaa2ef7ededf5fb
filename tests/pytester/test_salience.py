"""--mt-salience N"""

from __future__ import annotations

import pytest

from mtprobe.records import read_run
from tests.pytester.test_minimal_pairs import SUITE
from tests.report.page import parse


@pytest.fixture
def pairs(project):
    (project.path / "suites" / "occupations.mt.yaml").unlink()
    project.suite("pronouns", SUITE)
    return project


def test_the_report_has_a_section_of_what_the_model_looks_at(pairs):
    result = pairs.pytest("-v", "--mt-model=demo", "--mt-salience=9", "--mt-report=r.html", model=None)
    result.stdout.fnmatch_lines(
        ["*trigger importance for the word: d = *(all sentences belong to one cluster, *"]
    )
    page = parse((pairs.path / "r.html").read_text(encoding="utf-8"))
    shaded = page.one("ol", "shaded")
    assert len(shaded.all("li")) == 3
    assert [word.text for word in shaded.all("span", "trigger")] == [
        "her",
        "his",
    ]  # the schema with two sentences
    (suite,) = read_run(pairs.path / ".mtprobe" / "last-run.jsonl").suites
    assert [one.question.id for one in suite.salience.sentences] == ["doctor-1", "doctor-2", "lawyer-1"]


def test_it_is_of_as_many_as_are_asked_for_and_of_none_by_default(pairs):
    pairs.pytest("--mt-model=demo", "--mt-salience=1", model=None)
    (suite,) = read_run(pairs.path / ".mtprobe" / "last-run.jsonl").suites
    assert len(suite.salience.sentences) == 1
    assert not suite.partial
    pairs.pytest("--mt-model=demo", model=None)
    (suite,) = read_run(pairs.path / ".mtprobe" / "last-run.jsonl").suites
    assert suite.salience is None


def test_a_model_without_graphs_is_told_in_a_note(pairs):
    result = pairs.pytest("-v", "--mt-salience=5")
    result.stdout.fnmatch_lines(
        ["*note: salience was not computed: python-toys-fair does not run on our graphs*"]
    )


def test_what_is_no_number_is_a_usage_error(project):
    result = project.pytest("--mt-salience=some")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-salience: some is not a number of samples"])
