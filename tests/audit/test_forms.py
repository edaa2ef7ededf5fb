"""`cues: best`: the cue form that agrees best with labels or a witness, chosen once on one half of the words."""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import ModelError, SuiteError
from mtprobe.methods.conditioning.forms import balanced_agreement, samples_for_choice
from mtprobe.suite.labels import Label, half_of, write_label_file
from mtprobe.suites import load_suite

SUITE = """\
mtprobe: 1
name: people
about: Is the gender kept?
languages: {source: en, targets: any}
methods: [gender-morphology, contrastive-conditioning]
categories: [male, female]
cues: best
cue_forms:
  woman-man:
    male:   {correct: man, incorrect: woman}
    female: {correct: woman, incorrect: man}
  behind:
    male:   {correct: <> (a man), incorrect: <> (a woman)}
    female: {correct: <> (a woman), incorrect: <> (a man)}
gates: {accuracy@contrastive-conditioning: ">= 0.5"}
generate:
  - id: late
    source: "The <nurse {number}> said that {pronoun} was late."
    slots:
      number: [NUMBERS]
      pronoun: {she: {category: female}, he: {category: male}}
""".replace("NUMBERS", ", ".join(f'"{number}"' for number in range(40, 100)))


class Model:
    """A woman where the sentence says so, except for every fifth nurse."""

    languages = LanguagePair("en", "pt")
    fingerprint = "model"

    def __init__(self):
        self.sources = []

    def translate(self, sources):
        self.sources += sources
        return [self.translation(source) for source in sources]

    def translation(self, source):
        number = int("".join(filter(str.isdigit, source)))
        female = (" she " in source) != (number % 5 == 0)
        person = f"A enfermeira {number}" if female else f"O enfermeiro {number}"
        return f"{person} disse que era tarde."


class Judge:
    """Understands some forms of the cues; hears a man in the others."""

    languages = LanguagePair("en", "pt")

    def __init__(self, *understood):
        self.understood = understood
        self.fingerprint = f"judge of {understood}"
        self.scored = 0

    def score(self, pairs):
        self.scored += len(pairs)
        return [(self.likelihood(source, target),) for source, target in pairs]

    def likelihood(self, source, target):
        form = "behind" if "(a " in source else "woman-man"
        woman = "woman" in source
        if form not in self.understood:
            return -1.0 - woman
        return -1.0 if woman == target.startswith("A ") else -2.0


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "people.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def judged(run):
    return next(suite for suite in run.suites if suite.method == "contrastive-conditioning")


@pytest.mark.parametrize("form", ["woman-man", "behind"])
def test_each_evaluator_gets_the_form_that_it_understands(suite, form):
    run = judged(mtprobe.run(suite, Model(), Judge(form)))
    assert f"cues {form}" in run.procedure
    assert all(
        ("(a " in item.text) == (form == "behind") for one in run.results for item in one.verdict.evidence
    )
    (note,) = [note for note in run.notes if note.startswith(f"cues {form}, the best of 2 forms")]
    assert "agree with the grammar in 1.00" in note
    assert "one half of the words" in note


def test_of_equally_good_forms_the_first_is_taken(suite):
    run = judged(mtprobe.run(suite, Model(), Judge("woman-man", "behind")))
    assert "cues woman-man" in run.procedure


def test_the_form_is_chosen_on_one_half_of_the_words_only(suite):
    chosen = samples_for_choice(load_suite(suite))
    assert {half_of(sample.cluster) for sample in chosen} == {"tuning"}
    assert {sample.category for sample in chosen} == {"male", "female"}


def test_the_choice_is_stored_for_evaluator_suite_and_language(suite, tmp_path):
    store = tmp_path / "store.sqlite"
    first, second, other = Judge("behind"), Judge("behind"), Judge("woman-man")
    before = judged(mtprobe.run(suite, Model(), first, store=store))
    # Another model's translations: the choice is the evaluator's, and is not made again.
    model = Model()
    model.fingerprint, model.translation = (
        "other",
        lambda source: f"Pessoa {source[10:12]} disse que era tarde.",
    )
    after = judged(mtprobe.run(suite, model, second, store=store))
    assert "cues behind" in after.procedure
    assert before.procedure == after.procedure
    assert "cues woman-man" in judged(mtprobe.run(suite, Model(), other, store=store)).procedure
    suite.write_text(suite.read_text(encoding="utf-8").replace("was late", "was early"), encoding="utf-8")
    with pytest.raises(SuiteError, match="nothing to choose by for pt"):
        mtprobe.run(suite, model, second, store=store)


