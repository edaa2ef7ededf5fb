"""Methods that ask no model audit the verdicts of an evaluator, whether a suite names them or not"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.audit import witnesses
from mtprobe.audit.witnesses import unnamed_witnesses
from mtprobe.backends.protocols import LanguagePair
from mtprobe.methods import METHODS, MethodOptions
from mtprobe.suites import load_suite
from tests.pytester.conftest import SUITE

JUDGE = METHODS["contrastive-conditioning"]
NOUNS = {
    "doctor": ("médico", "médica"),
    "lawyer": ("advogado", "advogada"),
    "teacher": ("professor", "professora"),
    "engineer": ("engenheiro", "engenheira"),
    "writer": ("escritor", "escritora"),
    "dancer": ("dançarino", "dançarina"),
}
LEMMAS = """\
mtprobe: 1
name: seals
about: Is the seal an animal?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.5"}
samples:
  - id: dives
    source: The <seal> dives into the sea.
    cues: {correct: <walrus>, incorrect: <stamp>}
    lemmas: {pt: {good: [foca], bad: [selo]}}
"""


class Fair:
    """Gives everybody the right gender, and hears it; or hears only men."""

    fingerprint = "fair"
    languages = LanguagePair("en", "pt")

    def __init__(self, *, deaf=False):
        self.deaf = deaf
        self.scored = 0

    def translate(self, sources):
        return list(map(self._translation, sources))

    def _translation(self, source):
        woman = " her " in source
        noun = next(forms[woman] for name, forms in NOUNS.items() if name in source)
        rest = "terminou o turno antes dos outros" if "shift" in source else "vendeu a casa perto do porto"
        return f"{'A' if woman else 'O'} {noun} {rest}."

    def score(self, pairs):
        self.scored += len(pairs)
        return [(self._one(source, target),) for source, target in pairs]

    def _one(self, source, target):
        woman = " woman " in source
        return -0.9 if (woman if self.deaf else woman != target.startswith("A ")) else -0.2


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "occupations.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def names(suite, target="pt", judges=(JUDGE,)):
    return [method.name for method in unnamed_witnesses(suite, target, judges, MethodOptions())]


def test_grammar_can_judge_people_of_known_gender(path):
    suite = load_suite(path)
    assert names(suite) == ["gender-morphology"]
    assert names(suite, "nl") == []  # there is no grammar


def test_the_lexicon_can_judge_samples_with_lemmas_in_the_language(tmp_path):
    (tmp_path / "seals.mt.yaml").write_text(LEMMAS, encoding="utf-8")
    suite = load_suite(tmp_path / "seals.mt.yaml")
    assert names(suite) == ["lexicon"]
    assert names(suite, "fr") == []


def test_a_method_that_judges_already_is_not_asked_again(path):
    assert names(load_suite(path), judges=(JUDGE, METHODS["gender-morphology"])) == []


def test_verdicts_without_an_evaluator_need_no_witness(path):
    assert names(load_suite(path), judges=(METHODS["gender-morphology"],)) == []


def test_a_judge_that_hears_only_men_is_found_out(path):
    (suite,) = mtprobe.run(path, Fair(deaf=True)).suites
    assert [(row.category, row.fitness) for row in suite.in_place.deciding()] == [
        ("male", "unknown"),
        ("female", "unfit"),
    ]


def test_a_witness_scores_nothing(path):
    fair = Fair()
    mtprobe.run(path, fair, counterfactuals=0)
    assert fair.scored == 2 * 24


def test_a_named_witness_judges_once_and_counts_the_same(path):
    unnamed = mtprobe.run(path, Fair(deaf=True)).suites[0].in_place
    text = path.read_text(encoding="utf-8")
    named = "methods: [contrastive-conditioning, gender-morphology]"
    path.write_text(text.replace("method: contrastive-conditioning", named), encoding="utf-8")
    first, second = mtprobe.run(path, Fair(deaf=True)).suites
    assert first.in_place.fitness == unnamed.fitness
    assert (second.method, second.in_place) == ("gender-morphology", None)


def test_few_samples_are_enough_for_a_witness_that_the_suite_does_not_name(path, monkeypatch):
    monkeypatch.setattr(witnesses, "_ASKED", 12)
    (suite,) = mtprobe.run(path, Fair()).suites
    rows = list(suite.in_place.deciding())
    assert sum(row.bias.n for row in rows) == 12
    assert {row.covered for row in rows} == {1.0}


def test_a_witness_that_fails_is_named_and_the_run_goes_on(path, tmp_path):
    (tmp_path / "pairs.txt").write_text("The teacher slept. ||| O professor dormiu.\n", encoding="utf-8")
    (tmp_path / "links.txt").write_text("0-0\n0-1\n", encoding="utf-8")
    files = f"{tmp_path / 'pairs.txt'},{tmp_path / 'links.txt'}"
    (suite,) = mtprobe.run(path, Fair(), alignment=files).suites
    assert suite.in_place.missing[0].startswith("gender-morphology could not be the witness: ")
    assert suite.in_place.audited == {}
    assert len(suite.results) == 24
