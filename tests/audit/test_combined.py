"""Combined methods: the witness gives most verdicts, and the others are audited where it decided as well"""

from __future__ import annotations

import pytest

from mtprobe.audit.combined import compare_combined
from mtprobe.audit.compare import compare
from mtprobe.audit.fitness import LABELS
from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.audit.truth import Truth
from mtprobe.audit.wording import fitness_line, unaudited_reasons
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.methods.verdict import Outcome, Result, Verdict

GRAMMAR, JUDGE = "gender-morphology", "contrastive-conditioning"
SIGNS = {"+": Outcome.CORRECT, "-": Outcome.INCORRECT, "?": Outcome.UNDECIDED}


def results(*opinions):
    """Each sample: what the grammar says and what the judge says, who may not have been asked (a blank)."""
    return [
        Result(
            id=str(number),
            source="The nurse slept.",
            focus=(4, 9),
            category="female",
            attributes={},
            cluster="nurse",
            path="suite.mt.yaml",
            line=number,
            translation="A enfermeira dormiu.",
            verdict=Verdict(
                SIGNS[grammar if grammar != "?" else judge],
                by=GRAMMAR if grammar != "?" else JUDGE,
                opinions={
                    GRAMMAR: SIGNS[grammar],
                    **({JUDGE: SIGNS[judge]} if judge != " " else {}),
                },
            ),
        )
        for number, (grammar, judge) in enumerate(opinions)
    ]


def fitness(*opinions):
    (row,) = compare_combined(results(*opinions), ["female"], [GRAMMAR])
    return row


def test_a_judge_that_is_wrong_half_the_time_does_little_harm_where_it_is_seldom_asked():
    row = fitness(*["+ "] * 160, *["+-"] * 20, *["++"] * 20, *["?-"] * 4)
    assert row.share == pytest.approx(4 / 204)
    assert row.bias.value == pytest.approx(-0.5 * 4 / 204)
    assert row.fitness is Fitness.FIT
    assert row.agreement.value == 0.5
    assert row.truth.value == pytest.approx(row.reported.value - row.bias.value)


def test_the_same_judge_makes_verdicts_unfit_where_it_decides_a_third():
    row = fitness(*["+ "] * 100, *["+-"] * 50, *["++"] * 50, *["?-"] * 100)
    assert row.fitness is Fitness.UNFIT
    assert "the grammar decides 67% of the verdicts, and the other verdicts agree" in fitness_line(row)


def test_a_witness_that_decides_everything_is_not_compared_with_itself():
    row = fitness(*["+ "] * 30, *["- "] * 10)
    assert (row.fitness, row.measured, row.reported.value) == (Fitness.UNKNOWN, False, 0.75)
    assert fitness_line(row) == "female not audited: the grammar gives every verdict itself"


def test_verdicts_of_the_witness_alone_are_neither_audited_nor_doubtful():
    given = results(*["+ "] * 30)
    audit = InPlaceAudit(tuple(compare_combined(given, ["female"], [GRAMMAR])))
    assert (audit.audited, audit.fit) == ({}, False)
    assert unaudited_reasons(audit, given) == {}


def test_labels_audit_the_verdicts_of_the_witness_too():
    given = results(*["+ "] * 200)
    answers = {result.id: "correct" for result in given}
    labels = Truth(LABELS, answers, frozenset(answers))
    audit = InPlaceAudit(
        (*compare(given, ["female"], labels), *compare_combined(given, ["female"], [GRAMMAR]))
    )
    assert audit.fit
    assert audit.by_witness_alone == ()


def test_a_judge_nobody_compared_can_only_be_as_wrong_as_often_as_it_decides():
    assert fitness(*["+ "] * 97, *["?+"] * 3).fitness is Fitness.FIT
    assert fitness(*["+ "] * 70, *["?+"] * 30).fitness is Fitness.UNKNOWN
