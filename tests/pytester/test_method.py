"""--mt-method"""

from __future__ import annotations


def test_the_suites_own_method_may_be_named(project):
    project.pytest("--mt-method=contrastive-conditioning").assert_outcomes(passed=4)


def test_an_unknown_method_is_a_usage_error(project):
    result = project.pytest("--mt-method=guessing")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*unknown method "guessing"; there is contrastive-conditioning*'])


def test_an_unknown_method_in_a_suite_is_a_located_error(project):
    project.change("method: contrastive-conditioning", "method: contrastive-conditoning")
    result = project.pytest()
    assert result.ret == 2
    result.stdout.fnmatch_lines(
        ['suites/occupations.mt.yaml:5:1: unknown method "contrastive-conditoning"; did you mean*']
    )
