from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.errors import Place
from mtprobe.methods.contrastive_conditioning import ContrastiveConditioning, probability, verdict_on
from mtprobe.methods.scored import pooled
from mtprobe.methods.verdict import Evidence, Outcome
from mtprobe.suite import Choices, Contrast, Sample, Suite
from tests.methods.asking import in_turn

METHOD = ContrastiveConditioning()


def suite(ties=None):
    place = Place(Path("s.mt.yaml"), 1)
    return Suite(
        path=Path("s.mt.yaml"), name="s", about="?", source="en", targets=None, methods=(METHOD.name,),
        methods_place=place, categories=("rare",), gates=(), samples=(), attributes={}, digest="", options={"ties": ties},
    )  # fmt: skip


def sample(cues=None, sources=None):
    return Sample(
        id="s", source="We ought to have avocados as a starter.", focus=(31, 38), category="rare", attributes={},
        cluster="starter", place=Place(Path("s.mt.yaml"), 1), cues=cues, sources=sources,
    )  # fmt: skip


def judged(right, wrong, ties=None):
    """The verdict for mean log-probabilities of correct and incorrect cues."""
    cues = Contrast(tuple(f"c{i}" for i in range(len(right))), tuple(f"i{i}" for i in range(len(wrong))))
    return in_turn(METHOD, sample(cues), suite(ties), [(score,) for score in (*right, *wrong)])


@pytest.mark.parametrize(
    ("right", "wrong", "p"),
    [(.794, .745, .516), (.645, .599, .519), (.765, .814, .484), (.668, .710, .485), (.404, .393, .507), (.610, .607, .501)],
)  # fmt: skip
def test_the_arithmetic_gives_table_1_of_the_paper(right, wrong, p):
    assert probability(math.log(right), math.log(wrong)) == pytest.approx(p, abs=0.001)


def test_the_translation_is_scored_under_every_contrastive_source():
    asked = METHOD.queries(sample(Contrast(("dinner", "appetizer"), ("motor",))), "Entrada.", suite())
    assert [(query.side, query.pair.source) for query in asked] == [
        ("correct", "We ought to have avocados as a dinner starter."),
        ("correct", "We ought to have avocados as an appetizer starter."),
        ("incorrect", "We ought to have avocados as a motor starter."),
    ]
    assert {query.pair.target for query in asked} == {"Entrada."}


def test_whole_sources_stand_for_themselves():
    asked = METHOD.queries(sample(sources=Contrast(("One.",), ("Other.",))), "x", suite())
    assert [query.pair.source for query in asked] == ["One.", "Other."]


def test_the_best_cue_of_each_side_counts():
    assert judged([-2.0, -0.5], [-0.6, -3.0]).outcome is Outcome.CORRECT
    assert judged([-2.0, -0.7], [-0.6, -3.0]).outcome is Outcome.INCORRECT


def test_a_tie_is_correct_as_in_the_papers_code_unless_the_suite_says_otherwise():
    assert judged([-1.0], [-1.0]).outcome is Outcome.CORRECT
    assert judged([-1.0], [-1.0], ties="correct").outcome is Outcome.CORRECT
    assert judged([-1.0], [-1.0], ties="incorrect").outcome is Outcome.INCORRECT


@given(st.floats(-50, 0), st.floats(-50, 0))
def test_p_is_a_probability_and_swapping_sides_turns_it_round(right, wrong):
    p = probability(right, wrong)
    assert 0 <= p <= 1
    assert probability(wrong, right) == pytest.approx(1 - p)
    exact = math.exp(right) / (math.exp(right) + math.exp(wrong))
    assert p == pytest.approx(exact)


def test_extreme_scores_do_not_overflow():
    assert probability(-1e6, -1.0) == pytest.approx(0.0)
    assert probability(-1.0, -1e6) == pytest.approx(1.0)


def test_the_score_is_the_mean_over_tokens_with_eos():
    scores = [(-1.0, -3.0), (-1.0, -1.0, -7.0)]
    verdict = in_turn(METHOD, sample(Contrast(("a",), ("b",))), suite(), scores)
    assert [one.score for one in verdict.evidence] == [-2.0, -3.0]


def test_a_sample_without_evidence_is_told_what_it_lacks():
    assert "cues" in METHOD.lacks(sample())
    assert METHOD.lacks(sample(Contrast(("a",), ("b",)))) is None


def choosing(**scores):
    """The verdict of an open sample, from the mean log-probabilities of each choice's cues."""
    cues = Choices({choice: tuple(f"{choice}{i}" for i in range(len(of))) for choice, of in scores.items()})
    return in_turn(METHOD, sample(cues), suite(), [(score,) for of in scores.values() for score in of])


def test_an_open_sample_is_asked_of_every_choice():
    asked = METHOD.queries(sample(Choices({"male": ("man",), "female": ("woman", "lady")})), "x", suite())
    assert [query.side for query in asked] == ["male", "female", "female"]
    assert asked[2].pair.source == "We ought to have avocados as a lady starter."


def test_the_best_cue_of_all_choices_is_the_choice_and_nothing_is_right_or_wrong():
    verdict = choosing(male=[-0.9], female=[-3.0, -0.5])
    assert (verdict.outcome, verdict.choice) == (Outcome.OPEN, "female")
    assert verdict.probability == pytest.approx(probability(-0.5, -0.9))
    assert [one.side for one in verdict.evidence] == ["male", "female", "female"]


def test_the_probability_of_a_choice_is_its_share_of_all_choices():
    verdict = choosing(male=[math.log(0.5)], female=[math.log(0.3)], neuter=[math.log(0.2)])
    assert verdict.choice == "male"
    assert verdict.probability == pytest.approx(0.5)
    assert choosing(male=[-1e6], female=[-1.0]).probability == pytest.approx(1.0)


def test_equal_scores_are_no_choice():
    verdict = choosing(male=[-1.0], female=[-1.0], neuter=[-2.0])
    assert (verdict.outcome, verdict.choice) == (Outcome.UNDECIDED, None)
    assert verdict.reason == "fits male and female equally well"


def test_pooling_by_the_mean_needs_more_than_one_lucky_cue():
    evidence = (
        Evidence("correct", "a", -1.0),
        Evidence("correct", "b", -1.0),
        Evidence("incorrect", "c", -0.9),
        Evidence("incorrect", "d", -5.0),
    )
    assert verdict_on(evidence).outcome == "incorrect"
    mean = verdict_on(evidence, pooling="mean")
    assert mean.outcome == "correct"
    assert mean.margin == pytest.approx(-1.0 - math.log((math.exp(-0.9) + math.exp(-5.0)) / 2))


@given(st.lists(st.floats(-20, 0), min_size=1, max_size=6))
def test_a_pooled_score_lies_between_the_worst_and_the_best(scores):
    for pooling in ("best", "mean"):
        assert min(scores) - 1e-9 <= pooled(scores, pooling) <= max(scores) + 1e-9
    assert pooled([scores[0]] * 3, "mean") == pytest.approx(scores[0])
