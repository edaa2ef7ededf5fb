"""Categories in which no answer is right: their cues name choices, and gates count them."""

from __future__ import annotations

import json

import pytest

from mtprobe.gates import gates_for
from mtprobe.suite.lint import warnings
from mtprobe.suite.samples.focus import contrastive_sources

OPEN = """\
mtprobe: 1
name: somebody
about: Whom does the translation make of somebody?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female, neutral]
cues:
  neutral: {male: man, female: [woman, lady]}
gates:
  chosen[male]: "<= 0.70"
samples:
  - source: An <actor> lost their keys.
    category: neutral
"""
BOTH = OPEN.replace("  neutral: {", "  female: {correct: woman, incorrect: man}\n  neutral: {")
SAMPLE = "samples:\n"


def test_a_category_whose_cues_name_choices_is_open(load):
    suite = load(OPEN)
    assert suite.open == {"neutral": {"male", "female"}}
    assert suite.choices == ("male", "female")
    assert suite.answered == ("male", "female")
    assert suite.samples[0].choices == ("male", "female")


def test_its_samples_have_a_contrastive_source_for_each_choice(load):
    found = contrastive_sources(load(OPEN).samples[0], "en")
    assert found.sides == {
        "male": ("A man actor lost their keys.",),
        "female": ("A woman actor lost their keys.", "A lady actor lost their keys."),
    }


def test_an_ordinary_suite_has_no_open_category(load, good):
    suite = load(good)
    assert (suite.open, suite.choices, suite.answered) == ({}, (), ("male", "female"))
    assert suite.samples[0].choices == ()


@pytest.mark.parametrize(
    "evidence",
    [
        "cues: {male: he, female: she}",
        "cues: {neutral: {male: he, female: she}}",
        "sources: {male: He lost his keys., female: [She lost her keys.]}",
    ],
)
def test_a_sample_may_bring_choices_of_its_own(load, evidence):
    suite = load(OPEN.replace("    category: neutral", f"    category: neutral\n    {evidence}"))
    assert [*contrastive_sources(suite.samples[0], "en").sides] == ["male", "female"]
    assert suite.samples[0].choices == ("male", "female")


def test_slots_are_filled_in_choices_too(load):
    template = """\
generate:
  - id: keys
    source: The <{job}> lost {whose} keys.
    slots: {job: [actor, nurse], whose: {their: {category: neutral}}}
    sources: {male: "A {job} lost his keys.", female: "A {job} lost her keys."}
"""
    suite = load(OPEN.partition(SAMPLE)[0] + template)
    assert contrastive_sources(suite.samples[0], "en").sides == {
        "male": ("An actor lost his keys.",),
        "female": ("An actor lost her keys.",),
    }


def test_samples_from_data_files_are_open_by_their_category(load):
    line = json.dumps({"source": "The <nurse> left.", "category": "neutral"})
    suite = load(OPEN + "data: {file: more.jsonl}\n", {"more.jsonl": line})
    assert [sample.choices for sample in suite.samples] == [("male", "female")] * 2


def test_an_open_category_stays_open_when_none_of_its_samples_is_taken(load):
    other = "  - source: The <nurse> lost her keys.\n    category: female\n"
    suite = load(BOTH + other)
    kept = [suite.take(1), suite.take(2)]
    assert [one.answered for one in kept] == [("male", "female")] * 2


@pytest.mark.parametrize(
    ("written", "line", "message"),
    [
        (
            "{mal: man, female: woman}",
            8,
            'cues.neutral: the choice "mal" is not one of the `categories`; did you mean "male"?',
        ),
        (
            "{corect: man, incorect: woman}",
            8,
            'cues.neutral: the choice "corect" is not one of the `categories`; did you mean "correct"?',
        ),
        (
            "{neutral: man, female: woman}",
            8,
            'cues.neutral: "neutral" is the category itself; an open category cannot be its own choice',
        ),
        ("{corect: man, incorrect: woman}", 8, 'cues.neutral.corect: unknown key; did you mean "correct"?'),
        ("{male: man, female: []}", 8, "cues.neutral.female: must have at least one entry"),
    ],
)
def test_a_mistake_in_choices_names_the_line(problem, written, line, message):
    found = problem(OPEN.replace("{male: man, female: [woman, lady]}", written))
    assert (found.place.line, found.message) == (line, message)


