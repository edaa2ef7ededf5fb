"""mtprobe power SUITES… --model SPEC"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from mtprobe.cli import main

SUITE = """\
mtprobe: 1
name: jobs
about: Is a person's gender kept?
languages: {source: en, targets: any}
method: gender-morphology
categories: [male, female]
gates:
  accuracy[male]: ">= 0.60"
  accuracy[female]: ">= 0.60"
  gap: "<= 0.20"
  degenerate: "<= 0.10"
generate:
  - id: keys
    source: The <{job}> lost {whose} keys.
    slots:
      job: [doctor, nurse, cook, judge, baker, teacher, lawyer, engineer, student, singer]
      whose: {her: {category: female}, his: {category: male}}
"""


@pytest.fixture
def power(folder: Path, capsys):
    (folder / "jobs.mt.yaml").write_text(SUITE, encoding="utf-8")

    def run(*words: str, code: int = 0) -> str:
        given = ["power", "jobs.mt.yaml", "--model", "demo", "--runs", "40", *words]
        assert main(given) == code
        printed = capsys.readouterr()
        return printed.err if code else printed.out

    return run


def rate_of(text: str, gate: str, error: str) -> float:
    """At which the gate catches the error."""
    lines = text[text.index(f" {gate} ") :].splitlines()
    line = next(line for line in lines if f" {error} " in line)
    return float(re.search(rf" {error} +([\d.]+) \(", line)[1])


def row_of(text: str, gate: str) -> str:
    return next(line for line in text.splitlines() if f" {gate} " in line)


@pytest.mark.slow
def test_every_gate_with_the_errors_that_it_catches(power):
    out = power("--no-store", "--mutators", "gender,masculine,punctuation,copying,spacing")
    assert out.startswith("jobs · demo · en→pt · gender-morphology")
    assert "1.00 repaired, n = 10" in row_of(out, "accuracy[female]")
    assert 0.4 < rate_of(out, "accuracy[female]", "masculine") < 0.8  # more than four of ten have to be wrong
    assert rate_of(out, "degenerate", "copying") < 0.3
    assert "no gate catches: punctuation (20 translations, 0 verdicts worse)" in out
    assert "false alarms: none, in any run at any rate" in out


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers(power):
    first = power("--store", "kept.db", "--mutators", "gender,spacing", "--json")
    assert power("--store", "kept.db", "--mutators", "gender,spacing", "--json") == first
    [suite] = json.loads(first)
    assert suite["samples"] == 20
    assert {catch["mutator"] for catch in suite["catches"]} == {"gender", "spacing"}
    other = power("--store", "kept.db", "--mutators", "gender,spacing", "--json", "--seed", "1")
    assert other != first


def test_a_table_and_a_page(power):
    out = power(
        "--no-store",
        "--mutators",
        "masculine,spacing",
        "--csv",
        "power.csv",
        "-o",
        "power.html",
        "--rate",
        "0.5",
    )
    assert "page: power.html" in out
    with Path("power.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    female = next(row for row in rows if row["gate"] == "accuracy[female]" and row["mutator"] == "masculine")
    assert female["start"] == "repaired"
    assert 0 < float(female["caught_at_low"]) <= float(female["caught_at"]) <= float(female["caught_at_high"])
    assert float(female["needed_rate"]) == 0.5
    page = Path("power.html").read_text("utf-8")
    assert "accuracy[female], the share of runs that it does not pass" in page
    assert page.count('<svg viewBox="0 0 320') >= 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mutators", "gendre"], '--mutators: there is no "gendre"; did you mean "gender"?'),
        (["--runs", "0"], "--runs: must be at least 1"),
        (["--rate", "2"], "--rate: 2 is not between 0 and 1"),
    ],
)
def test_bad_input_says_what_would_be_right(power, words, message):
    assert message in power(*words, code=2)


def test_a_suite_for_other_languages_is_skipped_with_the_reason(power):
    text = Path("jobs.mt.yaml").read_text("utf-8").replace("targets: any", "targets: [de]")
    Path("jobs.mt.yaml").write_text(text, encoding="utf-8")
    message = power("--no-store", code=2)
    assert "jobs.mt.yaml: skipped: the suite is for en→de, but demo translates en→pt" in message
    assert "no gate of these suites can be simulated" in message


def test_lint_warns_of_gates_that_can_catch_nothing(folder, capsys):
    (folder / "jobs.mt.yaml").write_text(SUITE.replace('gap: "<= 0.20"', 'gap: "<= 1.0"'), encoding="utf-8")
    assert main(["lint", "jobs.mt.yaml"]) == 0
    assert "0 warnings" in capsys.readouterr().out
    assert main(["lint", "--power", "--strict", "jobs.mt.yaml"]) == 1
    assert "jobs.mt.yaml:10:3: warning: gates.gap: it can catch nothing" in capsys.readouterr().out
