"""Numbers that labels correct, beside those by verdicts alone: in the terminal, in Markdown and on the page."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from mtprobe.gates import Decision
from mtprobe.methods.verdict import Outcome
from mtprobe.report.html.report import write_html
from mtprobe.report.markdown import run_markdown
from mtprobe.report.terminal import summary
from mtprobe.statistics.measure import Measure

from .factory import a_gate, a_run, a_sample, a_suite
from .page import parse


def labelled(number, category, label):
    sample = a_sample(f"{category}{number}", Outcome.CORRECT, 0.9, category=category)
    return replace(sample, label=label, drawn=0.5 if label else None)


def a_labelled_run(**gate):
    samples = [
        labelled(number, category, ("correct", "incorrect", "")[number % 3] if category == "male" else "")
        for category in ("male", "female")
        for number in range(30)
    ]
    return a_run(a_suite(*samples, gates=(replace(a_gate(Decision.PASSED, reason=""), **gate),)))


RAW, CORRECTED = Measure(1.0, 0.88, 1.0, 30), Measure(0.5, 0.27, 0.73, 20, "20 labels")


def terminal(run):
    return summary(run, SimpleNamespace(hasmarkup=False, verbosity=0))


def test_the_terminal_has_columns_for_them():
    rows = {line.split()[0]: line for line in terminal(a_labelled_run()).splitlines() if line.strip()}
    assert "corrected" in rows["category"]
    assert "labels" in rows["category"]
    value, between, labels = rows["male"].split()[-3:]
    assert (value, labels) == ("0.50", "20")
    low, high = map(float, between.split("–"))
    assert low < 0.5 < high
    assert rows["female"].split()[-3:] == ["–", "–", "0"]


def test_without_labels_there_are_no_such_columns():
    run = a_run(a_suite(a_sample(p=0.2)))
    assert "corrected" not in terminal(run)
    assert "corrected" not in run_markdown(run)


@pytest.mark.parametrize("draw", [terminal, run_markdown])
def test_a_gate_shows_the_number_that_did_not_decide(draw):
    beside = draw(a_labelled_run(measure=RAW, corrected=CORRECTED))
    assert "corrected 0.50, 0.27–0.73, 20 labels" in beside
    instead = draw(a_labelled_run(measure=CORRECTED, corrected=CORRECTED, raw=RAW))
    assert "by verdicts alone 1.00, 0.88–1.00" in instead
    assert "20 labels" in instead


def test_the_page_has_both(tmp_path):
    write_html(a_labelled_run(measure=CORRECTED, corrected=CORRECTED, raw=RAW), tmp_path / "report.html")
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    table = page.one("table", "categories")
    assert "Corrected" in table.one("thead").text
    male = next(row for row in table.all("tr") if row.text.startswith("male"))
    assert [cell.text for cell in male.all("td")][-1].startswith("0.50")
    assert "by verdicts alone 1.00, 0.88–1.00" in page.one("table", "gates").text


def test_the_page_says_how_many_labels_would_decide(tmp_path):
    run = a_labelled_run(
        measure=CORRECTED, corrected=CORRECTED, raw=RAW, decision=Decision.UNDECIDED, n_to_decide=88
    )
    write_html(run, tmp_path / "report.html")
    assert "about 88 labels would decide it" in (tmp_path / "report.html").read_text(encoding="utf-8")
