from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from mtprobe.cli import main
from mtprobe.methods.verdict import Outcome
from mtprobe.records import ModelFacts, Recorder, write_run
from tests.report.factory import MODEL, a_run, a_sample, a_suite


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
    assert (here / "summary.md").read_text(encoding="utf-8").startswith("## mtprobe: the only gate passed")


def seeds(here, shares):
    """A record per seed, in which so many of four samples are right."""
    for number, right in enumerate(shares, start=1):
        outcomes = [Outcome.CORRECT if place < right else Outcome.INCORRECT for place in range(4)]
        samples = [a_sample(f"s{place}", outcome, 0.5) for place, outcome in enumerate(outcomes)]
        model = replace(MODEL, name=f"seed{number}", fingerprint=f"hf:{number}")
        suite = a_suite(*samples, model=model, evaluator=ModelFacts("judge", "hf:0"), judges_itself=False)
        write_run(here / f"seed{number}.jsonl", a_run(suite))
    return [f"seed{number}.jsonl" for number, _ in enumerate(shares, start=1)]


def test_seeds_have_a_mean_and_a_standard_deviation(here, capsys):
    records = seeds(here, [2, 3, 4])
    assert main(["report", *records, "--mean", "--metric", "accuracy"]) == 0
    out = capsys.readouterr().out
    assert "0.750 ± 0.250  0.500  0.750  1.000" in out  # with n - 1


def test_the_table_of_means_goes_into_a_paper(here):
    records = seeds(here, [2, 4])
    assert main(["report", *records, "--mean", "--markdown", "means.md"]) == 0
    text = (here / "means.md").read_text(encoding="utf-8")
    assert "| `accuracy` | 0.750 ± 0.354 | 0.500 | 1.000 |" in text
    assert "| `accuracy[male]` | 0.750 ± 0.354 |" in text


def test_one_model_has_a_mean_over_its_languages(here, capsys):
    for target, right in (("pt", Outcome.CORRECT), ("de", Outcome.INCORRECT)):
        write_run(here / f"{target}.jsonl", a_run(a_suite(a_sample(outcome=right), target=target)))
    assert (
        main(["report", "pt.jsonl", "de.jsonl", "--mean", "--over", "languages", "--metric", "accuracy"]) == 0
    )
    assert "0.500 ± 0.707" in capsys.readouterr().out


def test_a_run_without_the_figure_is_named(here, capsys):
    seeds(here, [2])
    write_run(here / "other.jsonl", a_run(a_suite(a_sample(outcome=Outcome.UNDECIDED))))
    assert main(["report", "seed1.jsonl", "other.jsonl", "--mean", "--metric", "accuracy"]) == 0
    out = capsys.readouterr().out
    assert "accuracy is not known of demo" in out
    assert "the runs have different samples" in out


def test_csv_to_standard_output_is_nothing_but_csv(here, capsys):
    assert main(["report", "one.jsonl", "--csv", "-", "-o", "one.html"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "one.html\n"
    (row,) = csv.DictReader(printed.out.splitlines())
    assert row["model"] == "demo"
    assert not (here / "-").exists()


@pytest.mark.usefixtures("here")
def test_csv_and_means_do_not_share_standard_output(capsys):
    assert main(["report", "one.jsonl", "--csv", "-", "--mean"]) == 2
    assert "--csv - and --mean both write to standard output" in capsys.readouterr().err
