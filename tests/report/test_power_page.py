"""The page about the power of suites, in a real browser"""

from __future__ import annotations

import pytest

from mtprobe.authoring.power.outcome import (
    Catch,
    GatePower,
    MutatorFacts,
    Needed,
    Point,
    SmallestRate,
    SuitePower,
)
from mtprobe.report.html.power import write_power
from mtprobe.report.runs.power import gate_rows, summary_lines

from .factory import HOSTILE
from .tabs import barriers, owned, tab, width_of

POINTS = (
    *(Point(rate, 100, int(100 * rate), int(20 * rate)) for rate in (0.01, 0.1, 0.5, 0.8)),
    Point(1.0, 1, 1, 0),
)


def a_power(name: str = "occupations") -> SuitePower:
    caught = SmallestRate(0.42, 0.4, 0.45)
    errors = ["gender", "masculine", "feminine", "sense", "copying", "digits"]
    return SuitePower(
        suite=name,
        path="suites/occupations.mt.yaml",
        model=name,
        source="en",
        target="pt",
        method="gender-morphology",
        samples=40,
        runs=100,
        seed=0,
        scattered=False,
        gates=(
            GatePower("accuracy[female]", ">= 0.60 @95%", "x", 3, "repaired", 1.0, 20, 2),
            GatePower("gap", "<= 0.20", "x", 4, "model", 0.1, 40),
            GatePower(name, "<= 0.02", "x", 5, None, reason=name),
        ),
        mutators=(
            *(MutatorFacts(error, False, 40, 20, 20) for error in errors),
            MutatorFacts("punctuation", False, 40, 0, 0),
            MutatorFacts("spacing", True, 40, 0, 1),
        ),
        catches=(
            *(
                Catch("accuracy[female]", error, "", POINTS, caught, None, Needed(0.1, 80, 80))
                for error in errors
            ),
            Catch("gap", "gender", name, POINTS, caught, caught),
            Catch("gap", "spacing", "", (Point(0.5, 100, 1, 0),)),
        ),
        repaired=12,
        dropped=2,
    )


@pytest.fixture
def page(tmp_path):
    write_power(tmp_path / "power.html", [a_power(), a_power("words")], 0.1)
    return tmp_path / "power.html"


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
        assert shown.locator("figure.multiple").count() == 4


def test_a_chart_says_what_it_shows_and_how_many_errors_it_does_not_draw(chromium, page):
    with tab(chromium, page) as shown:
        label = shown.locator("figure.multiple > svg").first.get_attribute("aria-label")
        assert label.startswith(
            "accuracy[female], the share of runs that it does not pass, over the rate of errors"
        )
        assert "gender caught at 0.42 (0.40–0.45)" in label
        assert "and 1 more in the table" in shown.locator("figure.multiple").first.text_content()


def test_names_from_outside_are_inert(chromium, tmp_path):
    write_power(tmp_path / "power.html", [a_power(HOSTILE)], 0.1)
    with tab(chromium, tmp_path / "power.html") as shown:
        assert not owned(shown)


def test_the_table_has_a_row_for_each_error_and_the_lines_say_the_rest():
    rows = list(gate_rows(a_power()))
    assert rows[0] == ["accuracy[female]", ">= 0.60 @95%", "1.00 repaired, n = 20", "gender", "0.42 (0.40–0.45)", "never", "80"]  # fmt: skip
    assert rows[1][:4] == ["", "", "", "masculine"]
    assert rows[6][3:] == ["gender in occupations", "0.42 (0.40–0.45)", "", ""]
    lines = list(summary_lines(a_power()))
    assert "no gate catches: punctuation (40 translations, 0 verdicts worse)" in lines
    assert "false alarms: gap (spacing: in up to 1% of the runs)" in lines
    assert "not simulated: occupations: occupations" in lines
