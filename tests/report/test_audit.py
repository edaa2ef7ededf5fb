"""What reports say of the evaluator's audit"""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.methods.audit_pairs.outcome import Audit, Fitness, Offset, best_of
from mtprobe.metrics import Measure
from mtprobe.report.audit import audit_text, audit_warning, judged_by_itself, offset_text
from mtprobe.report.html.report import write_html

from .factory import a_run, a_sample, a_suite
from .page import parse


def measured(value):
    return Measure(value, max(0.0, value - 0.05), min(1.0, value + 0.05), 80)


def an_audit(accuracy=0.95, calibrated=0.95, **changes):
    offsets = (Offset("male", Measure(-0.1, -0.2, 0.0, 80)), Offset("female", Measure(0.1, 0.0, 0.2, 80)))
    audit = Audit("cues", "pt", measured(accuracy), measured(0.97), measured(calibrated), offsets)
    return replace(audit, **changes)


@pytest.mark.parametrize(
    ("accuracy", "calibrated", "fitness"),
    [
        (0.90, 0.10, Fitness.FIT),
        (0.89, 0.90, Fitness.CALIBRATED),
        (0.89, 0.89, Fitness.UNFIT),
    ],
)
def test_the_thresholds_are_those_of_the_docs(accuracy, calibrated, fitness):
    assert an_audit(accuracy, calibrated).fitness is fitness


def test_what_counts_is_the_way_in_which_samples_are_judged():
    assert not an_audit(0.7, 0.95).trusted
    assert an_audit(0.7, 0.95, taken_off=True).trusted
    assert not an_audit(0.95, 0.7, taken_off=True).trusted


def test_the_best_form_is_fit_as_it_is_before_the_surest():
    fit, leaning, unfit = an_audit(0.91), an_audit(0.5, 0.99), an_audit(0.5, 0.6)
    assert best_of((unfit, leaning, fit)) is fit
    assert best_of((unfit, leaning)) is leaning
    nothing = replace(fit, accuracy=Measure.nothing("x"), problem="x")
    assert best_of((nothing, unfit)) is unfit
    assert best_of((nothing,)) is None


def test_two_readings_that_mirror_each_other_have_one_offset():
    assert offset_text(an_audit()) == "female +0.100 ± 0.100"
    other = (Offset("male", Measure(0.3, 0.2, 0.4, 80)), an_audit().offsets[1])
    assert offset_text(an_audit(offsets=other)) == "male +0.300 ± 0.100; female +0.100 ± 0.100"


def test_an_unfit_evaluator_is_warned_of_and_an_unknown_one_named():
    assert audit_warning(a_suite(audit=an_audit())) == ""
    assert audit_warning(a_suite()) == ""
    assert "opus is unfit for en→pt" in audit_warning(a_suite(audit=an_audit(0.5, 0.5)))
    assert "`calibrate: true`" in audit_warning(a_suite(audit=an_audit(0.5, 0.95)))
    assert audit_text(a_suite()) == "not audited: the suite has no audit pairs for pt"
    assert audit_text(a_suite(method="lexicon")) == ""
    assert audit_text(a_suite(evaluator=None)) == ""


def by(method):
    sample = a_sample()
    return replace(sample, verdict=replace(sample.verdict, by=method))


@pytest.mark.parametrize(
    "decided_by, matters", [("gender-morphology", False), ("contrastive-conditioning", True)]
)
def test_an_evaluator_that_decided_no_sample_is_not_warned_of(decided_by, matters):
    suite = a_suite(
        by("gender-morphology"),
        by(decided_by),
        method="gender-morphology, contrastive-conditioning",
        judges_itself=True,
        evaluator=None,
        audit=an_audit(0.5, 0.95),
    )
    assert bool(audit_warning(suite)) is matters
    assert judged_by_itself(suite) is matters


def _page(tmp_path, suite):
    write_html(a_run(suite), tmp_path / "report.html")
    return parse((tmp_path / "report.html").read_text(encoding="utf-8"))


def test_the_page_has_the_verdict_and_its_numbers(tmp_path):
    page = _page(tmp_path, a_suite(audit=an_audit(0.93)))
    assert page.one("p", "audit").text.startswith("fit: 0.93 (95% interval 0.88–0.98, n = 80)")
    (table,) = page.all("table", "audit")
    rows = [row.text for row in table.all("tr", "plain")]
    assert ["0.93" in rows[0], "0.95" in rows[1], "0.97" in rows[2]] == [True] * 3
    assert page.all("p", "unfit") == []


def test_the_page_warns_at_its_head_and_in_the_suites_section(tmp_path):
    page = _page(tmp_path, a_suite(audit=an_audit(0.5, 0.5)))
    head, section = page.all("p", "unfit")
    assert head.text.startswith("Unfit evaluator. occupations: do not trust these verdicts")
    assert section.text.startswith("Warning: do not trust")


def test_the_page_says_that_nobody_audited(tmp_path):
    page = _page(tmp_path, a_suite())
    assert page.one("p", "audit").text.startswith("Not audited: the suite has no audit pairs for pt")


def test_a_method_without_an_evaluator_has_no_audit(tmp_path):
    assert _page(tmp_path, a_suite(method="lexicon", evaluator=None)).all("p", "audit") == []
