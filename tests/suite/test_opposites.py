"""What speaks for both readings decides nothing, and is an error."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ("cues: {correct: man, incorrect: [boy, man]}", 'cues: "man" is both correct and incorrect'),
        ("sources: {correct: A., incorrect: A.}", 'sources: "A." is both correct and incorrect'),
        ("targets: {pt: {correct: O., incorrect: O.}}", 'targets.pt: "O." is both correct and incorrect'),
        ("lemmas: {pt: {good: homem, bad: [Homem]}}", 'lemmas.pt: "homem" is both good and bad'),
        ("lemmas: {ru: {good: телёнок, bad: [Теленок, икра]}}", 'lemmas.ru: "телёнок" is both good and bad'),
        ("lemmas: {pt: {good: homem, bad: {a: [rapaz], b: [homem]}}}", '"homem" is both good and bad'),
    ],
)
def test_a_text_on_both_sides_of_a_sample(good, problem, evidence, message):
    found = problem(f"{good}    {evidence}\n")
    assert (found.place.line, found.place.column) == (16, 5)
    assert message in found.message
    assert "remove it from one of the two" in found.message


def test_a_cue_on_both_sides_of_the_suites_cues(good, problem):
    found = problem(
        good.replace("female: {correct: woman, incorrect: man}", "female: {correct: man, incorrect: man}")
    )
    assert (found.place.line, found.place.column) == (9, 3)
    assert found.message == 'cues.female: "man" is both correct and incorrect; remove it from one of the two'


def test_a_cue_for_two_choices(good, problem):
    choices = good.replace("[male, female]", "[male, female, neutral]").replace(
        "gates:", "  neutral: {male: person, female: person}\ngates:"
    )
    assert 'cues.neutral: "person" is both male and female' in problem(choices).message


def test_a_template_whose_slots_make_both_sides_the_same(head, problem):
    template = """\
generate:
  - source: The <{job}> slept.
    category: female
    slots: {job: {doctor: {he: médico, she: médica}, dentist: {he: dentista, she: dentista}}}
    lemmas: {pt: {good: "{job.she}", bad: "{job.he}"}}
"""
    found = problem(head + template)
    assert found.place.line == 16
    assert found.message.startswith('lemmas.pt: "dentista" is both good and bad')


def test_a_line_of_a_data_file(head, problem):
    line = {
        "source": "The <doctor> slept.",
        "category": "male",
        "cues": {"correct": "man", "incorrect": "man"},
    }
    found = problem(head + "data: {file: samples.jsonl}\n", {"samples.jsonl": json.dumps(line) + "\n"})
    assert (found.place.path.name, found.place.line) == ("samples.jsonl", 1)
    assert found.message.startswith('cues: "man" is both correct and incorrect')


def test_capitals_tell_cues_apart(good, load):
    suite = load(good + "    cues: {correct: Polish, incorrect: polish}\n")
    assert suite.samples[0].cues.sides == {"correct": ("Polish",), "incorrect": ("polish",)}


def test_several_cues_in_one_text(good, problem):
    found = problem(f"{good}    cues: {{correct: '<boy>, <man>', incorrect: <woman>}}\n")
    assert 'cues: "<boy>, <man>" is a cue with commas; write a list: [<boy>, <man>]' in found.message


def test_a_cue_for_two_senses_of_a_word(problem):
    words = """\
words:
  bat:
    animal: {cues: [furry, wooden], contexts: {cave: A <bat> slept.}}
    club: {cues: [wooden, cricket], contexts: {hall: A <bat> fell.}}
"""
    suite = """\
mtprobe: 1
name: words
about: Are words understood?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.5"}
data: {file: words.yaml, format: senses}
"""
    found = problem(suite, {"words.yaml": words})
    assert (found.place.path.name, found.place.line) == ("words.yaml", 2)
    assert (
        found.message
        == 'words.bat: has the cue "wooden" for two senses, animal and club; remove it from one of the two'
    )


def test_a_pair_whose_targets_are_the_same(problem):
    suite = """\
mtprobe: 1
name: pairs
about: Are pairs told apart?
languages: {source: en, targets: pt}
method: minimal-pairs
categories: [human, machine]
gates: {accuracy: ">= 0.5"}
data: {file: pairs.yaml, format: pairs}
"""
    pairs = "pairs:\n  bakery:\n    source: It is open.\n    human: Está [aberta|aberta].\n"
    found = problem(suite, {"pairs.yaml": pairs})
    assert (found.place.path.name, found.place.line) == ("pairs.yaml", 4)
    assert "is both correct and incorrect" in found.message
