"""What a run shows by default: one screen, on which nothing is said twice"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

BIASED = "FAILED suites/occupations.mt.yaml::accuracy[[]female[]] - 0.00 (0.00–*, n = 12), must be >= 0.60"


LISTS = """\
mtprobe: 1
name: lists
about: Is a word there?
languages: {source: en, targets: [pt]}
method: word-lists
cluster: job
gates: {accuracy: ">= 0.9"}
generate:
  - {id: a, source: "The {job} finished.", slots: {job: [actor, baker, cook]}, must_contain: {pt: [xyz]}}
  - {id: b, source: "The {job} rested.", slots: {job: [actor, baker, cook]}, must_contain: {pt: [xyz]}}
"""


@pytest.fixture
def biased(project):
    return project.pytest(model="always_male")


def test_a_table_then_the_failed_gates_then_samples_then_paths(biased):
    biased.stdout.fnmatch_lines(
        [
            "*= mtprobe =*",
            "suite * category * accuracy * 95% interval * n * gate",
            "occupations * male * 1.00 * 12 * passed >= 0.60",
            " * female * 0.00 * 12 * failed >= 0.60",
            "",
            BIASED,
            "FAILED suites/occupations.mt.yaml::minimum_accuracy - 0.00 (*) [[]female[]], must be >= 0.60",
            "FAILED suites/occupations.mt.yaml::gap - 1.00 (*) [[]male over female[]], must be <= 0.20",
            "The worst samples*",
            "  suites/occupations.mt.yaml:* [[]female[]] The <*> *her* → O *",
            "record: .mtprobe/last-run.jsonl",
            "*= 3 failed, 1 passed in *",
        ]
    )
    assert len(biased.outlines) < 30


def test_three_samples_are_shown_each_once(biased):
    samples = [line for line in biased.outlines if line.startswith("  suites/")]
    assert len(samples) == len(set(samples)) == 3


def test_of_equally_wrong_samples_those_of_different_templates_are_shown(project):
    path = project.suite("lists", LISTS)
    (project.path / "loud.py").write_text("def loud(sources):\n    return [s.upper() for s in sources]\n")
    result = project.pytest(
        "--mt-model=python:loud:loud", "--mt-source=en", "--mt-target=pt", model=None, where=str(path)
    )
    shown = [line.split("→")[0] for line in result.outlines if line.startswith(f"  suites/{path.name}")]
    assert len(shown) == 3
    assert sum("finished" in line for line in shown) == 2
    assert sum("rested" in line for line in shown) == 1
    assert len({line.rpartition("The ")[2].split()[0] for line in shown}) == 3


def test_pytests_own_sections_do_not_repeat_what_is_listed(biased):
    text = biased.stdout.str()
    assert "FAILURES" not in text
    assert "short test summary" not in text
    assert text.count("::gap") == 1


@pytest.mark.slow
@pytest.mark.parametrize("args", [["-ra"], ["-ra", "-n2"]])
def test_not_even_if_the_summary_of_pytest_shows_everything(project, args):
    project.change('gap: "<= 0.20"', 'gap: "<= 0.20"\n  regression: "<= 0.1"')
    result = project.pytest(*args, "--mt-baseline=none", model="always_male")
    result.assert_outcomes(passed=1, failed=3, skipped=1)
    assert result.stdout.str().count("::gap") == 1
    assert result.stdout.str().count("there is no baseline to compare with") == 1


def test_with_v_everything_is_shown(project):
    result = project.pytest("-v", model="always_male")
    result.stdout.fnmatch_lines(
        [
            "*= FAILURES =*",
            "occupations: accuracy[[]female[]] = 0.00 (95% interval *, n = 12), but must be >= 0.60",
            "the worst 3 of 12 samples:",
            "*= mtprobe =*",
            "  failed    gap <= 0.20: 1.00 *",
            "mtprobe * | suite occupations#* | seed 0",
            "FAILED suites/occupations.mt.yaml::gap - 1.00 (*) [[]male over female[]], must be <= 0.20",
            "record: *",
        ]
    )
    assert "short test summary" not in result.stdout.str()


def test_with_v_a_long_name_does_not_hide_the_number(project, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    name = "accuracy[female, occupation=engineer, possessive=her]"
    project.change('gap: "<= 0.20"', f'{name}: ">= 0.60"')
    result = project.pytest("-v", model="always_male")
    [line] = [line for line in result.outlines if line.startswith("FAILED") and name in line]
    assert " - 0.00 (0.00–1.00, n = 2) " in line
    assert line.endswith(", must be >= 0.60")


def test_with_v_every_sample_that_must_be_correct_is_listed(project):
    project.change("categories:", "expect: each\ncategories:")
    result = project.pytest("-v", model="always_male")
    assert sum(line.startswith("FAILED ") and "each[" in line for line in result.outlines) == 12


def test_other_tests_that_fail_are_shown_as_ever(project):
    (project.path / "suites" / "test_other.py").write_text("def test_other():\n    assert 1 == 2\n")
    result = project.pytest(model="always_male")
    result.assert_outcomes(passed=1, failed=4)
    result.stdout.fnmatch_lines(
        ["*= FAILURES =*", "*assert 1 == 2*", BIASED, "FAILED suites/test_other.py::test_other - *"]
    )


def test_junit_has_the_text_in_full_and_a_short_message(project):
    project.pytest("--junitxml=junit.xml", model="always_male")
    failures = {
        case.get("name"): case.find("failure")
        for case in ET.parse(project.path / "junit.xml").iter("testcase")
    }
    gap = failures["gap"]
    assert gap.get("message").startswith("occupations: gap = 1.00 (95% interval")
    assert "\n" not in gap.get("message")
    assert "the worst 3 of 12 samples:" in gap.text


def test_several_models_are_columns_where_they_fit(project, monkeypatch):
    models = ["--mt-model=one=python:toys:always_male", "--mt-model=two=python:toys:fair"]
    monkeypatch.setenv("COLUMNS", "120")
    wide = project.pytest(*models, "--mt-target=pt", model=None)
    wide.stdout.fnmatch_lines(
        [
            "suite * category * one * two",
            " * female * 0.00 * n 12 failed * 1.00 * n 12 passed",
            "FAILED suites/occupations.mt.yaml::one::gap - 1.00 *",
            "  one: suites/occupations.mt.yaml:*",
        ]
    )
    monkeypatch.setenv("COLUMNS", "80")
    narrow = project.pytest(*models, "--mt-model=three=python:toys:fair", "--mt-target=pt", model=None)
    narrow.stdout.fnmatch_lines(
        [
            "suite * category * model * accuracy * gate",
            " * female * one * 0.00 * failed >= 0.60",
            " * two * 1.00 * passed >= 0.60",
        ]
    )
    table = [line for line in narrow.outlines if ">= 0.60" in line and "FAILED" not in line]
    assert all(len(line) <= 80 for line in table)


def test_errors_with_one_reason_share_a_line(project):
    (project.path / "made.tsv").write_text(
        "The doctor finished her shift before the others arrived.\tA médica terminou o turno.\n"
    )
    result = project.pytest(
        "--mt-model=file:made.tsv", "--mt-target=pt", "--mt-evaluator=python:toys:fair", model=None
    )
    errors = [line for line in result.outlines if line.startswith("ERROR ")]
    assert len(errors) == 1
    assert errors[0].startswith(
        "ERROR [4] occupations: cannot be judged: 23 of 24 samples could not be judged: 23 × "
    )


def test_of_many_gates_with_one_reason_some_are_named_and_the_rest_is_counted(project):
    jobs = ("doctor", "lawyer", "teacher", "engineer", "writer", "dancer")
    gates = "".join(
        f'  accuracy[{kind}, occupation={job}]: ">= 0.1"\n' for job in jobs for kind in ("male", "female")
    )
    project.change('  gap: "<= 0.20"\n', gates)
    result = project.pytest("--mt-take=1")
    (line,) = (line for line in result.outlines if line.startswith("FAILED [") and "occupation=" in line)
    assert line.count("accuracy[") == 8
    assert line.endswith(" and 4 more)")


def test_a_function_with_a_bug_has_one_line_for_all_gates(project):
    result = project.pytest("--mt-evaluator=python:toys:fair", model="broken")
    result.assert_outcomes(errors=4)
    assert result.stdout.str().count("the toy is broken") == 1


def test_why_gates_were_skipped_is_shown_without_being_asked_for(project):
    project.change("targets: any", "targets: de")
    result = project.pytest("--mt-allow-skips")
    result.stdout.fnmatch_lines(
        ["SKIPPED [[]4[]] occupations: the suite is for en→de, but python-toys-fair translates *"]
    )


def test_samples_that_must_be_correct_are_listed_and_the_rest_is_counted(project):
    project.change("categories:", "expect: each\ncategories:")
    result = project.pytest(model="always_male")
    result.assert_outcomes(passed=13, failed=15)
    lines = [line for line in result.outlines if "each[" in line]
    assert len(lines) == 10
    result.stdout.fnmatch_lines(["FAILED [[]2 more samples[]] occupations"])
    assert "The worst samples" not in result.stdout.str()
