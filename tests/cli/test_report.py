from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from mtprobe.cli import main
from mtprobe.records import Recorder, write_run
from tests.report.factory import MODEL, a_run, a_suite


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "one.jsonl", a_run())
    return tmp_path


def test_a_report_is_drawn_from_a_record_alone(here, capsys):
    assert main(["report", "one.jsonl", "-o", "out/report.html"]) == 0
    page = (here / "out/report.html").read_text(encoding="utf-8")
    assert "Does the translation keep the gender?" in page
    assert "accuracy[male]" in page
    assert capsys.readouterr().out == "out/report.html\n"


def test_samples_as_csv(here):
    assert main(["report", "one.jsonl", "--csv", "samples.csv"]) == 0
    with (here / "samples.csv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["id"], row["outcome"], row["attribute.stereotype"]) == ("nurse-his", "incorrect", "anti")


def test_several_records_make_one_report(here):
    other = a_suite(model=replace(MODEL, name="opus", fingerprint="hf:1"))
    write_run(here / "two.jsonl", a_run(other))
    assert main(["report", "one.jsonl", "two.jsonl", "-o", "both.html", "--csv", "both.csv"]) == 0
    with (here / "both.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["model"] for row in csv.DictReader(stream)] == ["demo", "opus"]
    page = (here / "both.html").read_text(encoding="utf-8")
    assert "demo" in page
    assert "opus" in page


def test_one_model_in_two_records_gets_the_names_of_the_records(here):
    write_run(here / "two.jsonl", a_run())
    assert main(["report", "one.jsonl", "two.jsonl", "--csv", "both.csv"]) == 0
    with (here / "both.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["model"] for row in csv.DictReader(stream)] == ["demo (one.jsonl)", "demo (two.jsonl)"]


def test_what_a_killed_run_left_is_reported_and_said_to_be_a_part(here, capsys):
    run = a_run()
    Recorder(here / "last.jsonl", run.facts).add(run.suites[0])
    assert main(["report", "last.jsonl.unfinished", "-o", "report.html"]) == 0
    assert "stopped before its end" in capsys.readouterr().err


def test_nothing_asked_for_is_an_error(here, capsys):
    assert main(["report", str(here / "one.jsonl")]) == 2
    assert "nothing to write" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_reported(here, capsys):
    (here / "taken").write_text("")
    assert main(["report", "one.jsonl", "-o", "taken/report.html"]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_markdown(here):
    assert main(["report", "one.jsonl", "--markdown", "summary.md"]) == 0
    assert (here / "summary.md").read_text(encoding="utf-8").startswith("## mtprobe: all 1 gates passed")
