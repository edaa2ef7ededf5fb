"""Something is not installed that one suite needs: its gates are errors, and the others run"""

from __future__ import annotations

import sys

import pytest

import mtprobe
from mtprobe.errors import MtprobeError
from mtprobe.records import read_run

WORDS = """\
mtprobe: 1
name: phrases
about: Are phrases polite?
languages: {source: en, targets: any}
method: word-lists
gates: {accuracy: ">= 0.5"}
samples:
  - id: door
    source: The doctor finished her shift.
    must_contain: {pt: /turno/}
"""
NEEDS = 'word-lists needs regex: pip install "mtprobe*checks]"'


@pytest.fixture
def without_regex(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "regex", None)
    project.suite("phrases", WORDS)
    return project


def test_gates_of_the_suite_are_errors_and_the_others_are_decided(without_regex):
    result = without_regex.pytest()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    outcomes = result.parseoutcomes()
    assert outcomes["errors"] == 1
    assert outcomes["passed"] > 1
    result.stdout.fnmatch_lines([f"*{NEEDS}*"])
    run = read_run(without_regex.path / ".mtprobe" / "last-run.jsonl")
    assert [suite.suite for suite in run.failed] == ["phrases"]


def test_it_is_a_usage_error_if_nothing_else_could_run(without_regex):
    without_regex.suite("others", WORDS.replace("name: phrases", "name: others"))
    result = without_regex.pytest("suites/others.mt.yaml", where="suites/phrases.mt.yaml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {NEEDS}"])


def test_in_python_it_is_an_error_before_anything_runs(without_regex, monkeypatch):
    monkeypatch.syspath_prepend(str(without_regex.path))
    with pytest.raises(MtprobeError, match="word-lists needs regex"):
        mtprobe.run(without_regex.path / "suites", "python:toys:fair", target="pt")
