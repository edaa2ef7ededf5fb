"""Verdicts by different procedures are not compared, neither by gates nor side by side."""

from __future__ import annotations

import pytest

from mtprobe.methods.audit_pairs.outcome import Audit
from mtprobe.metrics import Measure
from mtprobe.records.comparison import compare_runs
from mtprobe.records.counterpart import NoCounterpart, counterpart, same_judge
from mtprobe.records.verdict import why_not_green
from tests.report.factory import a_run, a_suite

PLAIN = "contrastive-conditioning 1, cues woman-man"
COMBINED = "gender-morphology, contrastive-conditioning"


def judged(procedure, method="contrastive-conditioning", **changes):
    return a_suite(procedure=procedure, method=method, **changes)


def an_audit(form, *, taken_off=False):
    return Audit(form, "pt", *[Measure.nothing()] * 3, (), taken_off)


def comparable(before, after):
    found = counterpart([before], after, only=True)
    assert isinstance(found, NoCounterpart) or found is before
    if isinstance(found, NoCounterpart):
        assert found.incomparable
        assert not found.ambiguous
        assert "`mtprobe rescore`" in found.reason
    return found is before


def test_the_same_procedure_is_comparable():
    assert comparable(judged(PLAIN), judged(PLAIN))


@pytest.mark.parametrize(
    "procedure",
    [
        "contrastive-conditioning 2, cues woman-man",
        "contrastive-conditioning 1, cues behind",
        "contrastive-conditioning 1, cues woman-man, scoring focus",
        "contrastive-conditioning 1, cues woman-man, margin auto",
    ],
)
def test_another_version_form_or_scoring_is_not(procedure):
    assert not comparable(judged(PLAIN), judged(procedure))
    assert not same_judge(judged(PLAIN), judged(procedure))
    reason = str(counterpart([judged(PLAIN)], judged(procedure), only=True))
    assert reason.startswith(f"occupations was judged by {PLAIN}, and now by {procedure}: ")


@pytest.mark.parametrize(
    ("procedure", "audit", "alike"),
    [
        ("contrastive-conditioning 1", None, True),
        (PLAIN, None, True),  # it had a form, and did not say which
        (PLAIN, {"form": "woman-man"}, True),
        (PLAIN, {"form": "behind"}, False),
        (f"{PLAIN}, calibrated", {"form": "woman-man", "taken_off": True}, True),
        (PLAIN, {"form": "woman-man", "taken_off": True}, False),
        ("contrastive-conditioning 2", None, False),
        (f"{PLAIN}, scoring focus", None, False),
        (f"{PLAIN}, margin auto", None, False),
    ],
)
def test_records_without_a_procedure_are_by_version_1_as_it_was(procedure, audit, alike):
    older = judged("", audit=an_audit(**audit) if audit else None)
    assert comparable(older, judged(procedure)) is alike
    assert comparable(judged(procedure), older) is alike


@pytest.mark.parametrize(("version", "alike"), [(1, True), (2, False)])
def test_older_records_have_the_rules_of_grammar_among_the_details(version, alike):
    older = judged("", "gender-morphology", details="rules grammar fr 1, alignment ibm1")
    newer = judged(
        f"gender-morphology 1, rules grammar fr {version}", "gender-morphology", details="alignment ibm1"
    )
    assert comparable(older, newer) is alike


def test_two_old_records_are_compared_as_before():
    assert comparable(judged(""), judged(""))


def test_a_combination_is_not_compared_with_one_of_its_methods():
    combined = judged(f"first-decided: gender-morphology 1; {PLAIN}", COMBINED)
    assert not comparable(judged(PLAIN), combined)
    assert not comparable(judged(""), combined)
    assert not comparable(judged("gender-morphology 1", "gender-morphology"), combined)
    unrelated = counterpart([judged("lexicon 1", "lexicon")], combined, only=True)
    assert unrelated == NoCounterpart(f"occupations was judged by lexicon, not by {COMBINED}")


def test_a_comparison_names_what_it_cannot_compare():
    before = a_run(judged(PLAIN), judged("lexicon 1", "lexicon", suite="words"))
    after = a_run(judged("contrastive-conditioning 2"), judged("lexicon 1", "lexicon", suite="words"))
    found = compare_runs(before, after)
    assert [suite.after.suite for suite in found.suites] == ["words"]
    (text,) = found.not_compared
    assert text.startswith("occupations (contrastive-conditioning, demo, en→pt) cannot be compared: ")
    assert "`mtprobe rescore`" in text
    assert text in why_not_green(found)


def test_where_the_procedures_are_the_question_they_are_compared_with_a_warning():
    combined = judged(f"first-decided: gender-morphology 1; {PLAIN}", COMBINED)
    (found,) = compare_runs(a_run(judged(PLAIN)), a_run(combined), any_procedure=True).suites
    assert any(text.startswith(f"judged by {PLAIN}, then by first-decided") for text in found.warnings)


def test_of_several_methods_that_were_combined_later_the_first_is_compared():
    one, other = judged("gender-morphology 1", "gender-morphology"), judged(PLAIN)
    combined = judged(f"first-decided: gender-morphology 1; {PLAIN}", COMBINED)
    assert counterpart([one, other], combined, only=True, any_procedure=True) is one
