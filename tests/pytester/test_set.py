"""--mt-set 'SUITE:GATE=BOUND'"""

from __future__ import annotations

import pytest


def test_another_bound_is_judged(project):
    result = project.pytest(
        "--mt-set=occupations:accuracy[female]=>= 0.00",
        "--mt-set=occupations:gap=<= 100%",
        "-v",
        model="always_male",
    )
    result.stdout.fnmatch_lines(["*::accuracy[[]female] PASSED*", "*::gap PASSED*"])


def test_an_unknown_suite_or_gate_is_a_usage_error(project):
    for given, said in (
        ("occupation:gap=<= 0.1", '*there is no suite "occupation"; did you mean "occupations"?'),
        ("occupations:gab=<= 0.1", '*occupations has no gate "gab"; did you mean "gap"?'),
        ("gap", "*cannot read 'gap'; write 'SUITE:GATE=>= 0.7'"),
    ):
        result = project.pytest(f"--mt-set={given}")
        assert result.ret == 4
        result.stderr.fnmatch_lines([said])


def test_a_bound_that_cannot_be_read_is_a_usage_error(project):
    result = project.pytest("--mt-set=occupations:gap=tiny")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*--mt-set: occupations:gap: cannot read the bound "tiny"*'])


@pytest.mark.slow
@pytest.mark.parametrize("mistake", ["occupations:gap=tiny", "nosuch:gap=<= 1", "occupations:nosuch=<= 1"])
def test_workers_find_the_same_mistakes(project, mistake):
    result = project.pytest(f"--mt-set={mistake}", "-n2")
    assert result.ret == 4
    result.stdout.fnmatch_lines(["mtprobe: --mt-set: *"])
    assert "INTERNALERROR" not in result.stdout.str()


def test_a_missing_suite_is_named_in_the_hint(project):
    result = project.pytest("--mt-set=gap=<= 0.1")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-set: the suite is missing: write 'occupations:gap=<= 0.1'"])
    result = project.pytest("--mt-set=gab=<= 0.1")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*the suite is missing, and no suite has a gate "gab"; did you mean "gap"?'])


def test_the_equals_sign_may_be_omitted(project):
    options = ["--mt-set=occupations:gap<=100%", "--mt-set=occupations:accuracy[female]>=0"]
    result = project.pytest(*options, "-v", model="always_male")
    result.stdout.fnmatch_lines(["*::accuracy[[]female] PASSED*", "*::gap PASSED*"])


def test_a_bound_in_the_wrong_direction_is_judged_and_noted(project):
    result = project.pytest("--mt-set=occupations:gap=>= 0.00", "--mt-markdown=run.md")
    assert result.ret == 0
    note = 'gap: ">= 0.00" demands a higher gap, but lower is better: write "<= …", unless this is a control'
    result.stdout.fnmatch_lines([f"*{note}"])
    assert note in (project.path / "run.md").read_text(encoding="utf-8")
