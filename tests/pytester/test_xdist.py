"""-n: each suite on one worker, one record, the same numbers"""

from __future__ import annotations

import pytest

pytest.importorskip("xdist")


@pytest.fixture
def three_suites(project):
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    for name in ("second", "third"):
        project.suite(name, text.replace("name: occupations", f"name: {name}"))
    return project


def without_date(record):
    return [{name: value for name, value in line.items() if name != "created"} for line in record]


def test_the_numbers_and_the_record_are_the_same(three_suites):
    alone = three_suites.pytest("-v", "--mt-no-store", "--mt-record=alone.jsonl", model="always_male")
    assert len(three_suites.calls("translate")) == 3 * 24
    spread = three_suites.pytest(
        "-v",
        "--mt-no-store",
        "--mt-record=spread.jsonl",
        "--mt-report=report.html",
        "-n2",
        model="always_male",
    )
    alone.assert_outcomes(passed=3, failed=9)
    spread.assert_outcomes(passed=3, failed=9)
    assert without_date(three_suites.record("alone.jsonl")) == without_date(
        three_suites.record("spread.jsonl")
    )
    spread.stdout.fnmatch_lines(
        ["mtprobe: model python-toys-always_male*", "*female (min)*0.00*", "record: spread.jsonl"]
    )
    # Each suite on one worker, and one report, by the controller.
    assert len(three_suites.calls("translate")) == 2 * 3 * 24
    assert spread.stdout.str().count("report: report.html") == 1
    page = (three_suites.path / "report.html").read_text(encoding="utf-8")
    assert all(name in page for name in ("occupations", "second", "third"))


@pytest.mark.slow
def test_other_tests_are_spread_as_before(three_suites):
    three_suites.pytester.makepyfile(
        "import pytest\n@pytest.mark.parametrize('x', range(20))\ndef test_x(x): pass"
    )
    three_suites.pytest("-n2", where=".").assert_outcomes(passed=12 + 20)


@pytest.mark.slow
def test_a_model_that_cannot_be_had_is_a_usage_error_there_too(three_suites):
    result = three_suites.pytest("-n2", "--mt-model=nothing:x", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*there is no backend "nothing"*'])


@pytest.mark.slow
def test_workers_share_one_store(three_suites):
    three_suites.pytest("-n2")
    before = three_suites.calls("")
    three_suites.pytest("-n2").assert_outcomes(passed=12)
    assert three_suites.calls("") == before
