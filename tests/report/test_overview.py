"""The overview: what is coloured by which bound, and where its cells lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.gates.judge import Decision
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import Measure
from mtprobe.records import Run
from mtprobe.report.categories import category_rows, choice_rows
from mtprobe.report.charts.overview import Strip, overview, strip_of

from .factory import MODEL, a_gate, a_run, a_sample, a_suite
from .test_html import an_open_suite


def samples(male: int = 20, female: int = 10):
    """20 of each category, so many of them right."""
    return [
        a_sample(f"{category}-{n}", Outcome.CORRECT if n < right else Outcome.INCORRECT, category=category)
        for category, right in (("male", male), ("female", female))
        for n in range(20)
    ]


def strip(suite) -> Strip:
    return strip_of(suite, "suite-1", category_rows(suite), choice_rows(suite))


def seen(tiles) -> list[tuple[str, str, int]]:
    return [(tile.label, tile.status, tile.shade) for tile in tiles]


def test_a_category_is_coloured_by_its_own_gate_and_the_others_are_neutral():
    gates = (
        a_gate(Decision.FAILED, "accuracy[female]", ">= 0.60", 0.50),
        a_gate(Decision.PASSED, "accuracy", ">= 0.70", 0.75),
    )
    shown = strip(a_suite(*samples(), gates=gates))
    assert [(tile.label, tile.status) for tile in shown.tiles] == [
        ("male", "ungated"),
        ("female", "failed"),
        ("all", "passed"),
    ]
    assert [tile.distance and round(tile.distance, 2) for tile in shown.tiles] == [None, -0.1, 0.05]


def test_the_colour_depends_on_the_bound_and_not_on_the_value():
    low = a_gate(Decision.PASSED, "gap", "<= 0.20", 0.02)
    high = a_gate(Decision.FAILED, "accuracy[male]", ">= 0.99", 0.98)
    shown = strip(a_suite(*samples(), gates=(low, high)))
    assert seen(shown.tiles)[0] == ("male", "failed", 1)
    assert (shown.others, shown.passed) == ((), 1)


@pytest.mark.parametrize("value, shade", [(0.58, 1), (0.5, 2), (0.1, 3), (0.62, 1), (0.99, 3)])
def test_the_shade_is_the_distance_from_the_bound(value, shade):
    decision = Decision.PASSED if value >= 0.6 else Decision.FAILED
    gate = a_gate(decision, "accuracy[male]", ">= 0.60", value)
    assert strip(a_suite(*samples(), gates=(gate,))).tiles[0].shade == shade


def test_without_gates_of_their_own_categories_have_to_reach_the_minimum():
    gate = a_gate(Decision.FAILED, "minimum_accuracy", ">= 0.60", 0.5)
    shown = strip(a_suite(*samples(), gates=(gate,)))
    assert seen(shown.tiles) == [("male", "passed", 3), ("female", "failed", 2), ("all", "ungated", 2)]
    assert [tile.label for tile in shown.others] == ["minimum_accuracy"]


def test_what_keeps_a_minimum_from_being_decided_concerns_every_category():
    gate = a_gate(Decision.UNDECIDED, "minimum_accuracy", ">= 0.60", 0.5, reason="verdicts are unfit")
    assert [tile.status for tile in strip(a_suite(*samples(), gates=(gate,))).tiles[:2]] == ["undecided"] * 2


def test_an_expected_failure_of_a_minimum_is_expected_where_it_fails():
    gate = a_gate(Decision.FAILED, "minimum_accuracy", ">= 0.60", 0.5, xfail="known")
    statuses = [tile.status for tile in strip(a_suite(*samples(), gates=(gate,))).tiles]
    assert statuses == ["passed", "xfail", "ungated"]


def test_other_gates_are_named_unless_they_passed():
    gates = (
        a_gate(Decision.FAILED, "gap", "<= 0.20", 0.5),
        a_gate(Decision.UNDECIDED, "gap[stereotype]", "<= 0.10 @95%", 0.13),
        a_gate(Decision.ERROR, "regression", "<= 0.02", None),
        a_gate(Decision.PASSED, "degenerate", "<= 0.02", 0.0),
    )
    shown = strip(a_suite(*samples(), gates=gates))
    assert [(tile.label, tile.status) for tile in shown.others] == [
        ("gap", "failed"),
        ("gap[stereotype]", "undecided"),
        ("regression", "error"),
    ]
    assert shown.passed == 1


def test_gates_that_do_not_count_colour_nothing(page_of):
    gates = (
        a_gate(Decision.FAILED, "accuracy[female]", ">= 0.60", 0.5, excluded="unselected"),
        a_gate(Decision.FAILED, "minimum_accuracy", ">= 0.60", 0.5, excluded="skipped"),
        a_gate(Decision.PASSED, "gap", "<= 0.60", 0.5),
    )
    suite = a_suite(*samples(), gates=gates)
    shown = strip(suite)
    assert [tile.status for tile in shown.tiles] == ["ungated"] * 3
    assert (shown.others, shown.passed, shown.excluded) == ((), 1, 2)
    page = page_of(a_run(suite))
    assert (
        page.one("p", "headline").text
        == "The only selected gate passed; 1 of 3 gates was not selected; 1 undecided gate was skipped"
    )
    assert "2 not counted" in page.one("table", "overview").text
    folds = [one.text for one in page.all("summary") if one.text.startswith("1 gate ")]
    assert folds == ["1 gate passed", "1 gate skipped", "1 gate not selected"]
    assert page.one("li", "suite").attributes["class"] == "suite passed"


def test_a_number_that_is_no_share_has_no_distance():
    gate = a_gate(Decision.FAILED, "discrepancy", "<= 1.00", measure=Measure(7.0, 6.0, 8.0, 40))
    [tile] = strip(a_suite(*samples(), gates=(gate,))).others
    assert (tile.distance, tile.shade) == (None, 2)


def test_choices_have_tiles_where_no_answer_is_right():
    gate = a_gate(Decision.FAILED, "chosen[female]", "<= 0.60", 0.75)
    shown = strip(replace(an_open_suite(), gates=(gate,)))
    assert [(tile.label, tile.status) for tile in shown.tiles] == [
        ("→ male", "ungated"),
        ("→ female", "failed"),
    ]


def test_models_and_targets_are_columns_and_suites_are_rows():
    other = replace(MODEL, name="other")
    runs = [
        a_suite(),
        a_suite(target="de"),
        a_suite(model=other),
        a_suite(suite="senses", path="senses.mt.yaml", model=other),
        a_suite(method="lexicon"),
    ]
    table = overview([strip(run) for run in runs])
    assert [(column.model, column.target) for column in table.columns] == [
        ("demo", "pt"),
        ("demo", "de"),
        ("other", "pt"),
    ]
    assert table.several_targets
    assert [row.suite for row in table.rows] == ["occupations", "senses"]
    assert [len(cell) for row in table.rows for cell in row.cells] == [2, 1, 1, 0, 0, 1]


def test_cells_lead_to_the_sections_of_their_runs(page_of):
    gates = (
        a_gate(Decision.FAILED, "accuracy[female]", ">= 0.60", 0.5),
        a_gate(Decision.FAILED, "gap", "<= 0.2", 0.5),
    )
    one = a_suite(*samples(), gates=gates)
    page = page_of(a_run(one, replace(one, model=replace(MODEL, name="other"))))
    table = page.one("table", "overview")
    assert [cell.text for cell in table.one("thead").all("th")] == ["Suite", "demo", "other"]
    tiles = table.all("a", "tile")
    assert [tile.text for tile in tiles[:3]] == ["male1.00", "femalefailed0.50−0.10", "all0.75"]
    assert {tile.attributes["href"] for tile in tiles} == {"#suite-1", "#suite-2"}
    assert [chip.text for chip in table.all("a", "chip")] == ["failedgap 0.50"] * 2
    assert tiles[1].attributes["title"] == "female: 0.50, interval 0.40–0.60, bound >= 0.60: failed"


def test_a_run_without_suites_has_an_empty_overview(page_of):
    assert "No suite was run." in page_of(Run(a_run().facts, ())).text
