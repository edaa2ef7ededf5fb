"""A real translator end to end: Debian's Apertium, English to Spanish, judged by lemmas."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.system_packages import require_program

SUITE = """
mtprobe: 1
name: everyday
about: Are ambiguous words translated in the right sense?
languages: {source: en, targets: [es]}
method: lexicon
cluster: word
gates:
  accuracy: ">= 0.10"
  sfii: "<= 0.95"
  undecided: "<= 0.50"
  degenerate: "<= 0"
samples:
  - id: river
    source: They walked along the <bank> of the river until it was dark.
    attributes: {word: bank, pos: noun, sense: shore}
    senses: [money, shore]
    lemmas: {es: {good: [orilla, ribera, margen], bad: {money: banco}}}
  - id: money
    source: She put her money in the <bank> before the weekend.
    attributes: {word: bank, pos: noun, sense: money}
    senses: [money, shore]
    lemmas: {es: {good: banco, bad: {shore: [orilla, ribera]}}}
  - id: letter
    source: The <letter> from my aunt was on the table in the kitchen.
    attributes: {word: letter, pos: noun, sense: mail}
    senses: [mail, alphabet]
    lemmas: {es: {good: carta, bad: {alphabet: letra}}}
  - id: season
    source: We planted the seeds in the <spring>.
    attributes: {word: spring, pos: noun, sense: season}
    senses: [season, coil, source]
    lemmas: {es: {good: primavera, bad: {coil: [muelle, resorte], source: [fuente, manantial]}}}
  - id: leg
    source: My <leg> hurts after the long walk.
    attributes: {word: leg, pos: noun, sense: human}
    senses: [human, animal]
    lemmas: {es: {good: pierna, bad: {animal: pata}}}
"""

SHIPPED = Path(__file__).parents[2] / "suites" / "lexicon"


@pytest.fixture
def apertium(project):
    require_program("apertium")
    (project.path / "suites" / "occupations.mt.yaml").unlink()

    def run(*args, where="suites"):
        options = ("--mt-model=cmd:apertium -u eng-spa", "--mt-target=es", "--mt-method=lexicon")
        return project.pytest(*options, *args, model=None, where=where)

    project.suite("everyday", SUITE)
    project.run = run
    return project


def samples(project):
    return [line for line in project.record() if line["kind"] == "sample"]


def test_a_translator_that_is_a_program_is_judged_by_its_words(apertium):
    apertium.run().assert_outcomes(passed=4)
    decided = [one for one in samples(apertium) if one["verdict"]["outcome"] in ("correct", "incorrect")]
    assert len(decided) >= 3
    for one in decided:
        found = one["verdict"]["evidence"][0]
        assert found["text"] in one["translation"]
        assert found["attributes"]["lemma"]


def test_the_shipped_words_are_judged(apertium):
    shutil.copytree(SHIPPED, apertium.path / "shipped")
    result = apertium.run("--mt-take=40", where="shipped")
    assert result.ret in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)  # it may be a poor translator
    assert "errors" not in result.parseoutcomes()
    outcomes = [one["verdict"]["outcome"] for one in samples(apertium)]
    assert len(outcomes) == 40
    assert "error" not in outcomes
    assert outcomes.count("correct") + outcomes.count("incorrect") >= 10