def test_a_choice_alone_is_no_choice(problem):
    found = problem(OPEN.replace("{male: man, female: [woman, lady]}", "{correct: man}"))
    assert found.message == "cues.neutral.incorrect: is missing"


def test_a_category_is_open_for_all_of_its_samples_or_for_none(problem):
    other = "  - source: The <nurse> lost her keys.\n    category: neutral\n    cues: {correct: a, incorrect: b}\n"
    found = problem(OPEN + other)
    assert found.place.line == 14
    assert found.message.startswith('category "neutral": this sample has a right answer but the one at ')


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("chosen", "chosen needs exactly one choice: chosen[male]"),
        ("chosen[male, female]", "chosen needs exactly one choice: chosen[male]"),
        ("chosen[mal]", '"mal" is not a choice; did you mean "male"?'),
        ("chosen[neutral]", '"neutral" is not a choice'),
        ("chosen[male, jb=x]", 'there is no attribute "jb"'),
        ("accuracy[neutral]", 'no answer is right in the open category "neutral"; gate chosen[male] instead'),
        (
            "weighted_accuracy[neutral]",
            'no answer is right in the open category "neutral"; gate chosen[male] instead',
        ),
    ],
)
def test_a_gate_that_an_open_category_cannot_have_is_told(problem, gate, message):
    found = problem(OPEN.replace("chosen[male]", gate))
    assert found.place.line == 10
    assert found.message.startswith(f"gates.{gate}: {message}")


@pytest.mark.parametrize("gate", ["minimum_accuracy", "gap"])
def test_a_comparison_of_categories_needs_some_with_a_right_answer(problem, gate):
    text = OPEN.replace("chosen[male]", gate).replace("{male: man, female: [woman, lady]}", "{a: x, b: y}")
    text = text.replace("[male, female, neutral]", "[a, b, neutral]")
    other = "  - {source: An <actor>., category: a}\n  - {source: A <nurse>., category: b}\n"
    cues = "  a: {b: x, neutral: y}\n  b: {a: x, neutral: y}\n"
    found = problem(text.replace("cues:\n", "cues:\n" + cues) + other)
    assert "in which an answer is right" in found.message


def test_choices_are_gated_only_where_there_are_any(good, problem):
    found = problem(good.replace("accuracy[female]", "chosen[female]"))
    assert "the suite has no open category" in found.message


def test_a_gate_may_ask_for_a_choice_among_some_samples(load):
    text = OPEN.replace("chosen[male]", "chosen[male, typical=female]")
    suite = load(
        text.replace("    category: neutral", "    category: neutral\n    attributes: {typical: female}")
    )
    selector = gates_for(suite, None)[0].selector
    assert (selector.choice, selector.category) == ("male", None)
    assert selector.attributes == (("typical", "female"),)


def test_lint_does_not_miss_samples_of_a_category_that_is_there_to_be_chosen(load):
    found = [problem.message for problem in warnings(load(OPEN))]
    assert not any("no sample" in message for message in found)
    assert any('"neutral" has 1 sample' in message for message in found)


def test_lint_finds_a_cue_that_speaks_for_two_choices(load):
    found = list(warnings(load(OPEN.replace("[woman, lady]", "[woman, Man]"))))
    assert ('cues: "man" is both male and female', 8) in [(one.message, one.place.line) for one in found]


def test_audit_pairs_are_of_categories_with_a_right_answer(load, problem):
    pair = "audit:\n  pt:\n    - source: The <nurse> left.\n      targets: {female: A enfermeira saiu.}\n"
    assert load(BOTH + pair).audit["pt"]
    assert "no `cues` by category" in problem(OPEN + pair).message
    found = problem(BOTH + pair.replace("female:", "neutral:"))
    assert found.message.startswith('"neutral" is not a category that has cues')
    found = problem(BOTH + pair.replace("source: The <nurse> left.", "sample: an-actor-lost-their-keys"))
    assert found.message == 'the sample "an-actor-lost-their-keys" is open: it has no correct reading'
