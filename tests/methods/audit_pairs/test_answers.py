"""The numbers of an audit: what they are, and the laws that they keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.methods.audit_pairs.answers import answers, halves
from mtprobe.methods.audit_pairs.questions import KnownTarget, Question
from mtprobe.suite.sample import Contrast

NOTHING = Contrast((), ())
READINGS = ("male", "female")


def made(rows):
    """Answers for rows of (cluster, is female, score(female cue) − score(male cue)); the categories mirror each other."""
    targets = [
        KnownTarget(
            f"{number}",
            cluster,
            tuple(Question(reading, (reading == "female") == female, NOTHING) for reading in READINGS),
        )
        for number, (cluster, female, _) in enumerate(rows)
    ]
    return answers(targets, [[-difference, difference] for _, _, difference in rows])


def rows_of(male, female):
    """A word each, with a target of either gender."""
    pairs = enumerate(zip(male, female, strict=True))
    return [row for number, (m, f) in pairs for row in ((f"w{number}", False, m), (f"w{number}", True, f))]


def test_accuracy_is_the_share_of_targets_on_the_right_side():
    found = made(rows_of(male=[-1, -1, 1, -1], female=[1, 1, 1, -1])).accuracy()
    assert (found.value, found.n) == (6 / 8, 8)
    assert found.low < 6 / 8 < found.high


def test_an_evaluator_that_always_says_the_same_is_never_right():
    found = made(rows_of([0.0] * 10, [0.0] * 10))
    assert found.accuracy().value == 0.0
    assert found.calibrated_accuracy().value == 0.0
    assert found.auc().value == 0.5


def test_an_offset_is_the_mark_halfway_between_the_readings():
    male, female = made(rows_of(male=[0.0, 0.2], female=[1.0, 1.2])).offsets()
    assert female.value == pytest.approx(0.6)
    assert male.value == pytest.approx(-0.6)


def test_a_constant_offset_ruins_accuracy_and_calibration_mends_it():
    found = made(rows_of(male=[5.0 + n / 100 for n in range(20)], female=[6.0 + n / 100 for n in range(20)]))
    assert found.accuracy().value == 0.5
    assert found.calibrated_accuracy().value == 1.0
    assert found.auc().value == 1.0


def test_a_pair_is_never_judged_by_an_offset_that_it_helped_to_estimate():
    """Two words whose offsets are opposite: each is judged by the other's, and comes out wrong."""
    rows = rows_of(male=[4.0, -6.0], female=[6.0, -4.0])
    assert made(rows).calibrated_accuracy().value == 0.5
    assert made(rows).offsets()[1].value == pytest.approx(0.0)


def test_one_word_alone_cannot_be_calibrated():
    found = made([("doctor", False, -1.0), ("doctor", True, 1.0)]).calibrated_accuracy()
    assert (found.value, found.n) == (None, 0)
    assert "too few words" in found.note


def test_one_reading_alone_has_neither_auc_nor_offset():
    found = made([("doctor", True, 1.0), ("nurse", True, 2.0)])
    assert found.auc().value is None
    assert [one.value for one in found.offsets()] == [None, None]
    assert found.accuracy().value == 1.0


def test_targets_of_one_word_are_not_independent():
    spread = made([(f"w{n}", True, 1.0 if n % 4 else -1.0) for n in range(40)]).accuracy()
    lumped = made([(f"w{n % 4}", True, 1.0 if n % 4 else -1.0) for n in range(40)]).accuracy()
    assert spread.value == lumped.value
    assert lumped.high - lumped.low > spread.high - spread.low


def test_with_three_readings_a_target_must_be_denied_the_other_two():
    questions = tuple(Question(reading, reading == "a", NOTHING) for reading in "abc")
    targets = [KnownTarget("x", "x", questions), KnownTarget("y", "y", questions)]
    assert answers(targets, [[1.0, -1.0, -1.0], [1.0, -1.0, 0.5]]).accuracy().value == 0.5


def test_samples_with_cues_of_their_own_are_asked_one_question():
    targets = [
        KnownTarget(f"{word}-{expected}", word, (Question("correct", expected, NOTHING),))
        for word in ("bat", "bank", "ball", "band")
        for expected in (True, False)
    ]
    found = answers(targets, [[0.9], [0.5]] * 4)
    assert found.accuracy().value == 0.5
    assert found.calibrated_accuracy().value == 1.0
    assert found.offsets()[0].value == pytest.approx(0.7)


differences = st.floats(-5, 5, allow_nan=False).map(lambda value: round(value, 2))
many = st.lists(
    st.tuples(st.sampled_from("abcdefghij"), st.booleans(), differences), min_size=4, max_size=40
).filter(lambda rows: len({female for _, female, _ in rows}) == 2)


@given(many)
def test_the_auc_is_the_share_of_pairs_in_the_right_order(rows):
    female = [value for _, is_female, value in rows if is_female]
    male = [value for _, is_female, value in rows if not is_female]
    counted = [1.0 if f > m else 0.5 if f == m else 0.0 for f in female for m in male]
    found = made(rows).auc()
    assert found.value == pytest.approx(np.mean(counted))
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1


@given(many, st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_order_of_the_pairs_changes_nothing(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = made(rows), made(shuffled)
    for name in ("accuracy", "auc", "calibrated_accuracy"):
        first, second = getattr(one, name)(), getattr(other, name)()
        assert first.value == pytest.approx(second.value)
        assert (first.low, first.high) == pytest.approx((second.low, second.high))


@given(many, st.integers(-4, 4))
@settings(max_examples=50)
def test_a_constant_changes_only_the_offset(rows, constant):
    """Whole halves and quarters are exact, so that no tie is made or broken by rounding."""
    exact = [(cluster, female, round(value * 4) / 4) for cluster, female, value in rows]
    moved = [(cluster, female, value + constant) for cluster, female, value in exact]
    one, other = made(exact), made(moved)
    assert other.auc().value == pytest.approx(one.auc().value)
    assert other.offsets()[1].value == pytest.approx(one.offsets()[1].value + constant)


@given(st.sets(st.text(min_size=1, max_size=8), min_size=2, max_size=30))
def test_the_halves_are_equal_and_know_only_the_names(names):
    listed = sorted(names)
    found = dict(zip(listed, halves(listed), strict=True))
    assert abs(sum(found.values()) - len(names) / 2) <= 0.5
    backwards = listed[::-1]
    assert dict(zip(backwards, halves(backwards), strict=True)) == found


def test_a_name_that_cannot_be_written_still_has_a_half():
    assert sorted(halves(["\ud800", "a"])) == [0, 1]
