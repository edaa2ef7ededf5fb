"""--mt-take N"""

from __future__ import annotations


def test_a_part_of_the_samples_is_taken_and_the_run_says_so(project):
    result = project.pytest("-v", "--mt-take=6")
    result.stdout.fnmatch_lines(["occupations · * · partial*"])
    assert len([line for line in project.record() if line["kind"] == "sample"]) == 6
    assert next(line for line in project.record() if line["kind"] == "suite")["partial"] is True


def test_the_same_ones_are_taken_again(project):
    taken = []
    for _ in range(2):
        project.pytest("--mt-take=6", "--mt-no-store")
        taken.append([line["id"] for line in project.record() if line["kind"] == "sample"])
    assert taken[0] == taken[1]


def test_what_is_no_number_is_a_usage_error(project):
    for bad in ("many", "0", "-3"):
        result = project.pytest(f"--mt-take={bad}")
        assert result.ret == 4
        result.stderr.fnmatch_lines([f"*--mt-take: {bad} is not a number of samples"])
