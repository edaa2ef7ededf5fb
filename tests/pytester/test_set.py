"""--mt-set 'SUITE:GATE=BOUND'"""

from __future__ import annotations


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
        ("occupation:gap=<= 0.1", '*no suite is called "occupation"; did you mean "occupations"?'),
        ("occupations:gab=<= 0.1", '*occupations has no gate "gab"; did you mean "gap"?'),
        ("gap", "*cannot read 'gap'; write 'SUITE:GATE=>= 0.7'"),
    ):
        result = project.pytest(f"--mt-set={given}")
        assert result.ret == 4
        result.stderr.fnmatch_lines([said])


def test_a_bound_that_cannot_be_read_is_an_error(project):
    result = project.pytest("--mt-set=occupations:gap=tiny")
    assert result.ret == 2
    result.stdout.fnmatch_lines(['*--mt-set: occupations:gap: cannot read the bound "tiny"*'])
