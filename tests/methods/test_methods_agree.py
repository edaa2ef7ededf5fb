"""Two methods with different blind spots on the same translations"""

from __future__ import annotations

import mtprobe
from mtprobe.report.agreement import agreements
from tests.conftest import ROOT
from tests.soak import times


def test_grammar_and_evaluator_agree_on_the_demo_models_winomt(shared_data):
    """Of a part of it, with the shipped suite's cues; over all sentences it is .92."""
    suite = ROOT / "suites" / "public" / "winomt.mt.yaml"
    run = mtprobe.run(suite, "demo", take=times(200, 400), data_root=shared_data)
    assert [one.method for one in run.suites] == ["contrastive-conditioning", "gender-morphology"]
    (found,) = agreements(run)
    assert found.agreement.n >= times(175, 350)
    assert found.agreement.value >= 0.88
    assert found.kappa.value >= 0.7
