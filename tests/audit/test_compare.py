"""Verdicts compared with labels or a witness, by category"""

from __future__ import annotations

import random

import pytest

from mtprobe.audit.compare import compare
from mtprobe.audit.fitness import fitness_of
from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.audit.truth import Truth, from_witness
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.statistics.measure import Measure

SIGNS = {"+": Outcome.CORRECT, "-": Outcome.INCORRECT, "?": Outcome.UNDECIDED, "!": Outcome.DEGENERATE}


def results(outcomes, category="female", *, words=None):
    """One sample per sign; `words` clusters, or each sample its own."""
    return [
        Result(
            id=f"{category}-{number}",
            source="The nurse slept.",
            focus=(4, 9),
            category=category,
            attributes={},
            cluster=str(number % words if words else number),
            path="suite.mt.yaml",
            line=number,
            translation=f"A enfermeira dormiu {number}.",
            verdict=Verdict(SIGNS[sign]),
        )
        for number, sign in enumerate(outcomes)
    ]


def fitness(verdicts, truth, **rest):
    (row,) = compare(results(verdicts, **rest), ["female"], from_witness("witness", results(truth, **rest)))
    return row


def test_the_same_verdicts_on_many_samples_are_fit():
    row = fitness("+-" * 100, "+-" * 100)
    assert (row.fitness, row.agreement.value, row.bias.value) == (Fitness.FIT, 1.0, 0.0)
    assert (row.reported.value, row.truth.value, row.bias.n) == (0.5, 0.5, 200)


def test_the_same_verdicts_on_few_samples_prove_nothing():
    assert fitness("+-" * 5, "+-" * 5).fitness is Fitness.UNKNOWN


def test_verdicts_that_lean_to_one_side_are_unfit():
    row = fitness("+" * 34 + "-" * 66, "+" * 44 + "-" * 20 + "-+" * 18)
    assert row.fitness is Fitness.UNFIT
    assert row.reported.value == 0.34
    assert row.truth.value == 0.62
    assert row.bias.high < -0.05


def test_mistakes_in_both_directions_cancel_out_in_the_accuracy_but_not_in_the_agreement():
    row = fitness("+-" * 200, "-+" * 40 + "+-" * 160)
    assert row.bias.value == 0.0
    assert row.agreement.value == 0.8


def test_samples_that_the_witness_leaves_undecided_are_not_compared():
    row = fitness("+" * 50 + "-" * 50, "+" * 50 + "?" * 50)
    assert row.bias.n == 50
    assert row.covered == 0.5


def test_a_witness_of_few_samples_does_not_make_the_others_fit():
    row = fitness("+" * 1000, "+" * 400 + "?" * 600)
    assert row.bias.high < 0.05
    assert row.fitness is Fitness.UNKNOWN


def test_but_it_can_show_that_verdicts_are_wrong():
    assert fitness("+" * 1000, "-" * 400 + "?" * 600).fitness is Fitness.UNFIT


def test_degenerate_outputs_say_nothing_about_verdicts():
    assert list(compare(results("!!!!"), ["female"], from_witness("witness", results("!!!!")))) == []
    row = fitness("+!" * 100, "+!" * 100)
    assert (row.bias.n, row.covered) == (100, 1.0)


def test_nothing_in_common_is_not_measured():
    row = fitness("++++", "????")
    assert not row.measured
    assert row.fitness is Fitness.UNKNOWN


def test_verdicts_on_a_single_word_can_be_unfit():
    """It is about the words of the suite, so it does not matter how few they are."""
    verdicts, truth = "+-" * 16, "+" * 32
    assert fitness(verdicts, truth, words=1) == fitness(verdicts, truth)
    assert fitness(verdicts, truth, words=1).fitness is Fitness.UNFIT


def test_categories_are_compared_separately_and_in_the_order_of_the_suite():
    judged = [*results("+" * 100, "female"), *results("+" * 100, "male")]
    truth = from_witness("witness", [*results("-" * 100, "female"), *results("+" * 100, "male")])
    rows = list(compare(judged, ["male", "female"], truth))
    assert [(row.category, row.fitness) for row in rows] == [
        ("male", Fitness.FIT),
        ("female", Fitness.UNFIT),
    ]


def test_the_choices_of_open_samples_are_compared_by_share():
    def chose(choices):
        return [
            Result(
                **{
                    **{name: getattr(one, name) for name in Result.__slots__},
                    "choices": ("male", "female"),
                    "verdict": Verdict(Outcome.OPEN, choice=choice),
                }
            )
            for one, choice in zip(results("+" * len(choices), "neutral"), choices, strict=True)
        ]

    truth = from_witness("witness", chose(["male"] * 100))
    (row,) = compare(chose(["male"] * 50 + ["female"] * 50), ["neutral"], truth)
    assert (row.choice, row.reported.value, row.truth.value) == ("male", 0.5, 1.0)
    assert (row.fitness, row.group) == (Fitness.UNFIT, "neutral → male")


def test_labels_that_were_drawn_unequally_are_weighted():
    """Half of the samples are easy, and only one in ten of them was labelled."""
    judged = results("+" * 200)
    answers = {f"female-{n}": "correct" for n in range(10)} | {
        f"female-{n}": "incorrect" for n in range(100, 200)
    }
    weights = {id_: 10.0 if answer == "correct" else 1.0 for id_, answer in answers.items()}
    (row,) = compare(judged, ["female"], Truth("labels", answers, frozenset(answers), weights))
    assert row.truth.value == pytest.approx(0.5)
    assert row.bias.value == pytest.approx(0.5)
    assert row.bias.high - row.bias.low > 0.3  # ten labels are behind half of it


@pytest.mark.parametrize(
    ("low", "high", "fitness"),
    [
        (-0.05, 0.05, Fitness.FIT),
        (-0.051, 0.0, Fitness.UNKNOWN),
        (0.04, 0.3, Fitness.UNKNOWN),
        (0.051, 0.3, Fitness.UNFIT),
        (-0.3, -0.051, Fitness.UNFIT),
    ],
)
def test_fitness_goes_by_the_interval(low, high, fitness):
    assert fitness_of(Measure((low + high) / 2, low, high, 100)) is fitness


def test_order_does_not_matter():
    rng = random.Random(3)
    judged, truth = (results("".join(rng.choices("+-?!", k=80)), words=7) for _ in range(2))
    first = list(compare(judged, ["female"], from_witness("witness", truth)))
    rng.shuffle(judged)
    rng.shuffle(truth)
    assert list(compare(judged, ["female"], from_witness("witness", truth))) == first


def rows(*kinds):
    made = []
    for source, verdicts, truth in kinds:
        made += compare(results(verdicts), ["female"], from_witness(source, results(truth)))
    return InPlaceAudit(tuple(made))


def test_the_first_source_that_knows_decides():
    audit = rows(("labels", "+" * 5, "+" * 5), ("grammar", "+" * 100, "-" * 100))
    assert [row.source for row in audit.deciding()] == ["grammar"]
    assert [row.category for row in audit.unfit] == ["female"]
    audit = rows(("labels", "+" * 100, "+" * 100), ("grammar", "+" * 100, "-" * 100))
    assert [row.source for row in audit.deciding()] == ["labels"]
    assert audit.fit


def test_what_was_not_measured_is_not_audited():
    assert rows(("grammar", "++++", "????")).audited == {}
    assert rows(("grammar", "++++", "++++")).audited == {"female": Fitness.UNKNOWN}
