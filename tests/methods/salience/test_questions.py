from __future__ import annotations

import pytest

from mtprobe.methods.salience.question import questions
from mtprobe.suites import load_suite

HEAD = """\
mtprobe: 1
name: schemas
about: Does the pronoun agree?
languages: {source: en, targets: any}
method: minimal-pairs
cluster: schema
gates: {accuracy: ">= 0"}
samples:
"""
LARGE = """\
  - id: large
    source: The trophy does not fit into the suitcase because <it> is too large.
    attributes: {schema: trophy}
    targets:
      de:
        correct: Die Trophäe passt nicht in den Koffer, weil sie zu groß ist.
        incorrect: Die Trophäe passt nicht in den Koffer, weil er zu groß ist.
"""
SMALL = (
    LARGE.replace("id: large", "id: small").replace("too large", "too small").replace("weil sie", "weil §")
)
SMALL = SMALL.replace("weil er", "weil sie").replace("weil §", "weil er")


@pytest.fixture
def ask(tmp_path):
    def ask(text: str, target: str = "de"):
        path = tmp_path / "s.mt.yaml"
        path.write_text(HEAD + text, encoding="utf-8")
        return list(questions(load_suite(path), target))

    return ask


def triggers(question):
    return [question.source[start:end] for start, end in question.triggers]


def test_the_word_is_the_first_in_which_the_targets_differ(ask):
    one, other = ask(LARGE + SMALL)
    assert (one.target[slice(*one.word)], other.target[slice(*other.word)]) == ("sie", "er")
    assert (one.wrong[slice(*one.wrong_word)], other.wrong[slice(*other.wrong_word)]) == ("er", "sie")
    assert one.source[slice(*one.focus)] == "it"
    assert one.cluster == "trophy"


def test_the_triggers_are_what_distinguishes_the_sources_of_a_schema(ask):
    assert [triggers(question) for question in ask(LARGE + SMALL)] == [["large"], ["small"]]


def test_triggers_that_are_named_come_first(ask):
    named = LARGE.replace("    targets", "    triggers: too large\n    targets")
    assert [triggers(question) for question in ask(named + SMALL)] == [["too large"], ["small"]]


def test_a_sentence_alone_or_among_three_or_beside_a_stranger_has_none(ask):
    assert [triggers(question) for question in ask(LARGE)] == [[]]
    third = SMALL.replace("id: small", "id: wide").replace("too small", "too wide")
    assert [triggers(question) for question in ask(LARGE + SMALL + third)] == [[], [], []]
    stranger = SMALL.replace(
        "The trophy does not fit into the suitcase because <it> is", "We left when <it> was"
    )
    assert [triggers(question) for question in ask(LARGE + stranger)] == [[], []]


def test_only_samples_with_targets_in_the_language_are_asked(ask):
    assert ask(LARGE, "pt") == []
    same = LARGE.replace("weil er", "weil sie").replace("incorrect: Die", "incorrect: Gern. Die")
    assert ask(same) == []  # the right one has no word of its own
