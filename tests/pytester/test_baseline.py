"""--mt-baseline RECORD"""

from __future__ import annotations

import json

import pytest

from mtprobe.records import read_run
from tests.pytester.test_xdist import without_date

GATES = """
  regression: "<= 0.02"
  regression[female]: "<= 0.02"
  regression[male]: "<= 0.02"
"""


@pytest.fixture
def gated(project):
    project.change('  gap: "<= 0.20"\n', GATES)
    return project


@pytest.fixture
def baseline(gated):
    """The fair model's run, blessed."""
    gated.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl").assert_outcomes(passed=3, skipped=3)
    return gated


def failure_of(result, gate):
    """The text under a failed gate."""
    text = result.stdout.str()
    return text.split(f"_ occupations: {gate} _")[1].split("\n____")[0].split("\n====")[0]


def test_the_same_model_loses_nothing(baseline):
    result = baseline.pytest("--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl")
    result.assert_outcomes(passed=6)
    gate = read_run(baseline.path / "run.jsonl").suites[0].gates[-1]
    assert (gate.measure.value, gate.regression.p, gate.regression.broken) == (0.0, 1.0, ())


def test_a_worse_model_fails_and_the_flips_are_those_that_flipped(baseline):
    result = baseline.pytest("--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl", model="always_male")
    result.assert_outcomes(passed=2, failed=4)
    text = failure_of(result, "regression[female]")
    assert "regression[female] = 1.00" in text
    assert "n = 12) [12 regressed, 0 fixed since python-toys-fair of " in text
    assert "McNemar p = 0.0005, Holm-adjusted p = 0.0015" in text
    assert "12 samples were right in the baseline" in text
    assert "before       A médica terminou o turno" in text
    assert "translation  O médico terminou o turno" in text
    gates = {gate.key: gate for gate in read_run(baseline.path / "run.jsonl").suites[0].gates}
    flips = [flip.id for flip in gates["regression"].regression.broken]
    assert sorted(flips) == sorted(
        one["id"] for one in baseline.record("run.jsonl") if one["kind"] == "sample" and "/her" in one["id"]
    )
    assert gates["regression[male]"].decision.value == "passed"


def test_flips_are_listed_before_anything_else_and_the_rest_by_name(baseline):
    text = failure_of(baseline.pytest("--mt-baseline=baseline.jsonl", model="always_male"), "regression")
    assert text.index("12 samples were right") < text.index("/her [female] incorrect")
    assert text.count("  before  ") == 10
    assert "  and shift/" in text


def test_mended_samples_are_weighed_against_broken_ones(gated):
    gated.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl", model="always_male")
    result = gated.pytest("--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl")
    result.assert_outcomes(passed=6)
    gate = read_run(gated.path / "run.jsonl").suites[0].gates[3]
    assert gate.measure.value == pytest.approx(-0.5)
    assert len(gate.regression.mended) == 12


def test_a_level_decides_on_the_interval_of_the_paired_difference(baseline):
    bound = "--mt-set=occupations:regression=<= 0.10 @95%"
    result = baseline.pytest("--mt-baseline=baseline.jsonl", bound, model="fair")
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(["*regression = 0.00 (95% interval -0.* to 0.*is undecided*"])


def test_gates_of_several_suites_are_adjusted_together_at_the_end(baseline):
    text = (baseline.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    baseline.suite("second", text.replace("name: occupations", "name: second"))
    baseline.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl")
    result = baseline.pytest("--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl", model="always_male")
    assert "McNemar p = 0.0005 (Holm-adjusted at the end of the run)" in failure_of(
        result, "regression[female]"
    )
    found = [
        gate.regression for suite in read_run(baseline.path / "run.jsonl").suites for gate in suite.gates[3:]
    ]
    assert [one.p_adjusted for one in found if one.p < 0.01] == pytest.approx([0.00048828125 * 6] * 4)
    result.stdout.fnmatch_lines(
        ["*regression?female? <= 0.02: 1.00*McNemar p = 0.0005, Holm-adjusted p = 0.0029*"]
    )


def test_without_a_baseline_the_error_says_how_to_make_one(gated):
    result = gated.pytest()
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*suites/occupations.mt.yaml:1?:3: regression needs a baseline*--mt-baseline=RECORD*mtprobe bless*"]
    )
    assert gated.calls("translate") == []


