"""Where translations differ: between models, and between a baseline and now."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources

import pytest

from mtprobe.gates.judge import Decision
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics.regression import Flip, Regression
from mtprobe.report.html.contrasts import contrasts
from mtprobe.report.runs.word_diff import word_diff

from .factory import MODEL, a_gate, a_run, a_sample, a_suite

OTHER = replace(MODEL, name="other")


def two_models():
    one = a_suite(
        a_sample("same", Outcome.CORRECT, 0.9),
        a_sample("reworded", Outcome.CORRECT, 0.9),
        a_sample("flipped", p=0.1, translation="A enfermeira saiu."),
        a_sample("doubtful", Outcome.UNDECIDED),
        a_sample("only-here", p=0.1),
    )
    other = a_suite(
        a_sample("same", Outcome.CORRECT, 0.9),
        a_sample("reworded", Outcome.CORRECT, 0.9, translation="Outra coisa."),
        a_sample("flipped", Outcome.CORRECT, 0.9, translation="O enfermeiro saiu."),
        a_sample("doubtful", p=0.4),
        model=OTHER,
    )
    return one, other


def test_samples_with_different_verdicts_are_counted_and_the_most_telling_shown_first():
    [found] = contrasts(two_models())
    assert (found.n, found.translations, found.verdicts) == (4, 2, 2)
    assert [versions[0].result.id for versions in found.samples] == ["flipped", "doubtful"]


def test_words_in_which_models_differ_are_highlighted(page_of):
    page = page_of(a_run(*two_models()))
    summary = next(one for one in page.all("summary") if "verdicts" in one.text)
    assert summary.text == "demo and other: 2 of 4 verdicts and 2 translations differ"
    [first, _] = page.one("ol", "versions").all("li")
    assert [line.text for line in first.all("p", "version")] == [
        "enThe nurse finished his shift.flipped",
        "demoA enfermeira saiu.incorrect",
        "otherO enfermeiro saiu.correct",
    ]
    assert [word.text for word in first.all("em", "differs")] == ["A enfermeira", "O enfermeiro"]


def test_only_runs_of_one_method_into_one_language_are_contrasted():
    one, other = two_models()
    assert list(contrasts([one])) == []
    assert list(contrasts([one, replace(other, method="lexicon")])) == []
    assert list(contrasts([one, replace(other, target="de")])) == []


def test_a_regressed_sample_is_shown_then_and_now(page_of):
    flips = (Flip("nurse", "correct", "O enfermeiro terminou o turno."), Flip("gone", "correct", "x"))
    gate = a_gate(
        Decision.FAILED, "regression", "<= 0.02", 0.5, regression=Regression("demo of May", 0.01, flips, ())
    )
    page = page_of(a_run(a_suite(a_sample("nurse", p=0.2), gates=(gate,))))
    row = page.one("tr", "flips")
    assert row.one("summary").text == "2 regressed samples, then and now"
    assert [line.text for line in row.all("p", "version")][1:] == [
        "thenO enfermeiro terminou o turno.",
        "nowA enfermeira terminou o turno.",
    ]
    assert [word.text for word in row.all("em", "differs")] == ["O enfermeiro", "A enfermeira"]


@pytest.mark.slow
def test_a_sample_in_full_shows_what_other_models_made_of_it(opened):
    one, other = two_models()
    tab = opened(a_run(replace(one, results=one.results[:4]), other))
    tab.choose("text", "flipped")
    tab.told("2 of 8 samples")
    tab.page.locator("#sample-0").click()
    version = tab.page.locator(".detail .version")
    assert version.inner_text().split("\n") == ["other", "correct", "O enfermeiro saiu."]
    assert version.locator("em").all_inner_texts() == ["O enfermeiro"]
    assert tab.problems == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "text, other",
    [
        ("A enfermeira saiu.", "O enfermeiro saiu."),
        ("O médico saiu cedo.", "O médico saiu."),
        ("igual", "igual"),
        ("Ela foi, não?", "Ela foi!"),
        ("猫は寝た。", "犬は寝た。"),
        ("L'avocate a dit", "L'avocat a dit"),
        ("nada em comum", "tudo diferente"),
        ("[a] b-c {d}", "[x] b-c {e}"),
        ("tudo", ""),
        ("", "tudo"),
        ("😀 olá\u00a0mundo", "😃 olá\u00a0mundo"),
        ("a " * 500, "b " * 500),
    ],
)
def test_the_script_of_the_page_marks_the_same_words(chromium, text, other):
    code = (resources.files("mtprobe.report.html") / "templates" / "diff.js").read_text(encoding="utf-8")
    page = chromium.new_page()
    found = page.evaluate(
        "([code, ...texts]) => Function(code + '; return differing')()(...texts)", [code, text, other]
    )
    page.close()
    parts, _ = word_diff(text, other)
    assert found == [list(part) for part in parts if part.text]
