"""--mt-markdown PATH"""

from __future__ import annotations

import pytest


def text_of(project, path="summary.md"):
    return (project.path / path).read_text(encoding="utf-8")


def test_the_summary_says_what_failed_first(project):
    result = project.pytest("--mt-markdown=out/summary.md", model="always_male")
    result.stdout.fnmatch_lines(["markdown: out/summary.md"])
    text = text_of(project, "out/summary.md")
    assert text.startswith("## mtprobe: 3 of 4 gates did not pass\n")
    assert "| **failed** | `accuracy[female]` | 0.00 | 0.00–0.46 | 12 | `>= 0.60` |" in text
    assert "| passed | `accuracy[male]` | 1.00 |" in text
    assert "| `female` (min) | 0.00 |" in text
    assert "<summary>The most confident mistakes</summary>" in text
    assert "- `The <dancer> " in text


def test_a_green_run_is_short(project):
    project.pytest("--mt-markdown=summary.md")
    text = text_of(project)
    assert text.startswith("## mtprobe: all 4 gates passed\n")
    assert "confident mistakes" not in text


def test_what_broke_since_the_baseline_is_folded(project):
    project.change('  gap: "<= 0.20"\n', '  regression: "<= 0.02"\n')
    project.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl")
    project.pytest("--mt-baseline=baseline.jsonl", "--mt-markdown=summary.md", model="always_male")
    text = text_of(project)
    assert "12 samples were right in the baseline but no longer are" in text
    assert "before: `A médica" in text
    assert "cluster sign-flip test p = 0.0312" in text


def test_a_run_that_was_stopped_says_so(project):
    project.pytest("--mt-markdown=summary.md", "-x", model="always_male")
    assert "Not every gate that was collected was judged" in text_of(project)


def test_texts_from_outside_stay_in_code_spans(project):
    project.change("near the old harbour", "near `the` | *old* @somebody’s harbour")
    project.pytest("--mt-markdown=summary.md", model="always_male")
    lines = [line for line in text_of(project).splitlines() if "@somebody" in line]
    assert lines
    for line in lines:
        assert line.lstrip(" -").startswith("`` The ")
        assert "near `the` | *old* @somebody" in line


def test_a_folder_is_a_usage_error(project):
    result = project.pytest("--mt-markdown=suites")
    assert result.ret == 4


@pytest.mark.slow
def test_it_is_written_by_the_controller_under_xdist(project):
    result = project.pytest("--mt-markdown=summary.md", "-n2", model="always_male")
    assert result.stdout.str().count("markdown: summary.md") == 1
    assert text_of(project).startswith("## mtprobe: 3 of 4 gates did not pass")