def test_a_baseline_that_is_not_there_is_a_usage_error(gated):
    result = gated.pytest("--mt-baseline=nothing.jsonl")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*there is no baseline nothing.jsonl*mtprobe bless*"])


def test_a_baseline_that_is_no_whole_record_is_a_usage_error(baseline):
    path = baseline.path / "baseline.jsonl"
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:9]), encoding="utf-8")
    result = baseline.pytest("--mt-baseline=baseline.jsonl")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*baseline.jsonl: the record is not whole*"])


def test_collecting_needs_no_baseline(gated):
    assert gated.pytest("--collect-only").ret == 0


def test_a_baseline_that_is_named_must_be_there_even_if_no_gate_asks_for_it(project):
    assert project.pytest("--mt-baseline=nothing.jsonl").ret == 4


def test_without_a_baseline_on_purpose_gates_are_skipped_visibly(gated):
    result = gated.pytest("--mt-baseline=none", "-rs")
    result.assert_outcomes(passed=3, skipped=3)
    result.stdout.fnmatch_lines(["SKIPPED*no baseline to compare with*"])


def test_changed_and_new_samples_are_counted_and_said(baseline):
    baseline.change("near the old harbour", "near the new harbour")
    baseline.change("writer, dancer]", "writer]")
    result = baseline.pytest("--mt-baseline=baseline.jsonl")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(
        [
            "*passed*regression <= 0.02*not compared: 10 with another source or other evidence; not compared: 4 only in the earlier run*"
        ]
    )


def test_changed_cues_are_changed_content(baseline):
    baseline.change("{correct: woman, incorrect: man}", "{correct: lady, incorrect: man}")
    result = baseline.pytest("--mt-baseline=baseline.jsonl", "-k", "regression and female")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*could not be measured: no sample can be compared*12 with another source*"])


def test_a_suite_that_the_baseline_does_not_have_cannot_pass(baseline):
    baseline.change("name: occupations", "name: jobs")
    result = baseline.pytest("--mt-baseline=baseline.jsonl", "-k", "regression")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        ['*jobs: regression could not be measured: not in the baseline: it has no suite "jobs"*']
    )


def test_of_several_models_each_is_compared_with_its_own(gated):
    models = ["--mt-model=old=python:toys:fair", "--mt-model=new=python:toys:always_male", "--mt-target=pt"]
    gated.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl", *models, model=None)
    turned = [models[0].replace("old=", "new="), models[1].replace("new=", "old="), models[2]]
    result = gated.pytest("--mt-baseline=baseline.jsonl", "-k", "regression", *turned, model=None)
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(["FAILED suites/occupations.mt.yaml::old::regression*"])


def test_another_evaluator_is_said(baseline):
    result = baseline.pytest(
        "--mt-baseline=baseline.jsonl", "--mt-evaluator=python:toys:always_male", "-k", "regression"
    )
    result.stdout.fnmatch_lines(["*regression <= 0.02*the two were judged by different evaluators*"])


def test_a_gate_may_name_its_method(baseline):
    baseline.change("  regression: ", "  regression@contrastive-conditioning: ")
    result = baseline.pytest("--mt-baseline=baseline.jsonl", model="always_male")
    result.stdout.fnmatch_lines(["FAILED suites/*::regression@contrastive-conditioning*"])


def test_a_record_from_before_there_were_digests_is_compared_by_its_sources(baseline):
    lines = baseline.record("baseline.jsonl")
    lines[0]["record"] = "1.3"
    for line in lines:
        line.pop("content", None)
    (baseline.path / "baseline.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    baseline.pytest("--mt-baseline=baseline.jsonl").assert_outcomes(passed=6)


def test_under_xdist_everything_is_the_same(baseline):
    pytest.importorskip("xdist")
    for name, options in (("alone", ()), ("spread", ("-n2",))):
        baseline.pytest(
            "--mt-baseline=baseline.jsonl", f"--mt-record={name}.jsonl", *options, model="always_male"
        ).assert_outcomes(passed=2, failed=4)
    assert without_date(baseline.record("alone.jsonl")) == without_date(baseline.record("spread.jsonl"))


def test_a_bound_that_asks_for_a_loss_is_a_mistake(gated):
    gated.change('regression[male]: "<= 0.02"', 'regression[male]: ">= 0.02"')
    result = gated.pytest("--mt-baseline=none")
    result.stdout.fnmatch_lines(['*gates.regression?male?: ">= 0.02" asks for a loss; write*"<= 0.02"*'])
