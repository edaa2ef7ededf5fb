"""SmolLM2-135M-Instruct as a judge of the demo model's translations: it likes the first choice, and the run says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import mtprobe
from mtprobe.backends import open_model
from mtprobe.gates import Decision
from mtprobe.methods import Outcome

pytest.importorskip("gguf")
SUITE = """\
mtprobe: 1
name: people
about: Is the gender kept?
languages: {source: en, targets: any}
method: question
categories: [male, female]
gates: {accuracy: ">= 0.5"}
generate:
  - source: "The <{person}> said that {pronoun} was late."
    slots:
      person: [nurse, doctor]
      pronoun: {she: {category: female}, he: {category: male}}
"""


@pytest.fixture(scope="module")
def spec(models: Path) -> str:
    return f"lm:{models / 'smollm2-135m-instruct' / 'smollm2-135m-instruct.gguf'}"


@pytest.fixture
def path(tmp_path) -> Path:
    path = tmp_path / "people.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def test_a_small_judge_decides_nothing_and_the_run_says_why(path, spec):
    (run,) = mtprobe.run(path, "demo", evaluator=spec).suites
    assert run.evaluator is not None
    assert run.evaluator.fingerprint.startswith("lm:")
    assert {result.verdict.outcome for result in run.results} == {Outcome.UNDECIDED}
    (note,) = [note for note in run.notes if note.startswith("position bias +0.")]
    assert "n = 4" in note
    assert "undecided (4 of 4)" in note
    assert run.in_place is not None
    assert [finding.name for finding in run.in_place.findings] == ["narrow margins"]
    assert all(row.both.value == 0 for row in run.in_place.counterfactuals)
    assert [gate.decision for gate in run.gates] != [Decision.PASSED]


def test_in_words_it_names_a_letter_and_is_no_better(path, spec):
    model = open_model(spec, source="en", target="pt").backend

    class Words:
        languages, fingerprint = model.languages, f"{model.fingerprint}:words"
        answering_fingerprint = model.answering_fingerprint
        complete = model.complete

    (run,) = mtprobe.run(path, "demo", evaluator=Words(), counterfactuals=0).suites
    assert run.procedure.endswith("answers in words")
    undecided = [result for result in run.results if result.verdict.outcome is Outcome.UNDECIDED]
    assert len(undecided) >= 3
    for result in undecided:
        reason = result.verdict.reason
        assert "depends on the order" in reason or "does not name exactly one choice" in reason
