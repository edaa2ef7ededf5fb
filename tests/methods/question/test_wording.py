"""What a judge is asked: built-in questions, those of a suite, and what is wrong with them."""

from __future__ import annotations

import pytest

from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import SuiteError
from mtprobe.methods import METHODS
from mtprobe.methods.method import Translated
from mtprobe.methods.question.readings import readings_of
from mtprobe.methods.question.wording import Wording, genders
from mtprobe.suites import load_suite
from tests.methods.question.judges import SUITE

SENSES = """\
mtprobe: 1
name: words
about: Are words understood?
languages: {source: en, targets: any}
method: question
gates: {accuracy: ">= 0.5"}
samples:
  - source: Two men sat on the <bank>.
    cues: {correct: [<shore>, river], incorrect: <lender>}
  - source: <Seals> dive.
    cues: {correct: <Walruses>, incorrect: wax}
  - source: The <crane> was tall.
    sources:
      correct: The machine was tall.
      incorrect: The bird was tall.
"""
OWN = """\
question:
  text: |-
    {source_language} “{source}”, {target_language} “{translation}”: what is the {focus}?
    {choices}
  system: You read {target_language}.
  choices: {male: a man, female: a woman}
"""


def load(tmp_path, text):
    path = tmp_path / "asked.mt.yaml"
    path.write_text(text, encoding="utf-8")
    return load_suite(path)


def asked(suite, sample, text="O texto."):
    readings = readings_of(sample, suite, genders())
    return Wording.of(suite).questions(Translated(sample, text), readings, LanguagePair("en", "pt"))


def test_the_built_in_question_shows_translation_and_focus_but_not_the_source(tmp_path):
    suite = load(tmp_path, SUITE)
    first, second = asked(suite, suite.samples[0], "A médica vendeu a casa {choices}.")
    text = first.prompt.messages[0].content
    assert "“A médica vendeu a casa {choices}.”" in text  # braces in a translation are not fields
    assert "Portuguese" in text
    assert "“doctor”" in text
    assert "sold" not in text
    assert "A) masculine\nB) feminine" in text
    assert "A) feminine\nB) masculine" in second.prompt.messages[0].content
    assert first.choices == second.choices == ("A", "B")


def test_a_suite_asks_in_its_own_words(tmp_path):
    suite = load(tmp_path, SUITE + OWN)
    question = asked(suite, suite.samples[0], "O médico.")[0]
    system, user = question.prompt.messages
    assert system == ("system", "You read Portuguese.")
    assert user.content == (
        "English “The doctor sold her house near the harbour.”, Portuguese “O médico.”: what is the doctor?\n"
        "A) a man\nB) a woman"
    )
    plain = load(tmp_path, SUITE)
    assert Wording.of(plain).digest != Wording.of(suite).digest


def test_cues_and_sources_describe_senses(tmp_path):
    suite = load(tmp_path, SENSES)
    described = [
        {reading.side: reading.text for reading in readings_of(sample, suite, genders()).each}
        for sample in suite.samples
    ]
    assert described == [
        {"correct": "shore, river bank", "incorrect": "lender"},
        {"correct": "Walruses", "incorrect": "wax seals"},
        {"correct": "“The machine was tall.”", "incorrect": "“The bird was tall.”"},
    ]


def test_a_question_about_a_focus_needs_one(tmp_path):
    without = SENSES.replace("The <crane>", "The crane").replace("on the <bank>", "on the bank")
    with pytest.raises(SuiteError, match="focus"):
        load(tmp_path, without)  # cues need one, too
    suite = load(tmp_path, SENSES.replace("The <crane>", "The crane"))
    crane = suite.samples[2]
    assert METHODS["question"].obstacle(suite, "pt") is None
    (question, _) = asked(suite, crane)
    assert "A) “The machine was tall.”" in question.prompt.messages[0].content
    assert "crane" not in question.prompt.messages[0].content
    people = load(tmp_path, SUITE.replace("<{person}>", "{person}"))
    assert "a <focus>" in METHODS["question"].obstacle(people, "pt").reason
    own = load(tmp_path, SUITE.replace("<{person}>", "{person}") + 'question: "{translation} {choices}"\n')
    assert METHODS["question"].obstacle(own, "pt") is None


def test_choices_of_an_open_category_are_described_by_the_suite_or_by_their_cues(tmp_path):
    text = SUITE.replace("male, female]", "male, female, open]").replace(
        "her: {category: female}, his: {category: male}", "their: {category: open}"
    )
    cues = "cues: {open: {male: boy, female: girl}}\n"
    suite = load(tmp_path, text + cues)
    readings = readings_of(suite.samples[0], suite, genders())
    assert [(one.side, one.text) for one in readings.each] == [("male", "masculine"), ("female", "feminine")]
    own = "question: {choices: {male: a man, female: a woman, unclear: nobody knows}}\n"
    readings = readings_of((suite := load(tmp_path, text + cues + own)).samples[0], suite, genders())
    assert [(one.side, one.text) for one in readings.each] == [
        ("male", "a man"),
        ("female", "a woman"),
        ("unclear", "nobody knows"),
    ]


@pytest.mark.parametrize(
    ("written", "line", "message"),
    [
        ("question: Is it {translation}?", 1, "has no {choices}, the place of the choices"),
        ("question: '{choices} {tranlation}'", 1, "no field {tranlation}; did you mean \"translation\"?"),
        ("question:\n  text: '{translation} {choices} {x}'", 2, "there is no field {x}; available: translation, source"),
        ("question:\n  system: In {language}", 2, "there is no field {language}"),
        ("question:\n  txt: x", 2, 'did you mean "text"'),
        ("question:\n  choices:\n    male: a man", 2, "needs from two to"),
        ("question:\n  choices: {male: a person, female: a person}", 2, 'duplicate "a person"'),
        ("question:\n  choices: {male: a man, femal: a woman}", 1, '"femal" is not a category or a choice'),
        ("question:\n  read: [lettre]", 2, "read"),
        ("question: 3", 1, "question"),
    ],
)  # fmt: skip
def test_a_bad_question_is_located(tmp_path, written, line, message):
    with pytest.raises(SuiteError) as raised:
        load(tmp_path, SUITE + written + "\n")
    problem = raised.value.problems[0]
    assert message in str(problem)
    assert problem.place.line == SUITE.count("\n") + line


def test_the_key_is_for_this_method_only(tmp_path):
    with pytest.raises(SuiteError, match="question: only the method question needs it"):
        load(tmp_path, SENSES.replace("method: question", "method: contrastive-conditioning") + OWN)


def test_samples_that_say_nothing_about_readings_are_an_error(tmp_path):
    from mtprobe.methods import check_evidence

    nothing = SENSES.split("samples:")[0] + "samples:\n  - source: Two men sat on the <bank>.\n"
    with pytest.raises(
        SuiteError, match=r"asked.mt.yaml:8.*question needs a category that says which reading"
    ):
        check_evidence(load(tmp_path, nothing))