def test_the_choice_does_not_depend_on_the_samples_that_are_taken(suite):
    model = Model()
    complete = judged(mtprobe.run(suite, Model(), Judge("behind")))
    part = judged(mtprobe.run(suite, model, Judge("behind"), take=4))
    assert complete.procedure == part.procedure
    assert [note for note in complete.notes if "best of" in note] == [
        note for note in part.notes if "best of" in note
    ]
    assert len(part.results) == 4
    assert len(set(model.sources)) > 4


def test_labels_come_before_a_witness(suite, tmp_path):
    """People say that everything is right, which the form that hears a man everywhere cannot."""
    labels = [
        Label(sample.id, sample.source, Model().translation(sample.source), label)
        for sample in load_suite(suite).samples
        for label in ["correct" if sample.category == "male" else "incorrect"]
    ]
    write_label_file(tmp_path / "pt.tsv", labels)
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("cues: best", "labels: {pt: pt.tsv}\ncues: best"), encoding="utf-8")
    run = judged(mtprobe.run(suite, Model(), Judge("woman-man")))
    assert "cues behind" in run.procedure
    assert any("agree with the labels in 1.00" in note for note in run.notes)


def test_a_combination_of_methods_chooses_by_its_own_witness(suite):
    text = suite.read_text(encoding="utf-8")
    suite.write_text(
        text.replace("categories:", "combine: first-decided\ncategories:").replace(
            "accuracy@contrastive-conditioning", "accuracy"
        ),
        encoding="utf-8",
    )
    (run,) = mtprobe.run(suite, Model(), Judge("behind")).suites
    assert run.procedure.endswith("cues behind")


def test_a_witness_that_the_suite_does_not_name_will_do(suite):
    text = suite.read_text(encoding="utf-8").replace("accuracy@contrastive-conditioning", "accuracy")
    suite.write_text(
        text.replace(
            "methods: [gender-morphology, contrastive-conditioning]", "method: contrastive-conditioning"
        ),
        encoding="utf-8",
    )
    assert "cues behind" in judged(mtprobe.run(suite, Model(), Judge("behind"))).procedure


def test_without_labels_or_a_witness_there_is_no_best(suite):
    class Finnish(Model):
        languages = LanguagePair("en", "fi")

    judge = Judge("behind")
    judge.languages = LanguagePair("en", "fi")
    with pytest.raises(ModelError, match="cues: best: there is nothing to choose by for fi") as raised:
        mtprobe.run(suite, Finnish(), judge)
    assert "people.mt.yaml" in str(raised.value)
    assert judge.scored == 0


def test_best_needs_several_forms(suite):
    text = suite.read_text(encoding="utf-8")
    start, end = text.index("  behind:"), text.index("gates:")
    suite.write_text(text[:start] + text[end:], encoding="utf-8")
    with pytest.raises(SuiteError, match="cues: best: there is nothing to choose from"):
        load_suite(suite)


def test_a_form_may_be_called_best(suite):
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("  behind:", "  best:"), encoding="utf-8")
    run = judged(mtprobe.run(suite, Model(), Judge("woman-man")))
    assert "cues best" in run.procedure
    assert not any("best of" in note for note in run.notes)


def test_always_hearing_the_frequent_reading_gains_nothing(suite):
    samples = load_suite(suite).samples
    truth = {
        sample.id: "correct" if number % 12 < 10 else "incorrect" for number, sample in enumerate(samples)
    }
    constant = dict.fromkeys(truth, "correct")
    assert balanced_agreement(samples, constant, truth) == pytest.approx(0.5)
    assert balanced_agreement(samples, truth, truth) == 1.0
