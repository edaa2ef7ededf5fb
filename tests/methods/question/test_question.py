"""The method in runs: a judge is asked once, audited in place, combined with others, and refused where it cannot answer."""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.cli import main
from mtprobe.errors import MtprobeError
from mtprobe.gates import Decision
from mtprobe.methods import Outcome
from mtprobe.report.breakdown import preferences
from mtprobe.report.further import further_rows
from mtprobe.suites import load_suite
from tests.methods.question.judges import SUITE, Fair, InWords, Judge, choices_in, hears, named

CUES = """\
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "people.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def judged(path, judge, **options):
    (run,) = mtprobe.run(path, Fair(), evaluator=judge, **options).suites
    return run


def outcomes(run):
    return {result.verdict.outcome for result in run.results}


def test_a_judge_that_reads_the_translation_is_right(path):
    run = judged(path, Judge(position=1.0))
    assert outcomes(run) == {Outcome.CORRECT}
    assert run.evaluator.fingerprint == "judge"
    assert not run.judges_itself
    assert run.procedure.startswith("question 1, wording built in (")
    assert [(row.source, row.agreement.value, row.agreement.n) for row in run.in_place.fitness] == [
        ("gender-morphology", 1.0, 18),
        ("gender-morphology", 1.0, 18),
    ]
    assert all(row.both.value == 1.0 for row in run.in_place.counterfactuals)
    assert [gate.decision for gate in run.gates] == [Decision.PASSED]


def test_a_judge_that_hears_only_men_is_unfit_and_decides_no_gate(path):
    run = judged(path, Judge(lambda _, choice: 2.0 * (choice == "masculine")))
    assert [(row.category, row.bias.value) for row in run.in_place.fitness] == [
        ("male", 0.0),
        ("female", -1.0),
    ]
    assert [row.category for row in run.in_place.unfit] == ["female"]
    (gate,) = run.gates
    assert gate.decision is Decision.UNDECIDED
    assert "unfit verdicts: female reported 0.00, by the grammar 1.00" in gate.reason


def test_position_bias_is_measured_and_a_smaller_preference_is_undecided(path):
    run = judged(path, Judge(position=3.0))
    assert outcomes(run) == {Outcome.UNDECIDED}
    (note,) = [note for note in run.notes if "position bias" in note]
    # log-odds of the first choice are 3 ± 2: (tanh 2.5 + tanh 0.5) / 2
    assert note.startswith("position bias +0.72 (95% interval +0.72 to +0.72, n = 36): ")
    assert note.endswith("undecided (36 of 36)")
    (note,) = [note for note in judged(path, Judge()).notes if "position bias" in note]
    assert note.startswith("position bias +0.00 (")


def test_a_report_does_not_take_the_probabilities_of_answers_for_kinds_of_targets(path):
    run = judged(path, Judge(position=1.0))
    assert not any(row.key.startswith("bias") for row in further_rows(run))
    assert preferences(run) == []


def test_nothing_is_asked_twice(path, tmp_path):
    first, second = Judge(), Judge()
    before = judged(path, first, store=tmp_path / "store.db")
    assert len(first.asked) == len(set(first.asked))
    after = judged(path, second, store=tmp_path / "store.db")
    assert second.asked == []
    assert [result.verdict.outcome for result in before.results] == [
        result.verdict.outcome for result in after.results
    ]
    talker, again = InWords(named), InWords(named)
    for judge in (talker, again):
        assert outcomes(judged(path, judge, store=tmp_path / "store.db")) == {Outcome.CORRECT}
    assert talker.asked
    assert again.asked == []


def test_a_judge_without_log_probabilities_answers_in_words(path):
    run = judged(path, InWords(named))
    assert outcomes(run) == {Outcome.CORRECT}
    assert run.procedure.endswith(", answers in words")
    run = judged(path, InWords(lambda *_: "A"))
    assert outcomes(run) == {Outcome.UNDECIDED}
    assert any(note.startswith("position bias +1.00") for note in run.notes)
    run = judged(path, InWords(lambda *_: "It depends on the reader."))
    assert {result.verdict.reason for result in run.results} == {
        "an answer does not name exactly one choice: “It depends on the reader.”"
    }
    assert run.notes == ("in 36 of 36 samples, an answer of the judge could not be parsed",)


def test_an_evaluator_that_cannot_answer_is_a_mistake(path):
    with pytest.raises(MtprobeError, match=r"cannot answer questions.*lm:NAME_OR_PATH"):
        mtprobe.run(path, Fair())

    class Scores(Fair):
        fingerprint = "scores"

        def score(self, pairs):
            return [(-1.0,) for _ in pairs]

    with pytest.raises(
        MtprobeError,
        match="cannot answer questions, so it cannot be the evaluator of question: name a language",
    ):
        mtprobe.run(path, Fair(), evaluator=Scores())


def test_a_model_that_answers_judges_itself(path):
    class Both(Judge, Fair):
        fingerprint = "both"

    (run,) = mtprobe.run(path, Both()).suites
    assert run.judges_itself
    assert outcomes(run) == {Outcome.CORRECT}


def test_the_judge_is_asked_where_the_grammar_cannot_decide(path):
    path.write_text(
        SUITE.replace("method: question", "methods: [gender-morphology, question]\ncombine: first-decided"),
        encoding="utf-8",
    )

    class Vague(Fair):
        def _translation(self, source):
            text = super()._translation(source)
            return text if "doctor" not in source else f"Artista disse que era tarde {text.split()[-1]}"

    judge = Judge()
    (run,) = mtprobe.run(path, Vague(), evaluator=judge).suites
    assert run.method == "gender-morphology, question"
    by = {result.verdict.by for result in run.results if "doctor" in result.id}
    assert by == {"question"}
    assert {result.verdict.by for result in run.results if "doctor" not in result.id} == {"gender-morphology"}


def test_it_is_compared_with_other_methods_in_one_run(path, tmp_path, capsys):
    class Scores(Judge):
        def score(self, pairs):
            return [
                (-0.2 if (" woman " in source) == target.startswith("A ") else -0.9,)
                for source, target in pairs
            ]

    path.write_text(
        SUITE.replace("method: question", "methods: [question, contrastive-conditioning]") + CUES,
        encoding="utf-8",
    )
    run = mtprobe.run(path, Fair(), evaluator=Scores(), record=tmp_path / "run.jsonl")
    assert main(["agree", str(tmp_path / "run.jsonl"), "--metric", "accuracy"]) == 0
    assert "question" in capsys.readouterr().out
    assert [suite.method for suite in run.suites] == ["question", "contrastive-conditioning"]
    assert all(outcomes(suite) == {Outcome.CORRECT} for suite in run.suites)
    # An evaluator that only answers leaves the other method out, and says so.
    (alone,) = mtprobe.run(path, Fair(), evaluator=Judge()).suites
    assert alone.method == "question"
    assert any("contrastive-conditioning was skipped" in note for note in alone.notes)


def test_labels_audit_and_correct_it(path):
    """Half of the women are labelled as right; the judge hears only men."""
    labels = ["\t".join(("id", "source", "translation", "label", "probability", "half", "labelled_by"))]
    for number, sample in enumerate(load_suite(path).samples):
        (translation,) = Fair().translate([sample.source])
        label = "correct" if sample.category == "male" or number % 4 == 0 else "incorrect"
        labels.append("\t".join((sample.id, sample.source, translation, label, "1", "", "anna")))
    (path.parent / "pt.tsv").write_text("\n".join(labels) + "\n", encoding="utf-8")
    path.write_text(f"{SUITE}labels: {{pt: pt.tsv}}\ncorrected: true\n", encoding="utf-8")
    run = judged(path, Judge(lambda _, choice: 2.0 * (choice == "masculine")))
    rows = {row.category: row for row in run.in_place.fitness if row.source == "labels"}
    right = sum(result.label == "correct" for result in run.results if result.category == "female")
    assert 0 < right < 18
    assert rows["female"].truth.value == pytest.approx(right / 18)
    assert rows["female"].reported.value == 0
    (gate,) = run.gates
    assert gate.measure.value == pytest.approx((18 + right) / 36)


class Scoring(Judge):
    """Evaluators that judge together have to score as well."""

    def __init__(self, name, worth):
        super().__init__(worth)
        self.fingerprint, self.answering_fingerprint = name, f"{name}:answers"

    def score(self, pairs):
        return [(-1.0,) for _ in pairs]


def test_several_judges_average_their_answers(path, tmp_path):
    sure = Scoring("sure", hears)
    doubts = Scoring("doubts", lambda text, choice: 1.0 - hears(text, choice) / 2)
    run = judged(path, [sure, doubts], store=tmp_path / "store.db")
    assert outcomes(run) == {Outcome.CORRECT}
    assert all(result.verdict.margin == pytest.approx((2.0 - 1.0) / 2) for result in run.results)
    assert (len(sure.asked), len(doubts.asked)) == (len(set(sure.asked)),) * 2
    again = Scoring("sure", hears)
    judged(path, again, store=tmp_path / "store.db")  # each one's answers are stored as its own
    assert again.asked == []


def test_a_verdict_does_not_depend_on_what_else_is_asked(path):
    complete = judged(path, Judge(position=1.9))
    part = judged(path, Judge(position=1.9), take=10)
    known = {result.id: result.verdict for result in complete.results}
    assert len(part.results) == 10
    assert all(known[result.id] == result.verdict for result in part.results)


def test_the_record_keeps_the_answers(path, tmp_path):
    run = mtprobe.run(path, Fair(), evaluator=Judge(position=1.0), record=tmp_path / "run.jsonl")
    read = mtprobe.read_run(tmp_path / "run.jsonl")
    assert read.suites[0].results == run.suites[0].results
    assert read.suites[0].procedure == run.suites[0].procedure


def test_choices_that_the_suite_describes_make_readings_of_any_category(tmp_path):
    path = tmp_path / "address.mt.yaml"
    path.write_text(
        """\
mtprobe: 1
name: address
about: Are people addressed formally where they have to be?
languages: {source: en, targets: any}
method: question
categories: [formal, informal]
gates: {accuracy: ">= 0.5"}
question:
  text: "“{translation}”\\n{choices}"
  choices: {formal: formal, informal: informal, unclear: neither}
samples:
  - {source: "Sir, sit down.", category: formal}
  - {source: "Buddy, sit down.", category: informal}
  - {source: "Sit down.", category: informal}
""",
        encoding="utf-8",
    )

    class Translator(Fair):
        def translate(self, sources):
            return [{"S": "Sente-se, senhor.", "B": "Senta aqui, pá."}[source[0]] for source in sources]

    judge = Judge(lambda text, choice: 3.0 * (choice == ("formal" if "senhor" in text else "informal")))
    (run,) = mtprobe.run(path, Translator(), evaluator=judge).suites
    assert {len(choices_in(question.prompt)) for question in judge.asked} == {3}
    assert [result.verdict.outcome for result in run.results] == [
        Outcome.CORRECT,
        Outcome.CORRECT,
        Outcome.INCORRECT,
    ]
    assert run.results[2].verdict.reading == "formal"
