"""Suites of minimal pairs, as a user runs them."""

from __future__ import annotations

import pytest

SUITE = """
mtprobe: 1
name: pronouns
about: Does the pronoun agree with what it stands for?
languages: {source: en, targets: any}
method: minimal-pairs
categories: [human, machine]
variants: {gender: [masculine, feminine]}
cluster: schema
gates:
  accuracy[human]: ">= 0"
  pair_accuracy: ">= 0"
  bias[gender]: "<= 1"
  discrepancy: "<= 2.5"
samples:
  - id: doctor-1
    source: The doctor finished the shift because her colleague came.
    category: human
    attributes: {schema: one}
    targets:
      pt:
        correct: A médica terminou o turno porque o colega veio.
        incorrect: O médico terminou o turno porque o colega veio.
        variants:
          gender: {correct: feminine, incorrect: masculine}
  - id: doctor-2
    source: The doctor finished the shift because his colleague came.
    category: machine
    attributes: {schema: one}
    targets:
      pt:
        correct: O médico terminou o turno porque o colega veio.
        incorrect: A médica terminou o turno porque o colega veio.
        variants:
          gender: {correct: masculine, incorrect: feminine}
      de:
        correct: Der Arzt beendete die Schicht, weil sein Kollege kam.
        incorrect: Die Ärztin beendete die Schicht, weil sein Kollege kam.
        variants:
          gender: {correct: masculine, incorrect: feminine}
  - id: lawyer-1
    source: The lawyer sold the house because her partner moved.
    category: human
    attributes: {schema: two}
    targets:
      pt:
        correct: A advogada vendeu a casa porque o sócio se mudou.
        incorrect: O advogado vendeu a casa porque o sócio se mudou.
        variants:
          gender: {correct: feminine, incorrect: masculine}
"""


@pytest.fixture
def pairs(project):
    (project.path / "suites" / "occupations.mt.yaml").unlink()
    project.suite("pronouns", SUITE)
    return project


def test_the_model_under_test_scores_the_targets(pairs):
    result = pairs.pytest()
    result.assert_outcomes(passed=4)
    record = pairs.record()
    samples = [line for line in record if line["kind"] == "sample"]
    assert [one["verdict"]["evidence"][-1]["side"] for one in samples] == ["translation"] * 3
    assert pairs.calls("score fair")


def test_an_evaluator_is_not_asked_while_the_model_can_score(pairs):
    pairs.pytest("--mt-evaluator=judge=python:toys:always_male")
    assert not pairs.calls("score always-male")


def test_a_model_that_cannot_score_is_skipped_with_the_reason(pairs):
    result = pairs.pytest("-rs", "--mt-allow-skips", model="echo")
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(["*minimal-pairs needs the model's own scores*set --mt-evaluator instead*"])


def test_an_evaluator_takes_its_place_when_it_is_asked_for(pairs):
    result = pairs.pytest("--mt-evaluator=judge=python:toys:fair", model="echo")
    result.assert_outcomes(passed=4)


def test_samples_without_targets_in_the_models_language_are_left_out_visibly(pairs):
    pairs.pytest("--mt-target=de", "--mt-model=python:toys:fair", model=None)
    suite = next(line for line in pairs.record() if line["kind"] == "suite")
    assert "2 samples without evidence for de were skipped" in suite["notes"]


def test_a_single_sample_is_told_in_the_singular(pairs):
    path = pairs.path / "suites/pronouns.mt.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("  - id: lawyer-1")], encoding="utf-8")
    pairs.pytest("--mt-target=de", "--mt-model=python:toys:fair", model=None)
    suite = next(line for line in pairs.record() if line["kind"] == "suite")
    assert "1 sample without evidence for de was skipped" in suite["notes"]


NOT_TRANSLATED = "not translated: only its targets are judged, and nothing needs the model's translations"
JUDGE = "--mt-evaluator=judge=python:toys:fair"
# Translates for money, and cannot score.
PAID = """
from toys import fair, note


def paid(sources):
    for source in sources:
        note(f"paid {source}")
    return [fair.one(source) for source in sources]
"""


@pytest.fixture
def paid(pairs):
    (pairs.path / "paid.py").write_text(PAID, encoding="utf-8")
    return pairs


def without_discrepancy(project):
    path = project.path / "suites/pronouns.mt.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('  discrepancy: "<= 2.5"\n', ""), encoding="utf-8")


def test_what_nothing_needs_is_not_translated(paid):
    without_discrepancy(paid)
    args = [JUDGE, "--mt-model=python:paid:paid", "--mt-target=pt", "--mt-report=report.html"]
    result = paid.pytest("-v", *args, model=None)
    result.assert_outcomes(passed=3)
    assert not paid.calls("paid")
    result.stdout.fnmatch_lines([f"*note: {NOT_TRANSLATED}"])
    lines = paid.record()
    assert next(line for line in lines if line["kind"] == "suite")["notes"] == [NOT_TRANSLATED]
    assert [line["translation"] for line in lines if line["kind"] == "sample"] == [None] * 3
    assert "not translated: only its targets" in (paid.path / "report.html").read_text(encoding="utf-8")


def test_a_gate_on_discrepancy_needs_the_translations(paid):
    paid.pytest(JUDGE, "--mt-model=python:paid:paid", "--mt-target=pt", model=None).assert_outcomes(passed=4)
    assert len(paid.calls("paid")) == 3


def test_a_method_that_judges_translations_needs_them(paid):
    without_discrepancy(paid)
    path = paid.path / "suites/pronouns.mt.yaml"
    text = path.read_text(encoding="utf-8").replace(
        "method: minimal-pairs", "methods: [minimal-pairs, lexicon]"
    )
    text = text.replace("    targets:\n", "    lemmas: {pt: {good: [médica], bad: [médico]}}\n    targets:\n")
    path.write_text(text, encoding="utf-8")
    paid.pytest(JUDGE, "--mt-model=python:paid:paid", "--mt-target=pt", model=None)
    assert len(paid.calls("paid")) == 3
    assert NOT_TRANSLATED not in str(paid.record())


def test_the_report_of_a_model_that_scores_by_itself_still_has_the_discrepancy(pairs):
    without_discrepancy(pairs)
    pairs.pytest("-v").stdout.fnmatch_lines(["  discrepancy: *"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bias[gender]", "bias[gendr]", '*no target has the attribute "gendr"*did you mean "gender"*'),
        ("incorrect: masculine}", "incorrect: masculin}", '*"masculin" is not declared*"masculine"*'),
        (
            "incorrect: masculine}",
            "incorrect: [masculine, feminine]}",
            "*2 incorrect values for 1 incorrect*",
        ),
        ("variants: {gender: [masculine, feminine]}\n", "", "*declare the order of its values in the suite*"),
    ],
)
def test_mistakes_are_told_with_their_place(pairs, old, new, message):
    text = SUITE.replace(old, new, 1)
    assert text != SUITE
    pairs.suite("pronouns", text)
    result = pairs.pytest()
    result.stdout.fnmatch_lines([message])


def test_discrepancy_pairs_and_bias_stand_in_terminal_and_report(pairs):
    result = pairs.pytest("-v", "--mt-report=report.html")
    result.stdout.fnmatch_lines(
        [
            "*pair_accuracy >= *",
            "*bias?gender? <= *: 1.00 *effect, p *",
            "*discrepancy <= 2.50: *",
            "  discrepancy?human?: *95% interval*n = *)",
        ]
    )
    page = (pairs.path / "report.html").read_text(encoding="utf-8")
    assert all(text in page for text in ("Further numbers", "discrepancy[human]", "bias[gender]"))
