"""--mt-undecided, and gates that are decided on the interval"""

from __future__ import annotations


def test_an_interval_that_spans_the_bound_is_undecided_and_fails_in_its_own_words(project):
    project.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0.60 @95%"')
    project.change(
        "occupation: [doctor, lawyer, teacher, engineer, writer, dancer]", "occupation: [doctor, lawyer]"
    )
    result = project.pytest()
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["*accuracy[[]female] = 1.00 * is undecided: it must be >= 0.60 @95%*about * samples would decide it"]
    )


def test_it_may_skip_instead(project):
    project.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0.60 @95%"')
    project.change(
        "occupation: [doctor, lawyer, teacher, engineer, writer, dancer]", "occupation: [doctor, lawyer]"
    )
    project.pytest("--mt-undecided=skip").assert_outcomes(passed=3, skipped=1)


def test_enough_samples_decide_it(project):
    project.change('accuracy[female]: ">= 0.60"', 'accuracy[female]: ">= 0.60 @95%"')
    project.pytest().assert_outcomes(passed=4)
    project.pytest(model="always_male").assert_outcomes(passed=1, failed=3)


def test_another_word_is_refused(project):
    assert project.pytest("--mt-undecided=maybe").ret == 4
