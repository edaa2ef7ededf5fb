"""--mt-data-root, and data files"""

from __future__ import annotations

import json

import pytest

SUITE = """\
mtprobe: 1
name: from-a-file
about: Do samples come from a file?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
gates:
  accuracy: ">= 0.60"
data: {file: samples.jsonl}
"""
LINES = [
    {"source": "The <doctor> finished her shift before the others arrived.", "category": "female"},
    {"source": "The <doctor> finished his shift before the others arrived.", "category": "male"},
]


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_a_file_beside_the_suite_is_read(project):
    suite = project.suite("data", SUITE)
    write(suite.parent / "samples.jsonl", LINES)
    project.pytest(where="suites/data.mt.yaml").assert_outcomes(passed=1)


@pytest.mark.slow
def test_a_file_elsewhere_needs_the_option(project):
    project.suite("data", SUITE)
    elsewhere = project.path / "elsewhere"
    elsewhere.mkdir()
    write(elsewhere / "samples.jsonl", LINES)
    result = project.pytest(where="suites/data.mt.yaml")
    assert result.ret == 2
    result.stdout.fnmatch_lines(['suites/data.mt.yaml:12:*there is no file "samples.jsonl"*'])
    project.pytest("--mt-data-root=elsewhere", where="suites/data.mt.yaml").assert_outcomes(passed=1)


def test_a_failing_sample_is_named_by_its_line_in_the_file(project):
    suite = project.suite("data", SUITE)
    write(suite.parent / "samples.jsonl", LINES)
    result = project.pytest(
        "-v", "--mt-set=from-a-file:accuracy=>= 0.9", where="suites/data.mt.yaml", model="always_male"
    )
    result.stdout.fnmatch_lines(["  suites/samples.jsonl:1 *incorrect*"])
