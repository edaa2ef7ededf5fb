"""A rule-based system as it comes: Apertium, asked by its command and read by its grammar"""

from __future__ import annotations

import json

from tests.conftest import ROOT
from tests.system_packages import require_program


def test_apertiums_spanish_is_judged_without_any_evaluator(pytester):
    require_program("apertium")
    result = pytester.runpytest_subprocess(
        "--mt-model=cmd:apertium -u eng-spa",
        "--mt-source=en",
        "--mt-target=es",
        "--mt-method=gender-morphology",
        "--mt-take=40",
        f"--rootdir={pytester.path}",
        str(ROOT / "suites" / "gender"),
    )
    assert result.ret == 1  # it makes a man of nearly everybody
    record = (pytester.path / ".mtprobe" / "last-run.jsonl").read_text(encoding="utf-8").splitlines()
    lines = [json.loads(line) for line in record]
    suites = [line for line in lines if line["kind"] == "suite"]
    assert len(suites) == 3
    assert all("grammar es" in suite["details"] for suite in suites)
    samples = [line for line in lines if line["kind"] == "sample"]
    outcomes = [sample["verdict"]["outcome"] for sample in samples]
    assert len(samples) == 120
    assert outcomes.count("error") == 0
    assert outcomes.count("undecided") <= 24
    gates = {line["key"]: line["measure"] for line in lines if line["kind"] == "gate"}
    assert gates["accuracy[male]"]["value"] > gates["accuracy[female]"]["value"] + 0.5


def test_a_model_that_cannot_score_is_judged_by_the_method_that_is_left(pytester):
    """Nobody named a method: contrastive conditioning has no evaluator, is skipped, and says so."""
    require_program("apertium")
    suite = ROOT / "suites" / "gender" / "occupations.mt.yaml"
    named = ["--mt-model=cmd:apertium -u eng-spa", "--mt-source=en", "--mt-target=es"]
    result = pytester.runpytest_subprocess(*named, "--mt-take=10", f"--rootdir={pytester.path}", str(suite))
    result.stdout.fnmatch_lines(
        ["*· gender-morphology*", "*note: contrastive-conditioning was skipped: *needs an evaluator*"]
    )
