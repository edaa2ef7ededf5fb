"""What reports say of the audit in place"""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.audit.fitness import CategoryFitness
from mtprobe.audit.outcome import Finding, InPlaceAudit
from mtprobe.methods.audit_pairs.outcome import Audit, Fitness
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import Measure
from mtprobe.report.audit import audit_warning
from mtprobe.report.html.report import write_html
from mtprobe.report.in_place import alarms, audit_lines
from mtprobe.report.markdown import run_markdown

from .factory import a_run, a_sample, a_suite

TWINS = Finding("twins", "contradictions in 9 of 20 pairs", Measure(0.45, 0.2, 0.7, 20), True, ("a, <b>",))


def a_row(category="male", fitness=Fitness.UNFIT, source="gender-morphology", **changes):
    around = {"reported": 0.34, "truth": 0.44, "bias": -0.10, "agreement": 0.94}
    numbers = {name: Measure(value, value - 0.02, value + 0.02, 1108) for name, value in around.items()}
    return CategoryFitness(category, fitness, source, **{**numbers, **changes})


def audited(*rows, findings=(), missing=()):
    samples = (a_sample(), a_sample("nurse-her", Outcome.CORRECT, category="female"))
    return a_run(a_suite(*samples, in_place=InPlaceAudit(rows, tuple(findings), tuple(missing))))


def test_a_category_has_a_line():
    (suite,) = audited(a_row()).suites
    assert [line.text for line in audit_lines(suite)] == [
        "verdicts agree with the grammar in 0.94 (n = 1,108); male reported 0.34, by the grammar 0.44: unfit"
    ]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (a_row(source="labels"), "verdicts agree with the labels in 0.94 (n = 1,108); male reported 0.34"),
        (a_row(source="lexicon"), "verdicts agree with the lexicon in 0.94"),
        (a_row(source="a-plugin"), "verdicts agree with a-plugin in 0.94"),
        (a_row(fitness=Fitness.UNKNOWN), "unknown (difference -0.10, 95% interval -0.12 to -0.08)"),
        (a_row(fitness=Fitness.UNKNOWN, covered=0.3), "unknown (only 30% of the samples could be compared)"),
        (a_row("neutral", choice="male"), "neutral → male chosen 0.34, by the grammar 0.44: unfit"),
        (a_row(None), "all reported 0.34"),
        (a_row(share=0.1), "the grammar decides 90% of the verdicts, and the other verdicts agree with the grammar"),
    ],
)  # fmt: skip
def test_a_line_says_what_was_compared(row, text):
    (suite,) = audited(row).suites
    (line,) = audit_lines(suite)
    assert text in line.text


def test_unfit_verdicts_and_categories_without_an_audit_are_announced():
    found = alarms(audited(a_row()))
    assert [alarm.title for alarm in found] == ["Unfit verdicts", "Not audited"]
    assert found[1].text.startswith("female: nobody has checked these verdicts yet")


def test_a_suite_that_nothing_could_audit_is_announced_with_its_contradictions():
    found = alarms(audited(findings=[TWINS]))
    assert [(alarm.title, alarm.text[:12]) for alarm in found] == [
        ("Doubtful verdicts", "contradictio"),
        ("Not audited", "nobody has c"),
    ]


def test_contradictions_of_verdicts_that_are_known_to_be_fit_do_not_matter():
    fit = [a_row(name, Fitness.FIT) for name in ("male", "female")]
    run = audited(*fit, findings=[TWINS])
    assert alarms(run) == ()
    assert [line.fitness for line in audit_lines(run.suites[0])] == [Fitness.FIT, Fitness.FIT]


def test_a_suite_that_no_evaluator_judged_has_nothing_to_announce():
    run = a_run(a_suite(in_place=None))
    assert alarms(run) == ()
    assert list(audit_lines(run.suites[0])) == []
    assert "fitness" not in run.to_rows()[0]


def test_the_page_has_a_banner_and_a_table(tmp_path):
    write_html(
        audited(a_row(), findings=[TWINS], missing=["lexicon could not: <x>"]), tmp_path / "report.html"
    )
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.index("Unfit verdicts.") < page.index('id="gates"')
    assert "Not audited." in page
    assert '<a href="#suite-1-in-place">' in page
    assert '<td class="fitness unfit">unfit</td>' in page
    assert "−0.12 to −0.08" in page
    assert "for example a, &lt;b&gt;" in page
    assert "lexicon could not: &lt;x&gt;" in page


def test_markdown_says_it_first():
    text = run_markdown(audited(a_row()))
    assert text.index("**Unfit verdicts:** `occupations` on `demo` `en→pt`:") < text.index(
        "### `occupations`"
    )
    assert text.count("male reported 0.34, by the grammar 0.44: unfit") == 2


def test_rows_say_whether_their_verdict_can_be_believed():
    rows = audited(a_row()).to_rows()
    assert [(row["category"], row["fitness"]) for row in rows] == [
        ("male", "unfit"),
        ("female", "not audited"),
    ]


def test_audit_pairs_do_not_warn_of_verdicts_that_are_known_to_be_fit():
    unfit = Audit("cues", "pt", *[Measure(0.5, 0.4, 0.6, 80)] * 3, ())
    (suite,) = audited(a_row(fitness=Fitness.FIT), a_row("female", fitness=Fitness.FIT)).suites
    assert audit_warning(replace(suite, audit=unfit)) == ""
    (suite,) = audited(a_row(fitness=Fitness.FIT), a_row("female", fitness=Fitness.UNKNOWN)).suites
    assert "do not trust" in audit_warning(replace(suite, audit=unfit))
