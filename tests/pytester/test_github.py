"""What GitHub Actions gets, when a run is one of its steps."""

from __future__ import annotations

import pytest


@pytest.fixture
def step(project, monkeypatch):
    """A run as a step of a workflow."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.path))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path / "step.md"))
    return project


def annotations(result):
    return [line for line in result.stdout.lines if line.startswith("::")]


def test_failed_gates_are_annotated_at_their_lines(step):
    result = step.pytest(model="always_male")
    assert result.ret == 1
    found = annotations(result)
    lines = (step.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8").splitlines()
    place = next(number for number, line in enumerate(lines, start=1) if "accuracy[female]" in line)
    assert len(found) == 3
    assert found[0].startswith(
        f"::error file=suites/occupations.mt.yaml,line={place},title=occupations%3A accuracy[female]::"
    )
    assert "accuracy[female] = 0.00 (95%25 interval 0.00–0.46, n = 12), but must be >= 0.60" in found[0]


def test_paths_are_seen_from_the_top_of_the_repository(step, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(step.path.parent))
    found = annotations(step.pytest(model="always_male"))
    assert f"file={step.path.name}/suites/occupations.mt.yaml," in found[0]


def test_a_mistake_in_a_suite_is_annotated_where_it_is(step):
    step.change("categories: [male, female]", "categorys: [male, female]")
    found = annotations(step.pytest())
    assert any(
        line.startswith("::error file=suites/occupations.mt.yaml,line=6,") and "categorys" in line
        for line in found
    )


def test_an_error_is_annotated_too(step):
    found = annotations(step.pytest("--mt-evaluator=python:toys:fair", model="broken"))
    assert len(found) == 4
    assert "the toy is broken" in found[0]


def test_expected_failures_are_not_annotated(step):
    step.change('  gap: "<= 0.20"', '  gap: {bound: "<= 0.20", xfail: {reason: known}}')
    assert len(annotations(step.pytest(model="always_male"))) == 2


def test_a_green_run_has_no_annotation(step):
    result = step.pytest()
    assert result.ret == 0
    assert annotations(result) == []


def test_the_summary_of_the_step_is_added_to_what_is_there(step):
    (step.path / "step.md").write_text("# Before\n", encoding="utf-8")
    step.pytest(model="always_male")
    text = (step.path / "step.md").read_text(encoding="utf-8")
    assert text.startswith("# Before\n")
    assert "## mtprobe: 3 of 4 gates did not pass" in text


def test_elsewhere_there_is_neither(project, monkeypatch):
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    assert annotations(project.pytest(model="always_male")) == []


@pytest.mark.slow
def test_under_xdist_each_gate_is_annotated_once(step):
    pytest.importorskip("xdist")
    assert len(annotations(step.pytest("-n2", model="always_male"))) == 3
    assert (step.path / "step.md").read_text(encoding="utf-8").count("## mtprobe") == 1


def test_junit_properties_are_plain_values(step):
    step.change('  gap: "<= 0.20"\n', '  regression: "<= 0.02"\n')
    step.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl")
    step.pytest("--mt-baseline=baseline.jsonl", "--junit-xml=junit.xml", model="always_male")
    text = (step.path / "junit.xml").read_text(encoding="utf-8")
    for name, value in (
        ("mtprobe_suite", "occupations"),
        ("mtprobe_value", "0.5"),
        ("mtprobe_n", "24"),
        ("mtprobe_bound", "&lt;= 0.02"),
        ("mtprobe_regressed", "12"),
        ("mtprobe_fixed", "0"),
    ):
        assert f'<property name="{name}" value="{value}"' in text
    assert 'name="mtprobe_p" value="0.03125"' in text
    assert 'name="mtprobe_test" value="cluster sign-flip test"' in text


def test_the_model_is_named_where_a_run_has_several(step):
    found = annotations(step.pytest("--mt-model=other=python:toys:always_male", model="always_male"))
    titles = [line.partition("::")[2].partition("::")[0].rpartition("title=")[2] for line in found]
    assert "occupations%3A accuracy[female] on other" in titles
    assert "occupations%3A accuracy[female] on python-toys-always_male" in titles


def test_a_shipped_suite_is_annotated_by_its_name_without_a_file(step):
    found = annotations(step.pytest("--mt-suite=formality", model="always_male", where=""))
    assert found
    for line in found:
        assert line.startswith("::error title=mtprobe%3Aformality/")
        assert "file=" not in line
