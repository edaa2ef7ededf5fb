"""How a run that withholds verdicts is shown: the noise floor, and numbers with their bounds"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import mtprobe
from mtprobe.gates import Decision
from mtprobe.methods.conditioning.noise import NoiseFloor
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import Measure
from mtprobe.records import read_run, write_run
from mtprobe.report.html.report import write_html
from mtprobe.report.markdown import run_markdown
from mtprobe.report.numbers import with_interval
from mtprobe.report.terminal import summary

from .factory import a_gate, a_run, a_sample, a_suite
from .page import parse

FLOOR = NoiseFloor(0.0213, "placebos", 60)
LINE = "noise floor 0.0213 nats per token (placebo words on 60 samples): 2 of 10 samples are within it, and undecided"


def run():
    """Six right, two wrong, two undecided."""
    outcomes = [Outcome.CORRECT] * 6 + [Outcome.INCORRECT] * 2
    samples = [a_sample(f"s{number}", outcome, 0.6) for number, outcome in enumerate(outcomes)]
    close = a_sample("close", Outcome.UNDECIDED, 0.5)
    close = replace(close, verdict=replace(close.verdict, margin=0.01))
    gate = a_gate(Decision.UNDECIDED, value=0.75)
    gate = replace(gate, measure=replace(gate.measure, bounds=(0.6, 0.8)))
    return a_run(
        a_suite(
            *samples, close, replace(close, id="closer"), categories=("male",), gates=(gate,), noise=(FLOOR,)
        )
    )


def test_in_the_terminal():
    text = summary(run(), SimpleNamespace(hasmarkup=False, verbosity=0))
    assert LINE in text
    assert "bounds" in text
    row = next(line for line in text.splitlines() if line.split()[:1] == ["male"])
    assert row.split()[1] == "0.75"
    assert "0.60–0.80" in row
    assert "0.75  0.65–0.85 (0.60–0.80 with the undecided)" in text


def test_in_markdown():
    text = run_markdown(run())
    assert LINE in text
    assert text.count("0.60–0.80 with the undecided") == 3  # the gate, the category, all samples


def test_on_the_page(tmp_path):
    write_html(run(), tmp_path / "report.html")
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert LINE in page.text
    shown = [one.text for one in page.all("small", "bounds")]
    assert len(shown) >= 3
    assert set(shown) == {"0.60–0.80 with the undecided"}
    assert "depends on the undecided samples" in page.text


def test_in_the_record(tmp_path):
    write_run(tmp_path / "run.jsonl", run())
    suite = read_run(tmp_path / "run.jsonl").suites[0]
    assert suite.noise == (FLOOR,)
    assert suite.gates[0].measure.bounds == (0.6, 0.8)
    assert [row["margin"] for row in mtprobe.read_run(tmp_path / "run.jsonl").to_rows()][-1] == 0.01


def test_without_withheld_verdicts_nothing_is_added():
    text = summary(a_run(), SimpleNamespace(hasmarkup=False, verbosity=0))
    assert "bounds" not in text
    assert "noise" not in text


def test_in_a_sentence():
    assert with_interval(Measure(0.75, 0.5, 0.9, 8, bounds=(0.6, 0.8))) == (
        "0.75 (95% interval 0.50–0.90, 0.60–0.80 with the undecided, n = 8)"
    )
