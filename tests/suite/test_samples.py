"""What a suite's samples are once they have been read."""

from __future__ import annotations

import pytest

from mtprobe.errors import SuiteError


def test_a_sample_has_everything_that_was_written(good, load):
    suite = load(
        good
        + """\
    targets:
      de: {correct: Die Ärztin verlor ihre Schlüssel., incorrect: Der Arzt verlor seine Schlüssel.}
    lemmas:
      de: {good: [Ärztin], bad: [Arzt]}
marks: [nightly]
ties: incorrect
"""
    )
    sample = suite.samples[0]
    assert sample.source == "The doctor lost her keys."
    assert sample.source[slice(*sample.focus)] == "doctor"
    assert (sample.category, sample.attributes) == ("female", {"pos": "noun", "rank": 1})
    assert (sample.place.line, sample.place.column) == (13, 5)
    assert sample.targets["de"].correct == ("Die Ärztin verlor ihre Schlüssel.",)
    assert sample.lemmas["de"].incorrect == ("Arzt",)
    assert (suite.name, suite.marks, suite.options["ties"], suite.each) == (
        "doctors",
        ("nightly",),
        "incorrect",
        False,
    )
    assert suite.attributes == {"pos": {"noun"}, "rank": {1}}


def test_the_focus_or_the_lemma_is_the_default_cluster(good, load):
    assert load(good).samples[0].cluster == "doctor"
    assert load(good.replace("pos: noun", "lemma: medic")).samples[0].cluster == "medic"
    assert load(good + "cluster: pos\n").samples[0].cluster == "noun"


def test_a_suite_without_samples_is_an_error(head, problem):
    found = problem(head)
    assert found.message == "the suite has no samples; give `samples`, `generate` or `data`"


def test_a_sample_without_a_category_is_an_error_where_there_are_categories(good, problem):
    found = problem(good.replace("    category: female\n", ""))
    assert (found.place.line, found.message) == (13, "category: is missing; the suite declares male, female")


def test_a_category_without_declared_categories_is_an_error(good, problem):
    text = good.replace("categories: [male, female]\n", "").replace("[female]", "")
    text = text.replace(text[text.index("cues:") : text.index("gates:")], "")
    found = problem(text)
    assert found.message == 'category "female": the suite declares no `categories`'


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("categories: [male, female]", "categories: [male, female, male]", 'categories: duplicate "male"'),
        ("mtprobe: 1", "mtprobe: 2", "mtprobe: must be 1, without quotes; this mtprobe reads version 1 of the format"),
        ("mtprobe: 1\n", "", "mtprobe: is missing; a suite begins with the line `mtprobe: 1`"),
        ("name: doctors", "name: 'a/b'", "name: must be a name: letters, digits, spaces, dots and dashes"),
        ("name: doctors", f"name: {'a' * 101}", "name: is longer than 100 characters"),
        ("method: contrastive-conditioning", "methods: []", "methods: must have at least one entry"),
        ("method: contrastive-conditioning\n", "", "give either `method` or `methods`"),
        ("method:", "methods: [contrastive-conditioning]\nmethod:", "give either `method` or `methods`"),
        ("samples:", "marks: [a b]\nsamples:", "marks[0]: must be a mark: a letter, then letters, digits and _"),
        ("samples:", "expect: all\nsamples:", "expect: must be 'gates' or 'each'"),
        ("{pos: noun, rank: 1}", "{pos: [noun]}", "samples[0].attributes.pos: an attribute's value is a word, a number, true or false"),
        ("{pos: noun, rank: 1}", "[pos]", "samples[0].attributes: must be a mapping of names to values"),
        ("{source: en, targets: any}", "en", "languages: must be a mapping: {source: …, targets: …}"),
        ("  male: {correct: man, incorrect: woman}", "  male: [man, woman]", "cues.male: must be a mapping: {correct: …, incorrect: …}"),
        ("accuracy[female]:", "- accuracy[female]:", 'gates: must be a mapping, not a list; remove the "- " before each name'),
        ("    category", "    lemmas: {good: médica, bad: médico}\n    category", "samples[0].lemmas: begin with the language: {pt: {good: …}}"),
        ("samples:\n  -", "samples:\n   ", 'samples: must be a list; begin each item with "- "'),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_is_named(good, problem, right, wrong, message):
    assert problem(good.replace(right, wrong, 1)).message == message


def test_a_line_of_data_is_the_place_of_its_sample(head, load):
    line = '{"source": "The <nurse> lost his keys.", "category": "male"}\n'
    sample = load(head + "data: {file: a.jsonl}\n", {"a.jsonl": "\n" + line}).samples[0]
    assert (sample.place.path.name, sample.place.line) == ("a.jsonl", 2)


def test_mistakes_in_data_name_its_lines(head, load):
    lines = [
        '{"source": "The <nurse>.", "category": "mail"}',
        '{"source": "The nurse.", "category": "male", "cues": {"correct": "a", "incorrect": "b"}}',
        '{"source": "The <<nurse>.", "category": "male"}',
        "{",
    ]
    with pytest.raises(SuiteError) as raised:
        load(head + "data: {file: a.jsonl}\n", {"a.jsonl": "\n".join(lines)})
    problems = raised.value.problems
    assert [(problem.place.path.name, problem.place.line) for problem in problems] == [
        ("a.jsonl", 1),
        ("a.jsonl", 2),
        ("a.jsonl", 3),
        ("a.jsonl", 4),
    ]
    assert 'did you mean "male"?' in problems[0].message
