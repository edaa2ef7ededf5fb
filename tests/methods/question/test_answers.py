"""Answers in words are read by declared rules; what names no choice, or two, is unreadable."""

from __future__ import annotations

import pytest

from mtprobe.methods.question.answers import Unreadable, read_answer

CHOICES = ("a man", "a woman")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("A", 0),
        ("b", 1),
        (" B. ", 1),
        ("(B) a woman", 1),
        ("**A**", 0),
        ("A) a man\nbecause of “o médico”, not “a médica”", 0),
        ("Answer: B", 1),
        ("The answer is A.", 0),
        ("I think that the answer is B, since it says “enfermeira”.", 1),
        ("I would say that the answer is B because it says “enfermeira”.", 1),
        ("The answer is A woman.", 1),
        ("It is a woman.", 1),
        ("A woman", 1),
        ("A Man!", 0),
        ("B) a man", None),  # the letter of the one, the words of the other
        ("A or B", None),
        ("A/B", None),
        ("C", None),
        ("The answer is A or maybe option B.", None),
        ("I'm not sure.", None),
        ("Neither a man nor a woman.", None),
        ("", None),
        ("womanly", None),
        ("A\n\nIt says “a woman” nowhere.", None),
        ("B\n\nExplanation: the article is feminine.", 1),
        ("It is not a man.", None),
        ("It isn’t a woman", None),
        ("The correct letter is B", 1),
        (r"\boxed{B}", 1),
    ],
)
def test_an_answer_is_read(text, place):
    answer = read_answer(text, ("A", "B"), CHOICES, ("letter", "words"))
    assert answer == (Unreadable(text) if place is None else place)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("bank", 0),
        ("A river bank.", 1),
        ("bank or river bank", None),
        ("Not visible: it could be both", 2),
        ("It is not visible (no *sign* of it).", 3),
        ("not a bank", None),
    ],
)
def test_choices_may_be_part_of_others_and_deny_something_themselves(text, place):
    choices = ("bank", "river bank", "not visible", "not visible (no *sign* of it)")
    answer = read_answer(text, tuple("ABCD"), choices, ("words",))
    assert answer == (Unreadable(text) if place is None else place)


def test_only_the_declared_rules_are_used():
    assert read_answer("A woman", ("A", "B"), CHOICES, ("letter",)) == Unreadable("A woman")
    assert read_answer("B", ("A", "B"), CHOICES, ("words",)) == Unreadable("B")


def test_a_long_answer_is_shown_in_short():
    assert str(Unreadable("word " * 40)).endswith("…”")
