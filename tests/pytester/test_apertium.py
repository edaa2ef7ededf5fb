"""A rule-based system as it comes: Apertium, asked by its command and read by its grammar"""

from __future__ import annotations

import json
import shlex
import sys

import pytest

from tests.conftest import ROOT
from tests.system_packages import require_program

# A command as Apertium is one: it reads lines, writes lines, and makes a man of everybody.
PROGRAM = """
import sys
NOUNS = {"doctor": "médico", "lawyer": "abogado", "teacher": "maestro", "engineer": "ingeniero",
         "writer": "escritor", "dancer": "bailarín"}
for line in sys.stdin:
    noun = next(NOUNS[word] for word in NOUNS if word in line)
    rest = "acabó el turno antes de que llegaran todos" if "shift" in line else "ha vendido la casa cerca del puerto"
    print(f"El {noun} {rest}.", flush=True)
"""


def test_a_program_is_judged_by_the_grammar_of_its_translations(project):
    (project.path / "program.py").write_text(PROGRAM, encoding="utf-8")
    project.change(
        "method: contrastive-conditioning", "methods: [contrastive-conditioning, gender-morphology]"
    )
    command = f"--mt-model=cmd:{shlex.quote(sys.executable)} program.py"
    result = project.pytest("-v", command, "--mt-source=en", "--mt-target=es", model=None)
    result.stdout.fnmatch_lines(
        ["*· gender-morphology*", "*note: contrastive-conditioning was skipped: *needs an evaluator*"]
    )
    lines = project.record()
    (suite,) = [line for line in lines if line["kind"] == "suite"]
    assert "grammar es" in suite["procedure"]
    gates = {line["key"]: line["measure"]["value"] for line in lines if line["kind"] == "gate"}
    assert (gates["accuracy[male]"], gates["accuracy[female]"]) == (1, 0)


@pytest.mark.slow
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
    assert all("grammar es" in suite["procedure"] for suite in suites)
    samples = [line for line in lines if line["kind"] == "sample"]
    outcomes = [sample["verdict"]["outcome"] for sample in samples]
    assert len(samples) == 120
    assert outcomes.count("error") == 0
    assert outcomes.count("undecided") <= 24
    gates = {line["key"]: line["measure"] for line in lines if line["kind"] == "gate"}
    assert gates["accuracy[male]"]["value"] > gates["accuracy[female]"]["value"] + 0.5


@pytest.mark.slow
def test_a_model_that_cannot_score_is_judged_by_the_method_that_is_left(pytester):
    """Nobody named a method: contrastive conditioning has no evaluator, is skipped, and says so."""
    require_program("apertium")
    suite = ROOT / "suites" / "gender" / "occupations.mt.yaml"
    named = ["--mt-model=cmd:apertium -u eng-spa", "--mt-source=en", "--mt-target=es"]
    result = pytester.runpytest_subprocess(
        "-v", *named, "--mt-take=10", f"--rootdir={pytester.path}", str(suite)
    )
    result.stdout.fnmatch_lines(
        ["*· gender-morphology*", "*note: contrastive-conditioning was skipped: *needs an evaluator*"]
    )
