"""The report for everybody: in the dark, on paper, on a small screen, with a screen reader."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace

import pytest

from mtprobe.gates.judge import Decision
from mtprobe.methods.verdict import Outcome

from .factory import MODEL, a_gate, a_hostile_run, a_run, a_sample, a_suite
from .tabs import barriers
from .test_browser import two_models
from .test_charts import a_pair, ranked_samples
from .test_senses import runs as in_two_languages


def everything():
    """A run whose report has every kind of section."""
    ranked = a_suite(*ranked_samples(), gates=tuple(a_gate(decision) for decision in Decision))
    pairs = a_suite(
        *(a_pair(number, -0.1, -1) for number in range(4)),
        suite="pairs",
        method="minimal-pairs",
        variants={"gender": ("masculine", "feminine", "neuter")},
    )
    broken = a_suite(a_sample(outcome=Outcome.ERROR, reason="timed out"), suite="broken")
    other = replace(ranked, model=replace(MODEL, name="other"))
    senses = [
        replace(suite, suite="senses", path="suites/senses.mt.yaml") for suite in in_two_languages().suites
    ]
    return a_run(*two_models().suites, ranked, other, pairs, broken, *senses)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier_in_any_section(opened, scheme):
    tab = opened(everything(), color_scheme=scheme)
    assert "Where translations share a sense" in tab.page.locator("h2").all_inner_texts()
    tab.page.locator("#sample-0").click()
    tab.page.locator(".detail .facts").wait_for()
    tab.page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    assert barriers(tab.page) == []


@pytest.mark.slow
def test_the_dark_page_is_dark_and_the_light_one_light(opened):
    shade = "getComputedStyle(document.body).backgroundColor"
    light = opened(a_run(), color_scheme="light").page.evaluate(shade)
    dark = opened(a_run(), color_scheme="dark").page.evaluate(shade)
    assert sum(map(int, re.findall(r"\d+", light))) > 700
    assert sum(map(int, re.findall(r"\d+", dark))) < 90


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 800, 1400])
def test_nothing_sticks_out_of_a_screen(opened, width):
    tab = opened(everything(), viewport={"width": width, "height": 800})
    tab.page.locator("#sample-0").click()
    tab.page.locator(".detail .facts").wait_for()
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


def test_huge_words_stick_out_of_nothing_either(opened):
    tab = opened(a_hostile_run(), viewport={"width": 400, "height": 800})
    tab.page.locator("#sample-0").click()
    tab.page.locator(".detail .facts").wait_for()
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.slow
def test_all_gates_are_on_paper(opened, tmp_path):
    gates = tuple(
        a_gate(decision, f"accuracy[number{number}]")
        for number in range(15)
        for decision in (Decision.PASSED, Decision.FAILED)
    )
    tab = opened(a_run(a_suite(gates=gates)), color_scheme="dark")
    printed = tmp_path / "report.pdf"
    tab.page.pdf(path=printed)
    assert printed.read_bytes().startswith(b"%PDF")
    tab.page.emulate_media(media="print")
    assert tab.page.locator("tr.gate:visible").count() == 30
    assert not tab.page.locator(".browser-card").is_visible()
    assert drawn_pages(printed.read_bytes()) >= 2


def drawn_pages(pdf: bytes) -> int:
    """How many content streams draw text."""
    found = 0
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S):
        try:
            found += b" Tf" in zlib.decompress(stream)
        except zlib.error:
            continue
    return found
