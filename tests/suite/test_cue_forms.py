"""Several forms of a suite's cues, of which a run uses one."""

from __future__ import annotations

import pytest

from mtprobe.suite.lint import warnings
from mtprobe.suite.samples.focus import contrastive_sources

FORMS = """\
cue_forms:
  noun:
    male: {correct: man, incorrect: woman}
    female: {correct: woman, incorrect: man}
  behind:
    male: {correct: <> (a man), incorrect: <> (a woman)}
    female: {correct: <> (a woman), incorrect: <> (a man)}
"""
PLAIN = """\
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: woman, incorrect: man}
"""


@pytest.fixture
def forms(good):
    assert PLAIN in good
    return good.replace(PLAIN, FORMS)


def _sources(suite):
    made = contrastive_sources(suite.samples[0], "en")
    return *made.correct, *made.incorrect


def test_the_first_form_is_used(forms, load):
    assert _sources(load(forms)) == ("The woman doctor lost her keys.", "The man doctor lost her keys.")


def test_the_form_that_cues_names_is_used_and_comes_first(forms, load):
    suite = load(forms + "cues: behind\n")
    assert _sources(suite) == ("The doctor (a woman) lost her keys.", "The doctor (a man) lost her keys.")
    assert [*suite.cue_forms] == ["behind", "noun"]
    assert suite.cues == suite.cue_forms["behind"]


def test_plain_cues_are_one_form(good, load):
    suite = load(good)
    assert [*suite.cue_forms] == ["cues"]
    assert suite.cues["female"].correct == ("woman",)


def test_a_suite_without_cues_has_no_form(load):
    suite = load(
        "mtprobe: 1\nname: a\nabout: b\nlanguages: {source: en}\nmethod: contrastive-conditioning\n"
        "gates: {accuracy: '>= 0.5'}\nsamples: [{source: A <b>., cues: {correct: c, incorrect: d}}]\n"
    )
    assert suite.cue_forms == {}
    assert suite.cues == {}


def test_a_form_that_is_not_there_is_named(forms, problem):
    found = problem(forms + "cues: nuon\n")
    assert (found.place.line, found.message) == (
        20,
        'cues: there is no form "nuon"; did you mean "noun"?',
    )


def test_a_name_without_forms_is_told(good, problem):
    found = problem(good.replace(PLAIN, "cues: noun\n"))
    assert found.message == 'cues: there is no form "noun"; there are no `cue_forms`'


def test_cues_stand_once(good, problem):
    found = problem(good + FORMS)
    assert found.message == "cues: with `cue_forms`, name the form to use, as in `cues: noun`"
    assert found.place.line == 7


def test_a_typo_in_a_category_names_the_line(forms, problem):
    found = problem(forms.replace("    female: {correct: <>", "    femal: {correct: <>"))
    assert (found.place.line, found.message) == (
        13,
        'category "femal" is not declared; did you mean "female"?',
    )


def test_every_form_serves_the_same_categories(forms, problem):
    found = problem(forms.replace("    female: {correct: <> (a woman), incorrect: <> (a man)}\n", ""))
    assert (found.place.line, found.message) == (
        11,
        'behind: no cues for "female", which another form has cues for',
    )


def test_a_category_is_open_in_every_form_or_in_none(forms, problem):
    found = problem(
        forms.replace("[male, female]", "[male, female, x]").replace(
            "  behind:\n", "    x: {male: man, female: woman}\n  behind:\n    x: {correct: a, incorrect: b}\n"
        )
    )
    assert (found.place.line, found.message) == (8, 'noun: "x" is open in one form and not in another')


def test_a_cue_on_both_sides_of_any_form_is_an_error(forms, problem):
    found = problem(forms.replace("incorrect: <> (a man)", "incorrect: <> (a woman)"))
    assert found.place.line == 13
    assert 'female: "<> (a woman)" is both correct and incorrect' in found.message


def test_lint_looks_at_every_form(forms, load):
    suite = load(forms.replace("incorrect: <> (a man)", "incorrect: <> (A woman)"))
    found = [problem for problem in warnings(suite) if "both" in problem.message]
    assert [(problem.place.line, problem.message) for problem in found] == [
        (13, 'behind: "<> (a woman)" is both correct and incorrect')
    ]


def test_calibrating_needs_audit_pairs(good, problem):
    found = problem(good + "calibrate: true\n")
    assert (found.place.line, found.message) == (
        16,
        "calibrate: needs `audit` pairs, which show what to subtract",
    )
