"""Counterfactual translations: evaluators that recognize both readings, one, or none"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import mtprobe
from mtprobe.backends.protocols import LanguagePair

PEOPLE = """\
mtprobe: 1
name: people
about: Is she a woman?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cluster: occupation
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
gates: {accuracy: ">= 0"}
generate:
  - source: "The <{occupation}> said that {pronoun} was late."
    slots:
      occupation: [doctor, teacher, lawyer, writer, guard]
      pronoun:
        he: {category: male}
        she: {category: female}
"""
WORDS = """\
mtprobe: 1
name: words
about: Which sense?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [frequent, rare]
gates: {accuracy: ">= 0"}
samples:
  - id: stamp
    source: He broke the red <seal>.
    category: frequent
    cues: {correct: <stamp>, incorrect: <animal>}
    lemmas: {pt: {good: [selo], bad: [foca]}}
  - id: animal
    source: The <seal> was old.
    category: rare
    cues: {correct: <animal>, incorrect: <stamp>}
    lemmas: {pt: {good: [foca], bad: [selo]}}
"""
OCCUPATIONS = {
    "doctor": "médico",
    "teacher": "professor",
    "lawyer": "advogado",
    "writer": "escritor",
    "guard": "guarda",
}


class Model:
    """Every person is a man in its translations. As a judge it hears gender and sense, or has an opinion of its own."""

    languages = LanguagePair("en", "pt")

    def __init__(self, hears: str) -> None:
        self.hears = hears
        self.fingerprint = hears
        self.scored: list[tuple[str, str]] = []

    def translate(self, sources: Sequence[str]) -> list[str]:
        return [self._translation(source) for source in sources]

    def _translation(self, source: str) -> str:
        if "broke" in source:
            return "Ele quebrou o selo vermelho."
        if "seal" in source:
            return "O selo era velho."
        return f"O {OCCUPATIONS[source.split()[1]]} disse que chegou tarde."

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, ...]]:
        self.scored += [tuple(pair) for pair in pairs]
        return [(self._score(source, target),) for source, target in pairs]

    def _score(self, source: str, target: str) -> float:
        rare = " woman " in source or "animal" in source
        if self.hears == "men":
            return -0.9 if rare else -0.5
        conveys_rare = target.startswith("A ") or "foca" in target
        return -0.5 if rare == conveys_rare else -0.9


def run(tmp_path, suite: str, hears: str, **settings):
    path = tmp_path / "suite.mt.yaml"
    path.write_text(suite, encoding="utf-8")
    model = Model(hears)
    (judged,) = mtprobe.run(path, model, **settings).suites
    return judged, model


@pytest.mark.slow
def test_an_evaluator_that_hears_both_readings_recognizes_every_pair(tmp_path) -> None:
    judged, _ = run(tmp_path, PEOPLE, "both")
    rows = judged.in_place.counterfactuals
    assert [(row.category, row.both.value, row.both.n, row.asked) for row in rows] == [
        ("male", 1.0, 5, 5),
        ("female", 1.0, 5, 5),
    ]


def test_an_evaluator_that_always_hears_a_man_recognizes_no_woman(tmp_path) -> None:
    judged, _ = run(tmp_path, PEOPLE, "men")
    for row in judged.in_place.counterfactuals:
        assert (row.own.value, row.other.value, row.both.value) == (1.0, 0.0, 0.0)


def test_words_are_exchanged_for_lemmas_of_the_other_sense(tmp_path) -> None:
    judged, model = run(tmp_path, WORDS, "both")
    assert [row.both.value for row in judged.in_place.counterfactuals] == [1.0, 1.0]
    targets = {target for _, target in model.scored}
    assert targets == {
        "Ele quebrou o selo vermelho.",
        "Ele quebrou a foca vermelha.",
        "O selo era velho.",
        "A foca era velha.",
    }


@pytest.mark.parametrize(("asked", "most"), [(4, 4), (0, 0)])
def test_no_more_samples_are_exchanged_than_asked_for(tmp_path, asked: int, most: int) -> None:
    judged, model = run(tmp_path, PEOPLE, "both", counterfactuals=asked)
    assert sum(row.asked for row in judged.in_place.counterfactuals) == most
    exchanged = {pair for pair in model.scored if pair[1].startswith("A ")}
    assert len(exchanged) == 2 * most  # one source per side


def test_own_translations_are_not_scored_again(tmp_path) -> None:
    _, model = run(tmp_path, PEOPLE, "both")
    assert len(model.scored) == len(set(model.scored))


def test_a_sample_is_chosen_whatever_the_order_of_samples(tmp_path) -> None:
    backwards = PEOPLE.replace(
        "doctor, teacher, lawyer, writer, guard", "guard, writer, lawyer, teacher, doctor"
    )
    _, first = run(tmp_path, PEOPLE, "both", counterfactuals=3)
    _, second = run(tmp_path, backwards, "both", counterfactuals=3)
    assert set(first.scored) == set(second.scored)


def test_combined_methods_are_audited_by_their_evaluator(tmp_path) -> None:
    combined = PEOPLE.replace(
        "method: contrastive-conditioning",
        "methods: [gender-morphology, contrastive-conditioning]\ncombine: first-decided",
    )
    judged, _ = run(tmp_path, combined, "men")
    assert [row.other.value for row in judged.in_place.counterfactuals] == [0.0, 0.0]


def test_a_language_without_tables_has_no_counterfactuals(tmp_path) -> None:
    path = tmp_path / "suite.mt.yaml"
    path.write_text(PEOPLE, encoding="utf-8")
    model = Model("both")
    model.languages = LanguagePair("en", "nl")
    (judged,) = mtprobe.run(path, model).suites
    assert judged.in_place.counterfactuals == ()


def test_the_record_keeps_them(tmp_path) -> None:
    path = tmp_path / "suite.mt.yaml"
    path.write_text(PEOPLE, encoding="utf-8")
    finished = mtprobe.run(path, Model("men"), record=tmp_path / "run.jsonl")
    (read,) = mtprobe.read_run(tmp_path / "run.jsonl").suites
    assert read.in_place.counterfactuals == finished.suites[0].in_place.counterfactuals
