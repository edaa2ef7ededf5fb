"""The page of a trend, in a real browser"""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.gates.judge import Decision
from mtprobe.records import RunFacts
from mtprobe.records.trend import trend_of
from mtprobe.report.charts.small_multiple import small_multiple
from mtprobe.report.html.trend import write_trend

from .factory import a_gate, a_hostile_run, a_run, a_suite
from .tabs import barriers, owned, tab, width_of


def releases(count=6):
    decisions = [*Decision]
    for number in range(count):
        gates = [
            a_gate(decisions[number % 5], value=None if number % 5 > 2 else 0.5 + number / 40),
            a_gate(key="gap", bound="<= 0.20", value=0.1),
            a_gate(Decision.FAILED, key="accuracy[female]", xfail="known"),
        ]
        suites = [a_suite(gates=tuple(gates), digest="new" if number > 2 else "old", partial=number == 3)]
        if number != 4:
            suites.append(a_suite(suite="words", gates=tuple(gates)))
        facts = RunFacts("0.1.0", f"2026-03-{number + 1:02}T09:00:00+00:00")
        yield f"v{number}", replace(a_run(*suites), facts=facts, whole=number != 4)


@pytest.fixture
def page(tmp_path):
    write_trend(tmp_path / "trend.html", trend_of(releases()))
    return tmp_path / "trend.html"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier(chromium, page, scheme):
    with tab(chromium, page, color_scheme=scheme) as shown:
        for details in shown.locator("details").all():
            details.evaluate("node => { node.open = true }")
        assert barriers(shown) == []


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out_of_the_screen(chromium, page, width):
    with tab(chromium, page, viewport={"width": width, "height": 800}) as shown:
        assert width_of(shown) <= width
        assert shown.locator("figure.multiple").count() == 6


def test_every_chart_says_what_it_shows(chromium, page):
    with tab(chromium, page) as shown:
        label = shown.locator("figure.multiple > svg").nth(1).get_attribute("aria-label")
        assert label == "gap over 6 releases: 0.10 in v0, 0.10 in v5; bound <= 0.20; now passed"
        assert "not comparable: the suite changed" in shown.locator(".break title").first.text_content()


def test_hostile_text_does_nothing(chromium, tmp_path):
    write_trend(tmp_path / "trend.html", trend_of([("a", a_hostile_run()), ("b", a_hostile_run())]))
    with tab(chromium, tmp_path / "trend.html", viewport={"width": 400, "height": 800}) as shown:
        assert not owned(shown)
        assert width_of(shown) <= 400
        assert "<script>" in shown.locator("h2").nth(2).text_content()


def test_values_are_joined_only_where_they_can_be_compared():
    trend = trend_of(releases())
    gap = trend.suites[0].gates[1]
    drawn = small_multiple(gap, [release.label for release in trend.releases])
    assert len(drawn.marks) == 6
    assert len(drawn.breaks) == 2  # the suite changed; only some of the samples, then all again
    assert len(drawn.lines) == 3
    words = small_multiple(trend.suites[1].gates[1], [release.label for release in trend.releases])
    assert len(words.lines) == 3  # a release is missing


def test_a_change_of_a_hundredth_does_not_fill_the_chart():
    trend = trend_of(
        [
            ("a", a_run(a_suite(gates=(a_gate(value=0.80),)))),
            ("b", a_run(a_suite(gates=(a_gate(value=0.81),)))),
        ]
    )
    first, second = small_multiple(trend.suites[0].gates[0], ["a", "b"]).marks
    assert 0 < first.y - second.y < 6


def test_a_bound_that_changed_is_a_step():
    runs = [("a", a_run(a_suite())), ("b", a_run(a_suite(gates=(a_gate(bound=">= 0.70"),))))]
    drawn = small_multiple(trend_of(runs).suites[0].gates[0], ["a", "b"])
    lower, higher = drawn.bounds
    assert lower.y > higher.y
    assert lower.x + lower.width == pytest.approx(higher.x)
