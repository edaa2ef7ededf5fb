"""The page of a comparison, in a real browser"""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.methods.verdict import Outcome
from mtprobe.records.comparison import compare_runs
from mtprobe.report.runs.comparison import write_comparison

from .factory import a_hostile_run, a_run, a_sample, a_suite
from .tabs import barriers, owned, tab, width_of


def suites(outcome, translation):
    samples = [
        a_sample(f"s{number}", outcome if number < 32 else Outcome.CORRECT, category=category, content="c")
        for number, category in enumerate(["male", "female"] * 20)
    ]
    return a_run(
        *(a_suite(*(replace(one, translation=translation) for one in samples), suite=name) for name in "ab")
    )


@pytest.fixture
def page(tmp_path):
    before = suites(Outcome.CORRECT, "O enfermeiro terminou o turno.")
    after = suites(Outcome.INCORRECT, "A enfermeira terminou o turno.")
    write_comparison(tmp_path / "compare.html", compare_runs(before, after))
    return tmp_path / "compare.html"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier(chromium, page, scheme):
    with tab(chromium, page, color_scheme=scheme) as shown:
        assert barriers(shown) == []


def test_it_fits_a_small_screen(chromium, page):
    with tab(chromium, page, viewport={"width": 400, "height": 800}) as shown:
        assert width_of(shown) <= 400


def test_intervals_are_drawn_on_one_scale_with_a_verdict_each(chromium, page):
    with tab(chromium, page) as shown:
        rows = shown.locator(".differences tbody tr:not(.group)")
        assert rows.count() == 6
        assert {row.locator(".row-verdict").inner_text() for row in rows.all()} == {"worse"}
        assert all(
            float(circle.get_attribute("cx")) < 120 for circle in shown.locator(".forest circle").all()
        )


def test_the_words_that_differ_are_marked(chromium, page):
    with tab(chromium, page) as shown:
        assert shown.locator("del").first.inner_text() == "O enfermeiro"
        assert shown.locator("ins").first.inner_text() == "A enfermeira"


def test_the_focus_of_the_source_is_marked(chromium, page):
    with tab(chromium, page) as shown:
        source = shown.locator("td[data-label=Source]").first
        assert source.locator("mark").inner_text() == "nurse"
        assert "<" not in source.inner_text()


def test_hostile_text_does_nothing(chromium, tmp_path):
    run = a_hostile_run()
    suite = run.suites[0]
    turned = tuple(
        replace(
            one, verdict=replace(one.verdict, outcome=Outcome.INCORRECT), translation=f"new {one.translation}"
        )
        for one in suite.results
    )
    before = replace(run, suites=(suite,))
    after = replace(run, suites=(replace(suite, results=turned),))
    write_comparison(tmp_path / "compare.html", compare_runs(before, after))
    with tab(chromium, tmp_path / "compare.html", viewport={"width": 400, "height": 800}) as shown:
        assert shown.locator("ins").count() > 0
        assert not owned(shown)
        assert width_of(shown) <= 400
