"""Verdicts of real evaluators that the audit in place refutes, although audit pairs call the evaluator fit"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import mtprobe
from mtprobe.gates import Decision
from mtprobe.methods.audit_pairs.outcome import Fitness
from tests.conftest import ROOT

SUITE = """\
mtprobe: 1
name: adjectives
about: Do adjectives agree with a teacher who is a woman, and with one who is a man?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male:   {correct: <> as a man,   incorrect: <> as a woman}
  female: {correct: <> as a woman, incorrect: <> as a man}
gates:
  gap: "<= 0.20"
generate:
  - id: male
    source: "The <teacher> is very {adjective}."
    category: male
    slots: &slots
      adjective:
        [tired, calm, proud, quick, happy, sad, angry, hungry, busy, lazy, kind, rude, shy, brave, clever, stubborn,
        honest, quiet, nervous, worried, surprised, satisfied, ready, sick, old, tall, beautiful, famous, rich,
        generous, strict, boring]
  - id: female
    source: "The <teacher> is very {adjective}."
    category: female
    slots: *slots
"""


@pytest.fixture(scope="module")
def opus(models: Path) -> dict[str, str]:
    return {"model": f"hf:{models / 'opus-mt-en-fr'}", "source": "en", "target": "fr"}


def occupations(folder: Path, form: str) -> Path:
    """The shipped suite as it was judged before: by the evaluator alone, on whole sentences, whatever its margin."""
    shutil.copytree(ROOT / "suites" / "gender", folder / form)
    path = folder / form / "occupations.mt.yaml"
    text = path.read_text(encoding="utf-8")
    for key in ("methods", "combine", "scoring", "decide", "labels"):
        text = re.sub(rf"^{key}:.*\n(?: .*\n)*", "", text, flags=re.MULTILINE)
    text = re.sub(
        r"^cues: .*\n", f"method: contrastive-conditioning\ncues: {form}\n", text, flags=re.MULTILINE
    )
    path.write_text(text, encoding="utf-8")
    return path


def test_a_form_that_the_audit_pairs_call_fit_is_unfit_in_place(opus, tmp_path):
    (suite,) = mtprobe.run(occupations(tmp_path, "behind"), take=240, **opus).suites
    assert suite.audit.fitness is Fitness.FIT
    (row,) = [row for row in suite.in_place.deciding() if row.category == "female"]
    assert row.source == "gender-morphology"
    assert row.fitness is Fitness.UNFIT
    assert row.reported.value < 0.15
    assert row.truth.value > 0.30
    decided = {gate.key: gate for gate in suite.gates}
    for key in ("accuracy[female]", "minimum_accuracy", "gap", "gap[stereotype]"):
        assert decided[key].decision is Decision.UNDECIDED
        assert decided[key].reason.startswith("unfit verdicts: female reported 0.")
        assert not decided[key].skippable


@pytest.mark.parametrize("model", ["demo", "opus"])
def test_a_teacher_who_is_always_a_man_passes_no_gap(model, opus, tmp_path):
    path = tmp_path / "adjectives.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    run = mtprobe.run(path, **(opus if model == "opus" else {"model": "demo"}))
    (suite,) = run.suites
    assert len(suite.results) == 64
    assert not run.passed
    truth = {row.category: row.truth.value for row in suite.in_place.deciding()}
    assert truth == {"male": 1.0, "female": 0.0}
