"""The histogram of margins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.methods.conditioning.noise import NoiseFloor
from mtprobe.methods.verdict import Outcome
from mtprobe.report.charts.margins import WIDTH, margin_chart

from .factory import a_run, a_sample, a_suite


def with_margin(number: int, margin: float | None, outcome: Outcome | None = None):
    outcome = outcome or (Outcome.CORRECT if (margin or 0) > 0 else Outcome.INCORRECT)
    sample = a_sample(f"s{number}", outcome)
    return replace(sample, verdict=replace(sample.verdict, margin=margin))


def samples(*more):
    return [*(with_margin(number, (number - 9.5) / 10) for number in range(20)), *more]


def test_margins_are_drawn_by_outcome_around_zero():
    chart = margin_chart(a_suite(*samples()))
    assert chart is not None
    assert chart.zero == WIDTH / 2
    right = [bar for bar in chart.bars if bar.outcome == "correct"]
    wrong = [bar for bar in chart.bars if bar.outcome == "incorrect"]
    assert all(bar.x >= chart.zero for bar in right)
    assert all(bar.x + bar.width <= chart.zero for bar in wrong)
    assert sum(bar.height for bar in right) == pytest.approx(sum(bar.height for bar in wrong))
    assert all(bar.y >= 0 and bar.y + bar.height <= chart.base + 1e-6 for bar in chart.bars)


def test_bars_of_several_outcomes_are_stacked():
    tie = [
        with_margin(n, 0.01, outcome) for n in range(10) for outcome in (Outcome.CORRECT, Outcome.UNDECIDED)
    ]
    chart = margin_chart(a_suite(*samples(*tie)))
    assert chart is not None
    low, high = (bar for bar in chart.bars if bar.height > 30)
    assert (low.x, low.y) == (high.x, pytest.approx(high.y + high.height))


def test_an_extreme_margin_does_not_flatten_the_others():
    chart = margin_chart(
        a_suite(*samples(*(with_margin(n + 50, 0.5) for n in range(200)), with_margin(99, 1e6)))
    )
    assert chart is not None
    assert chart.limit < 2
    assert max(bar.x for bar in chart.bars) < WIDTH


def test_the_noise_floor_is_marked_with_what_it_withholds(page_of):
    withheld = [with_margin(30 + n, 0.01, Outcome.UNDECIDED) for n in range(3)]
    silent = [with_margin(40, None, Outcome.DEGENERATE)]
    suite = a_suite(*samples(*withheld, *silent), noise=(NoiseFloor(0.2, "placebos", 60),))
    chart = margin_chart(suite)
    assert chart is not None
    [(low, high)] = chart.floors
    assert chart.zero - low == pytest.approx(high - chart.zero)
    assert (chart.n, chart.within, chart.without) == (23, 3, 1)
    page = page_of(a_run(suite))
    assert page.one("svg", "margins").one("rect", "floor")
    assert "decide nothing: 3 of 23 samples. 1 sample has no margin." in page.text


def test_equal_margins_and_zero_margins_can_be_drawn():
    for margin in (0.0, 0.3):
        assert margin_chart(a_suite(*(with_margin(n, margin) for n in range(12)))) is not None


def test_a_method_without_margins_has_no_histogram():
    assert margin_chart(a_suite(*(with_margin(n, None) for n in range(30)))) is None
    assert margin_chart(a_suite(*samples()[:9])) is None
