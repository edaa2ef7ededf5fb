"""Two methods with different blind spots on the same translations"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.report.agreement import agreements
from tests.conftest import ROOT
from tests.soak import times


@pytest.fixture
def winomt(tmp_path):
    """The shipped suite, judged by both methods on whole sentences instead of by the first that decides."""
    text = (ROOT / "suites" / "public" / "winomt.mt.yaml").read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith(("combine:", "scoring:", "decide:"))]
    path = tmp_path / "winomt.mt.yaml"
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path


def test_grammar_and_evaluator_agree_on_a_small_set_in_the_same_layout(winomt, tmp_path):
    people = ("plumber", "doctor", "teacher", "lawyer", "farmer", "writer")
    rows = [
        f"{gender}\t1\tThe {person} closed the window because {pronoun} was cold.\t{person}\t{stereotype}\n"
        for person in people
        for gender, pronoun, stereotype in (("female", "she", "anti"), ("male", "he", "pro"))
    ]
    (tmp_path / "winomt").mkdir()
    (tmp_path / "winomt" / "test.tsv").write_text("".join(rows), encoding="utf-8")
    run = mtprobe.run(winomt, "demo", data_root=tmp_path)
    assert [suite.method for suite in run.suites] == ["gender-morphology", "contrastive-conditioning"]
    (pair,) = agreements(run.suites)
    assert pair.agreement.n == len(rows)
    assert pair.agreement.value >= 0.8


def test_grammar_and_evaluator_agree_on_the_demo_models_winomt(winomt, shared_data):
    """Of a part of it, with the shipped suite's cues; over all sentences it is .92."""
    run = mtprobe.run(winomt, "demo", take=times(200, 400), data_root=shared_data)
    assert [one.method for one in run.suites] == ["gender-morphology", "contrastive-conditioning"]
    (found,) = agreements(run.suites)
    assert found.agreement.n >= times(175, 350)
    assert found.agreement.value >= 0.88
    assert found.kappa.value >= 0.7
