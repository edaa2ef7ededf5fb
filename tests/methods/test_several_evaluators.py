"""A run with several evaluators: mean scores, each one's own in the record, and how often they disagree."""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import ModelError
from mtprobe.methods.verdict import Outcome
from tests.pytester.conftest import SUITE

NOUNS = {
    "doctor": "médica",
    "lawyer": "advogado",
    "teacher": "professora",
    "engineer": "engenheiro",
    "writer": "escritora",
    "dancer": "dançarino",
}


class Model:
    languages = LanguagePair("en", "pt")
    fingerprint = "model"

    def translate(self, sources):
        return [self.translation(source) for source in sources]

    def translation(self, source):
        noun = next(portuguese for english, portuguese in NOUNS.items() if english in source)
        owner = "dela" if " her " in source else "dele"
        rest = (
            f"terminou o turno {owner} antes"
            if "shift" in source
            else f"vendeu a casa {owner} perto do porto"
        )
        return f"A {noun} {rest}."


class Judge:
    """Prefers a cue by so much, in every token; a token is a word, or a letter."""

    languages = LanguagePair("en", "pt")

    def __init__(self, name, favourite, by, cut=str.split):
        self.fingerprint, self.favourite, self.by, self.cut = name, favourite, by, cut

    def score(self, pairs):
        return [
            tuple(-3.0 + self.by * (f" {self.favourite} " in source) for _ in self.target_spans(target))
            for source, target in pairs
        ]

    def target_spans(self, text):
        spans, at = [], 0
        for token in self.cut(text):
            start = text.index(token, at)
            at = start + len(token)
            spans.append((start, at))
        return [*spans, None]


class Attentive(Judge):
    """Attends to the person, and prefers a cue only in the tokens of the person."""

    def score(self, pairs):
        return [
            tuple(
                -3.0 + self.by * weight * (f" {self.favourite} " in source) for weight in self.weights(target)
            )
            for source, target in pairs
        ]

    def attention(self, pairs):
        return [self.weights(pair.target) for pair in pairs]

    def weights(self, text):
        end = 2 + len(text.split()[1])
        return [float(span is not None and 2 <= span[0] < end) for span in self.target_spans(text)]


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "jobs.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def test_the_mean_decides_and_each_score_is_kept(suite):
    strong, weak = Judge("strong", "woman", 2.0), Judge("weak", "man", 1.0, cut=list)
    (run,) = mtprobe.run(suite, Model(), [strong, weak]).suites
    for result in run.results:
        assert result.verdict.outcome is (
            Outcome.CORRECT if result.category == "female" else Outcome.INCORRECT
        )
        for item in result.verdict.evidence:
            assert item.by_evaluator == ((-1.0, -3.0) if " woman " in item.text else (-3.0, -2.0))
            assert item.score == pytest.approx(sum(item.by_evaluator) / 2)
    assert run.evaluator.fingerprint == "ensemble: strong + weak"
    assert run.evaluator.name == "Judge + Judge"
    assert f"would decide {len(run.results)} of {len(run.results)} samples differently (1.00)" in " ".join(
        run.notes
    )


def test_evaluators_of_one_mind_do_not_disagree(suite):
    judges = [Judge("one", "woman", 2.0), Judge("other", "woman", 1.0)]
    (run,) = mtprobe.run(suite, Model(), judges).suites
    assert "the evaluators, each alone, would decide 0 of 24 samples differently (0.00)" in run.notes


def test_one_evaluator_in_a_list_is_that_evaluator(suite):
    alone, listed = (
        mtprobe.run(suite, Model(), judge).suites[0]
        for judge in (Judge("a", "man", 1), [Judge("a", "man", 1)])
    )
    assert alone.results == listed.results
    assert alone.evaluator == listed.evaluator
    assert all(not item.by_evaluator for result in listed.results for item in result.verdict.evidence)


def test_the_record_reads_back(suite, tmp_path):
    run = mtprobe.run(
        suite,
        Model(),
        [Judge("one", "woman", 2.0), Judge("other", "man", 1.0)],
        record=tmp_path / "run.jsonl",
    )
    assert mtprobe.read_run(tmp_path / "run.jsonl").suites[0].results == run.suites[0].results


def test_tokens_are_shown_where_the_evaluators_share_them(suite):
    same, letters = Judge("same", "woman", 1.0), Judge("letters", "woman", 1.0, cut=list)
    (shared,) = mtprobe.run(suite, Model(), [Judge("one", "woman", 2.0), same]).suites
    (mixed,) = mtprobe.run(suite, Model(), [Judge("one", "woman", 2.0), letters]).suites
    evidence = [item for result in shared.results for item in result.verdict.evidence]
    assert all(item.tokens for item in evidence)
    assert {value for item in evidence if " woman " in item.text for *_, value in item.tokens} == {-1.5}
    assert not any(item.tokens for result in mixed.results for item in result.verdict.evidence)


def test_with_focus_scoring_each_finds_the_focus_among_its_own_tokens(suite):
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("categories:", "scoring: focus\ncategories:"), encoding="utf-8")
    words, letters = Attentive("words", "woman", 2.0), Attentive("letters", "woman", 1.0, cut=list)
    (run,) = mtprobe.run(suite, Model(), [words, letters]).suites
    assert "scoring focus" in run.procedure
    for result in run.results:
        size = len(result.translation.split()[1])
        # The article before the person is compared as well; of the letters, the space.
        expected = -2.0, (-3.0 - 2.0 * size) / (size + 1)
        (woman,) = [item for item in result.verdict.evidence if " woman " in item.text]
        assert woman.by_evaluator == pytest.approx(expected)
        assert woman.score == pytest.approx(sum(expected) / 2)
        assert result.verdict.compared[-1][1] == 2 + size


def test_a_focus_that_one_of_them_does_not_find_is_not_compared(suite):
    class Absent(Attentive):
        def attention(self, pairs):
            return [[0.0] * len(self.target_spans(pair.target)) for pair in pairs]

    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("categories:", "scoring: focus\ncategories:"), encoding="utf-8")
    (run,) = mtprobe.run(suite, Model(), [Attentive("a", "woman", 2.0), Absent("b", "woman", 1.0)]).suites
    assert not any(result.verdict.compared for result in run.results)
    assert any("24 of 24 samples were compared as whole sentences" in note for note in run.notes)


def test_the_same_evaluator_twice_and_one_that_cannot_score_are_errors(suite):
    with pytest.raises(ModelError, match="the same evaluator is given twice"):
        mtprobe.run(suite, Model(), [Judge("a", "man", 1), Judge("a", "man", 1)])
    with pytest.raises(
        ModelError,
        match="neither a spec nor an object with a method `score` or `answer_scores` or `complete`, but a Model",
    ):
        mtprobe.run(suite, Model(), [Judge("a", "man", 1), Model()])
