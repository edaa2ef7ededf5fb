"""Breakdowns, preferences, and what could not be judged, read as a reader would."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.methods.verdict import TRANSLATION, Evidence, Outcome
from mtprobe.report.audit import judged_by_itself
from mtprobe.report.breakdown import by_attribute, preferences

from .factory import a_gate, a_run, a_sample, a_suite
from .page import Element


def cells(table: Element) -> list[list[str]]:
    return [
        [cell.text for cell in row.children if isinstance(cell, Element)]
        for body in table.all("tbody")
        for row in body.all("tr")
    ]


def ranked_samples():
    """Rank 1 is always right, rank 2 half the time, rank 10 never; ids have an attribute each."""
    right = {1: 4, 2: 2, 10: 0}
    return [
        a_sample(
            f"r{rank}-{number}",
            Outcome.CORRECT if number < right[rank] else Outcome.INCORRECT,
            0.5,
            attributes={"sense_rank": rank, "word": f"w{rank}-{number}", "constant": "x"},
        )
        for rank in (10, 1, 2)
        for number in range(4)
    ] + [
        a_sample(f"more-{number}", Outcome.CORRECT, attributes={"word": f"m{number}"}) for number in range(2)
    ]


def test_an_attribute_with_few_values_is_broken_down_in_the_order_of_its_values():
    [table] = by_attribute(a_suite(*ranked_samples()))
    assert (table.attribute, table.lowest) == ("sense_rank", None)  # four samples may be chance
    assert [(value, one.value, one.n) for value, one in table.rows] == [
        ("1", 1.0, 4),
        ("2", 0.5, 4),
        ("10", 0.0, 4),
    ]


def test_the_value_that_is_clearly_the_lowest_is_marked(page_of):
    many = [
        replace(sample, id=f"{sample.id}-{n}", cluster=f"{sample.id}-{n}")
        for n in range(9)
        for sample in ranked_samples()
    ]
    assert [table.lowest for table in by_attribute(a_suite(*many))] == ["10"]
    table = page_of(a_run(a_suite(*many))).one("table", "breakdown")
    assert [row[1] for row in cells(table)] == ["1", "2", "10 lowest"]


def test_a_breakdown_is_drawn_and_leads_to_its_samples(page_of):
    table = page_of(a_run(a_suite(*ranked_samples()))).one("table", "breakdown")
    assert [[*row[:3], *row[5:]] for row in cells(table)] == [
        ["sense_rank", "1", "1.00", "4"],
        ["", "2", "0.50", "4"],
        ["", "10", "0.00", "4"],
    ]
    assert len(table.all("svg", "bar")) == 3
    link = table.all("a")[0].attributes["href"]
    assert link.endswith("&attribute=%5B%22sense_rank%22%2C%221%22%5D")


def a_pair(number: int, masculine: float, feminine: float):
    return a_sample(
        f"pair-{number}",
        evidence=[
            Evidence("correct", "Er", masculine, attributes={"gender": "masculine"}),
            Evidence("incorrect", "Sie", feminine, attributes={"gender": "feminine"}),
            Evidence(TRANSLATION, "Es", -0.01, attributes={"gender": "neuter"}),
        ],
    )


def test_the_kind_of_target_that_a_model_prefers_is_counted():
    pairs = [a_pair(0, -0.1, -1), a_pair(1, -0.1, -1), a_pair(2, -1, -0.1), a_pair(3, -1, -1)]
    suite = a_suite(*pairs, variants={"gender": ("masculine", "feminine", "neuter")}, method="minimal-pairs")
    [table] = preferences(suite)
    found = [(value, round(one.value or 0, 3), one.n) for value, one in table.rows]
    assert found == [("masculine", 0.667, 3), ("feminine", 0.333, 3)]


def test_errors_and_degenerate_outputs_have_their_own_place(page_of):
    samples = [
        a_sample("e1", Outcome.DEGENERATE, reason="empty"),
        a_sample("e2", Outcome.DEGENERATE, reason="wrong language: de, not pt"),
        a_sample("e3", Outcome.DEGENERATE, reason="wrong language: fr, not pt"),
        a_sample("e4", Outcome.DEGENERATE, reason="endless repetition of “o o”"),
        a_sample("good", Outcome.CORRECT, 0.9, category="female"),
    ]
    keys = ("accuracy[male]", "accuracy[female]", "gap", "accuracy[stereotype=pro]", "audit_accuracy")
    gates = tuple(a_gate(key=key) for key in keys)
    broken = a_suite(a_sample("x", Outcome.ERROR, reason="timed out"), suite="broken", gates=gates)
    page = page_of(a_run(a_suite(*samples, gates=gates), broken))
    errors, degenerate = cells(page.one("table", "trouble"))
    assert errors[1:] == [
        "error",
        "1of 1",
        "1 × timed out",
        "accuracy[male], accuracy[female], gap, accuracy[stereotype=pro]",
    ]
    assert degenerate[1:] == [
        "degenerate",
        "4of 5",
        "2 × wrong language1 × empty1 × endless repetition",
        "accuracy[male], gap",
    ]


def test_a_run_without_trouble_does_not_speak_of_it(page_of):
    page = page_of(a_run())
    assert page.all("table", "trouble") == []
    assert "#trouble" not in [link.attributes["href"] for link in page.all("a")]


@pytest.mark.parametrize(
    "method, itself", [("contrastive-conditioning", True), ("minimal-pairs", False), ("lexicon", False)]
)
def test_only_a_method_that_asks_an_evaluator_is_judged_by_itself(page_of, method, itself):
    suite = a_suite(method=method, judges_itself=True, evaluator=None)
    assert judged_by_itself(suite) is itself
    assert bool(page_of(a_run(suite)).all("p", "itself")) is itself
