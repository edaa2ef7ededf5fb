"""lint --power: gates that can catch nothing, found without a model"""

from __future__ import annotations

import pytest

from mtprobe.authoring.power.lint import power_warnings
from mtprobe.suites import load_suite

SUITE = """\
mtprobe: 1
name: keys
about: Is the gender kept?
languages: {{source: en, targets: any}}
method: contrastive-conditioning
categories: [male, female]
cues:
  male: {{correct: man, incorrect: woman}}
  female: {{correct: woman, incorrect: man}}
gates:
{gates}
generate:
  - id: keys
    source: The <{{job}}> lost {{whose}} keys.
    slots:
      job: [{jobs}]
      whose: {{her: {{category: female}}, his: {{category: male}}}}
"""
JOBS = "doctor, nurse, cook, poet, judge, king, clerk, guide, agent, actor, baker, farmer"


@pytest.fixture
def warned(tmp_path):
    def warn(*gates: str, jobs: str = JOBS) -> list[str]:
        path = tmp_path / "keys.mt.yaml"
        path.write_text(SUITE.format(gates="\n".join(f"  {gate}" for gate in gates), jobs=jobs), "utf-8")
        return [f"{problem.place.line}: {problem.message}" for problem in power_warnings(load_suite(path))]

    return warn


def test_gates_that_can_pass_and_fail_are_fine(warned):
    assert warned('minimum_accuracy: ">= 0.60"', 'gap: "<= 0.20"', 'degenerate: "<= 0.02"') == []


def test_a_bound_that_every_run_meets_catches_nothing(warned):
    [warning] = warned('gap: "<= 1.00"', 'minimum_accuracy: ">= 0.6"')
    assert warning.startswith("11: gates.gap: it can catch nothing: it passes even if every sample is wrong")
    assert '(n = 24 in 12 clusters, "<= 1.00")' in warning


def test_too_few_samples_for_a_level_cannot_pass(warned):
    [warning] = warned('accuracy[female]: ">= 0.95 @95%"', 'accuracy: ">= 0.6"')
    assert warning == (
        "11: gates.accuracy[female]: it cannot pass, not even if every sample is right "
        '(n = 12 in 12 clusters, ">= 0.95 @95%"): it needs more samples'
    )


def test_groups_that_are_too_small_for_a_level_decide_no_gap(warned):
    [warning] = warned('gap: "<= 0.20 @95%"', 'minimum_accuracy: ">= 0.60"')
    assert "gates.gap: it cannot pass, not even if every sample is right (n = 24 in 12 clusters" in warning
    warnings = warned('gap: "<= 0.95 @95%"', 'accuracy: ">= 0.60"', jobs="doctor, nurse, cook")
    assert any("gates.gap: it can catch nothing" in one or "gates.gap: it cannot" in one for one in warnings)


def test_a_category_whose_errors_no_gate_notices(warned):
    [warning] = warned('accuracy[female]: ">= 0.60"')
    assert warning == '11: gates: none notices if all 12 samples of the category "male" are wrong'


def test_gates_that_need_more_than_verdicts_are_not_judged(warned):
    assert warned('regression: "<= 0.02"', 'minimum_accuracy: ">= 0.6"') == []


@pytest.mark.slow
def test_shipped_suites_have_no_gate_that_can_catch_nothing(shipped_suites):
    loaded = [path for path in shipped_suites if "public" not in path.parts]
    assert [str(problem) for path in loaded for problem in power_warnings(load_suite(path))] == []
