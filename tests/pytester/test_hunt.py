"""hunt: N in a suite"""

from __future__ import annotations

import pytest

SUITE_KEY = ("gates:\n", "hunt: 20\ngates:\n")


@pytest.fixture
def hunting(project):
    project.change(*SUITE_KEY)
    project.change("shift before the others arrived.", "shift [before the others arrived].")
    return project


@pytest.mark.slow
def test_it_fails_with_the_smallest_sentence(hunting):
    result = hunting.pytest("-v", "suites/occupations.mt.yaml::hunt", where="", model="always_male")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "occupations: hunt = the smallest of * that fail: The doctor finished her shift. (5 words)",
            "category female: * like it fail; the smallest has 5 words",
            "*source       The <doctor> finished her shift.",
            "*translation  O médico terminou o turno*",
        ]
    )


@pytest.mark.slow
def test_the_screen_has_a_line_for_it(hunting):
    result = hunting.pytest(model="always_male")
    result.stdout.fnmatch_lines(["FAILED *::hunt - the smallest of * (5 words)"])


def test_it_passes_where_nothing_fails_and_asks_for_no_more_than_the_suite_says(hunting):
    hunting.pytest("--junitxml=junit.xml").assert_outcomes(passed=5)
    asked = hunting.calls("translate")
    assert len(asked) == len({*asked})
    assert 24 < len(asked) <= 24 + 20
    assert 'name="mtprobe_tried"' in (hunting.path / "junit.xml").read_text("utf-8")


@pytest.mark.slow
def test_another_run_asks_for_nothing(hunting):
    first = hunting.pytest("-v", model="always_male")
    asked = len(hunting.calls("translate"))
    second = hunting.pytest("-v", model="always_male")
    assert len(hunting.calls("translate")) == asked
    headlines = [
        [line for line in run.outlines if "hunt = " in line and "short" not in line]
        for run in (first, second)
    ]
    assert headlines[0][0] == headlines[1][0]


def test_collecting_loads_no_model(hunting):
    result = hunting.pytest("--collect-only", "-q", model="broken")
    result.stdout.fnmatch_lines(["suites/occupations.mt.yaml::hunt"])
    assert not hunting.calls("")


@pytest.mark.slow
def test_the_record_is_whole_and_not_green(hunting):
    hunting.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0"')
    hunting.pytest("-k", "hunt", model="always_male").assert_outcomes(failed=1, deselected=4)
    end = hunting.record()[-1]
    assert (end["kind"], end["whole"], end["failed_samples"]) == ("end", True, 1)


@pytest.mark.slow
def test_a_hunt_alone_is_enough_to_fail(hunting):
    gates = hunting.path.joinpath("suites/occupations.mt.yaml").read_text("utf-8")
    before, _, after = gates.partition("gates:\n")
    hunting.suite("occupations", before + "gates: {}\ngenerate:\n" + after.partition("generate:\n")[2])
    hunting.pytest(model="always_male").assert_outcomes(failed=1)
    assert hunting.record()[-1]["whole"]


def test_with_take_the_values_that_were_not_taken_are_tried(hunting):
    hunting.pytest("--mt-take=4").assert_outcomes(passed=5)
    nouns = ("doctor", "lawyer", "teacher", "engineer", "writer", "dancer")
    assert all(any(noun in call for call in hunting.calls("translate")) for noun in nouns)


@pytest.mark.slow
def test_without_hypothesis_only_the_hunt_is_an_error(hunting):
    hunting.pytester.makeconftest("import sys\nsys.modules['hypothesis'] = None")
    result = hunting.pytest(alone=True)
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(['*a hunt needs hypothesis: pip install "mtprobe?hunt?"*'])


def test_a_model_that_breaks_is_an_error_of_every_item(hunting):
    hunting.pytest("--mt-evaluator=python:toys:fair", model="broken").assert_outcomes(errors=5)


@pytest.mark.slow
def test_its_suite_stays_on_one_worker(hunting):
    pytest.importorskip("xdist")
    result = hunting.pytest("-n2", model="always_male")
    assert result.parseoutcomes()["failed"] >= 2
    asked = hunting.calls("translate")
    assert len(asked) == len({*asked})
    assert hunting.record()[-1]["whole"]


def test_it_is_skipped_without_a_model(hunting):
    result = hunting.pytest("--mt-allow-skips", "-rs", model=None, where="")
    result.assert_outcomes(skipped=5)


@pytest.mark.parametrize("written", ["0", "many"])
def test_a_number_that_is_none_is_an_error_at_its_line(hunting, written):
    hunting.change("hunt: 20", f"hunt: {written}")
    result = hunting.pytest()
    result.stdout.fnmatch_lines(["suites/occupations.mt.yaml:10:*: hunt: *"])
