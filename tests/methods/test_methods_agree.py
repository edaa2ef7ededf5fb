"""Two methods with different blind spots on the same translations"""

from __future__ import annotations

import mtprobe
from mtprobe.report.agreement import agreements
from tests.conftest import ROOT
from tests.soak import times

WINOMT = ROOT / "suites" / "public" / "winomt.mt.yaml"


def test_grammar_and_evaluator_agree_on_a_small_set_in_the_same_layout(tmp_path):
    people = ("plumber", "doctor", "teacher", "lawyer", "farmer", "writer")
    rows = [
        f"{gender}\t1\tThe {person} closed the window because {pronoun} was cold.\t{person}\t{stereotype}\n"
        for person in people
        for gender, pronoun, stereotype in (("female", "she", "anti"), ("male", "he", "pro"))
    ]
    (tmp_path / "winomt").mkdir()
    (tmp_path / "winomt" / "test.tsv").write_text("".join(rows), encoding="utf-8")
    run = mtprobe.run(WINOMT, "demo", data_root=tmp_path)
    assert [suite.method for suite in run.suites] == ["contrastive-conditioning", "gender-morphology"]
    (pair,) = agreements(run)
    assert pair.agreement.n == len(rows)
    assert pair.agreement.value >= 0.8


def test_grammar_and_evaluator_agree_on_the_demo_models_winomt(shared_data):
    """Of a part of it, with the shipped suite's cues; over all sentences it is .92."""
    run = mtprobe.run(WINOMT, "demo", take=times(200, 400), data_root=shared_data)
    assert [one.method for one in run.suites] == ["contrastive-conditioning", "gender-morphology"]
    (found,) = agreements(run)
    assert found.agreement.n >= times(175, 350)
    assert found.agreement.value >= 0.88
    assert found.kappa.value >= 0.7
