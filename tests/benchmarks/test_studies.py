"""The studies: their records open, and the tables in docs/studies are those of the records."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies import DOCS, PLACE, RECORDS, STUDENTS_TABLE, filled, students_table
from benchmarks.study_figures import added, trigger
from mtprobe.cli import main
from mtprobe.records import read_run

ALL = sorted(RECORDS.glob("*.jsonl.gz"))
PAGES = sorted(path for path in DOCS.glob("*.md") if PLACE.search(path.read_text(encoding="utf-8")))
OURS = {
    "everyday-words",
    "gendered-occupations",
    "gendered-occupations-two-people",
    "winograd-fr",
    "winograd-pt",
    "winograd-schemas",
}


def test_there_are_records_and_tables():
    assert ALL
    assert PAGES


@pytest.mark.slow
@pytest.mark.parametrize("record", ALL, ids=lambda path: path.name.partition(".")[0])
def test_a_record_opens_as_a_report(record, tmp_path):
    page = tmp_path / "report.html"
    assert main(["report", str(record), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    run = read_run(record)
    for suite in run.suites:
        assert suite.suite in text
        assert suite.model.name in text


@pytest.mark.parametrize("record", ALL, ids=lambda path: path.name.partition(".")[0])
def test_a_record_has_our_own_sentences_only_and_no_path_of_a_machine(record):
    run = read_run(record)
    assert {suite.suite for suite in run.suites} <= OURS
    paths = {
        path for suite in run.suites for path in (suite.path, *(result.path for result in suite.results))
    }
    assert not [path for path in paths if Path(path).name != path]


def test_records_are_small():
    assert sum(path.stat().st_size for path in RECORDS.iterdir()) < 3_000_000


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_tables_agree_with_the_records(page):
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, "run `python -m benchmarks.studies --write`"


def test_the_table_of_students_agrees_with_the_records():
    assert STUDENTS_TABLE.read_text(encoding="utf-8") == students_table()


def test_new_figures_are_added_to_those_that_are_there():
    before = {"text": {"old": 1, "both": 2}, "winomt": 3}
    assert added(before, {"text": {"both": 4, "new": {}}}) == {
        "text": {"old": 1, "both": 4, "new": {}},
        "winomt": 3,
    }


def test_a_schema_names_its_template_and_its_trigger():
    assert trigger("too-wide-lamp-bench-1") == ("too-wide", "1")
