"""Languages × suites, where a run has several targets"""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from mtprobe.gates.judge import Decision
from mtprobe.methods.verdict import Outcome, Verdict
from mtprobe.report.charts.languages import language_tables, terminal_tables
from mtprobe.report.markdown import run_markdown
from tests.report.factory import MODEL, a_gate, a_run, a_sample, a_suite


def a_pair(*outcomes: Outcome):
    return tuple(
        a_sample(f"{category}{number}", outcome, 0.9, category=category)
        for category in ("male", "female")
        for number, outcome in enumerate(outcomes)
    )


@pytest.fixture
def run():
    good, bad = a_pair(Outcome.CORRECT), a_pair(Outcome.CORRECT, Outcome.INCORRECT)
    failed = (a_gate(), a_gate(Decision.UNDECIDED), a_gate(Decision.FAILED))
    return a_run(
        a_suite(*good, target="de"),
        a_suite(*bad, target="fr", gates=failed),
        a_suite(*good, suite="names", path="suites/names.mt.yaml", target="fr", gates=()),
    )


def test_one_target_needs_no_table():
    assert language_tables(a_run(a_suite(), a_suite(suite="names"))) == []
    assert "by target language" not in run_markdown(a_run())


def test_several_models_with_one_target_each_need_none():
    assert language_tables(a_run(a_suite(), a_suite(model=replace(MODEL, name="b"), target="de"))) == []


def test_rows_are_suites_and_columns_are_languages(run):
    (table,) = language_tables(run)
    assert (table.model, table.columns) == ("demo", ["de", "fr"])
    occupations, names = table.rows
    assert (occupations.suite, names.suite) == ("occupations", "names")
    assert [cell.measure.value for cell in occupations.cells] == [1.0, 0.5]
    assert [cell.status for cell in occupations.cells] == ["passed", "failed"]
    assert occupations.cells[1].category in ("male", "female")
    assert names.cells[0] is None
    assert names.cells[1].status == ""


def test_every_model_has_a_table(run):
    others = [replace(suite, model=replace(MODEL, name="b")) for suite in run.suites]
    assert [table.model for table in language_tables(a_run(*run.suites, *others))] == ["demo", "b"]


def test_columns_name_the_source_if_there_are_several():
    run = a_run(a_suite(target="de"), a_suite(source="es", target="fr"))
    assert language_tables(run)[0].columns == ["en→de", "es→fr"]


def in_terminal(run, width):
    text = StringIO()
    for table in terminal_tables(run, width):
        Console(file=text, width=width).print(table)
    return [" ".join(line.split()) for line in text.getvalue().splitlines() if line[1:2].isalpha()]


def test_the_terminal_shows_what_did_not_pass(run):
    assert in_terminal(run, 50)[-2:] == ["occupations 1.00 0.50 failed", "names – 1.00"]


def test_a_wide_terminal_has_intervals_and_n(run):
    assert in_terminal(run, 100)[-2:] == [
        "occupations 1.00 0.00–1.00 n 1 0.50 0.01–0.99 n 2 failed",
        "names – 1.00 0.00–1.00 n 1",
    ]


def test_a_method_is_named_where_a_suite_has_several(run):
    other = replace(run.suites[1], method="lexicon")
    lines = in_terminal(a_run(*run.suites, other), 100)
    assert [line.partition(" 1.00")[0] for line in lines[-3:]] == [
        "occupations · contrastive-conditioning",
        "names –",
        "occupations · lexicon – 0.50 0.01–0.99 n 2 failed",
    ]


def test_where_no_answer_is_right_the_most_frequent_choice_is_shown():
    chosen = [a_sample(f"s{number}", category="neutral", choices=("male", "female")) for number in range(4)]
    verdicts = [Verdict(Outcome.OPEN, choice="male" if number else "female") for number in range(4)]
    samples = [replace(one, verdict=verdict) for one, verdict in zip(chosen, verdicts, strict=True)]
    categories = ("male", "female", "neutral")
    opened = [a_suite(*samples, target=target, categories=categories, gates=()) for target in ("de", "fr")]
    assert in_terminal(a_run(*opened), 60)[-1] == "occupations → male 0.75 → male 0.75"
    assert "| 0.75 (0.19–0.99, 4)<br>`→ male` |" in run_markdown(a_run(*opened))


def test_markdown_has_a_row_per_suite(run):
    text = run_markdown(run)
    assert "### `demo`: lowest accuracy by target language" in text
    assert "| suite | `de` | `fr` |" in text
    (row,) = (
        line for line in text.splitlines() if line.startswith("| `names` `contrastive-conditioning` | ")
    )
    assert row.startswith("| `names` `contrastive-conditioning` | – | 1.00 (")


def test_the_overview_of_the_page_has_a_column_per_language(run, page_of):
    page = page_of(run)
    table = page.one("table", "overview")
    assert [cell.text for cell in table.one("thead").all("th")] == ["Suite", "demo → de", "demo → fr"]
    assert [head.text for head in page.all("h3")] == [
        "demo en → de, contrastive-conditioning",
        "demo en → fr, contrastive-conditioning",
        "demo en → fr, contrastive-conditioning",
    ]


def test_links_to_samples_name_the_languages(run, page_of):
    many = replace(run.suites[0], results=tuple(a_sample(f"s{number}") for number in range(20)))
    links = [link.attributes["href"] for link in page_of(a_run(many, *run.suites[1:])).all("a")]
    samples = [link for link in links if link.startswith("#samples?")]
    assert samples
    assert all("languages=en+%E2%86%92+" in link for link in samples)
