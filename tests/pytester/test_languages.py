"""--mt-source, --mt-target, and suites that do not fit"""

from __future__ import annotations


def test_a_model_that_does_not_say_its_target_needs_one(project):
    result = project.pytest("--mt-model=python:toys:fair", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*does not say which language it translates into: give --mt-target"])


def test_a_language_that_is_none_is_a_usage_error(project):
    result = project.pytest("--mt-model=python:toys:fair", "--mt-target=portugese", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*"portugese" is not a language tag*'])


def test_a_suite_for_another_target_is_skipped_with_the_reason(project):
    project.change("targets: any", "targets: [de, fr]")
    result = project.pytest("-rs")
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(["*the suite is for en→de, fr, but python-toys-fair translates into pt"])


def test_a_suite_for_another_source_is_skipped(project):
    project.change("source: en", "source: de")
    project.pytest("--mt-source=en").assert_outcomes(skipped=4)


def test_regions_and_other_spellings_fit(project):
    project.change("targets: any", "targets: [pt]")
    for target in ("pt-BR", "por_Latn"):
        result = project.pytest(
            "--mt-model=python:toys:fair", f"--mt-target={target}", "--mt-source=eng", model=None
        )
        result.assert_outcomes(passed=4)


def test_a_gate_for_the_target_takes_the_place_of_the_general_one(project):
    project.change('  gap: "<= 0.20"\n', '  gap: "<= 0.20"\n  pt: {gap: "<= 1.00"}\n  de: {gap: "<= 0.00"}\n')
    result = project.pytest("-v", model="always_male")
    result.stdout.fnmatch_lines(["*::gap PASSED*"])
