"""Derived attributes: each value with the condition under which it holds."""

from __future__ import annotations

import pytest

from mtprobe.suite.samples.conditions import ConditionError, read_condition

TEMPLATE = """\
generate:
  - source: The <{job}> lost {whose} keys.
    slots:
      job: {doctor: {typical: male}, nurse: {typical: female}, cook: }
      whose: {her: {category: female}, his: {category: male}}
"""


def values_of(suite, name):
    return [sample.attributes.get(name) for sample in suite.samples]


def test_a_template_derives_attributes(head, load):
    text = (
        TEMPLATE
        + "    attributes:\n      stereotype: {pro: typical == category, anti: typical != category}\n"
    )
    assert values_of(load(head + text), "stereotype") == ["anti", "pro", "pro", "anti", None, None]


def test_the_suite_derives_attributes_for_every_sample(good, load):
    text = (
        good
        + "attributes:\n  stereotype: {pro: typical == category, anti: typical != category}\n"
        + "  kind: {clear: pos == noun, other: stereotype == pro}\n"
        + TEMPLATE
    )
    suite = load(text)
    assert values_of(suite, "stereotype") == [None, "anti", "pro", "pro", "anti", None, None]
    assert values_of(suite, "kind") == ["clear", None, "other", "other", None, None, None]


def test_a_template_may_name_what_the_suite_derived(head, load):
    text = (
        "attributes:\n  stereotype: {pro: typical == category, anti: typical != category}\n"
        + TEMPLATE
        + "    attributes:\n      hard: {'yes': stereotype == 'anti', 'no': stereotype == 'pro'}\n"
    )
    assert values_of(load(head + text), "hard") == ["yes", "no", "no", "yes", None, None]


def test_the_suite_may_name_attributes_of_a_templates_slot_file(head, load):
    text = "attributes:\n  size: {big: weight > 5, small: weight <= 5}\n" + TEMPLATE.replace(
        "{doctor: {typical: male}, nurse: {typical: female}, cook: }", "{file: jobs.yaml}"
    )
    suite = load(head + text, {"jobs.yaml": "doctor: {weight: 10}\nnurse: {weight: 1}\n"})
    assert values_of(suite, "size") == ["big", "big", "small", "small"]


def test_attributes_of_a_data_file_are_declared_there(head, load, problem):
    line = '{"source": "The <nurse>.", "category": "male", "attributes": {"pos": "noun"}}\n'
    derived = "attributes:\n  part: {naming: pos == 'noun'}\n"
    text = head + derived + "data: {file: a.jsonl, attributes: [pos]}\n"
    assert values_of(load(text, {"a.jsonl": line}), "part") == ["naming"]
    undeclared = problem(text.replace(", attributes: [pos]", ""), {"a.jsonl": line})
    assert undeclared.place.line == 13
    assert '"pos" in "pos == \'noun\'" is neither an attribute' in undeclared.message
    unquoted = problem(text.replace("'noun'", "noun"), {"a.jsonl": line})
    assert "put a value from a data file in quotes" in unquoted.message


def test_a_gate_may_name_a_derived_attribute(head, load):
    text = (
        head.replace("accuracy[female]", "gap[stereotype]")
        + TEMPLATE
        + "    attributes:\n      stereotype: {pro: typical == category, anti: typical != category}\n"
    )
    assert load(text).attributes["stereotype"] == {"pro", "anti"}


VALUES = {"typical": "male", "category": "female", "rank": 3, "weight": 1.5, "definite": True, "pos": "noun"}


def holds(text: str) -> bool:
    names, words = {*VALUES, "lemma"}, {"male", "female", "noun", "verb"}
    return read_condition(text, names, words).holds(VALUES)


@pytest.mark.parametrize(
    "text",
    [
        "typical != category",
        "typical == male",
        "typical == 'male'",
        "rank == 3 and pos == noun",
        "rank > 2 or pos == verb",
        "1 < rank <= 3",
        "not typical == category",
        "pos in [noun, verb]",
        "pos not in [verb]",
        "weight >= 1.5",
        "definite == true",
        "definite != false",
        "(rank == 1 or rank == 3) and not pos == verb",
        "pos < 'z'",
        "  rank == 3  ",
    ],
)
def test_a_condition_holds(text):
    assert holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "typical == category",
        "rank == 4",
        "pos in [verb]",
        "rank > 3",
        "rank < pos",
        "definite == false",
        "lemma == lemma",
        "lemma != 'x'",
        "lemma in ['x', lemma]",
        "lemma not in ['x']",
        "lemma < 'x'",
        "rank == '3'",
    ],
)
def test_a_condition_does_not_hold_and_what_a_sample_lacks_equals_nothing(text):
    assert not holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "typical = category",
        "typical ==",
        "",
        "a b",
        "(" * 300,
        "not " * 120 + "(",
        "'",
        "typical == \0",
        "x" * 501,
        "typical == category\nrank == 3",
    ],
)
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(ConditionError):
        holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('x')",
        "typical.upper() == 'MALE'",
        "rank + 1 == 4",
        "rank if rank else pos",
        "[x for x in [1]]",
        "lambda: 1",
        "typical is category",
        "f'{typical}'",
        "rank ** 999999999",
        "-rank",
        "{1: 2}",
        "pos[0]",
        "b'x' == pos",
        "... == pos",
        "None == lemma",
        "well-known == pos",
    ],
)
def test_more_than_a_comparison_is_refused(text):
    with pytest.raises(ConditionError):
        holds(text)
