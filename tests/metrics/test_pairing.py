from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.metrics import Selector, pairing
from mtprobe.metrics.pairing import pair_up
from tests.metrics.results import result

kinds = st.sampled_from(["correct", "incorrect", "degenerate", "undecided", "error"])


def ids(pairs):
    return [pair.after.id for pair in pairs]


def test_flips_are_those_that_flipped():
    before = [result(number, "correct" if number < 6 else "incorrect") for number in range(10)]
    after = [result(number, "correct" if number not in (1, 4, 8, 9) else "incorrect") for number in range(10)]
    found = pair_up(before, after)
    assert ids(found.regressed) == ["s1", "s4"]
    assert ids(found.fixed) == ["s6", "s7"]
    assert found.left_out == {}
    assert (found.counts.both, found.counts.neither) == (4, 2)


def test_the_order_of_a_run_means_nothing():
    before = [result(number) for number in range(5)]
    after = [result(number, "incorrect" if number == 3 else "correct") for number in range(5)]
    assert ids(pair_up(before[::-1], after).regressed) == ["s3"]


def test_a_right_translation_that_became_degenerate_is_broken():
    assert ids(pair_up([result(1)], [result(1, "degenerate")]).regressed) == ["s1"]


def test_what_cannot_be_compared_is_counted_by_its_reason():
    before = [
        result(1),
        result(2),
        result(3, "undecided"),
        result(4, "error"),
        replace(result(5), content="a"),
    ]
    after = [result(1), result(3), result(4), replace(result(5), content="b"), result(6), result(7)]
    found = pair_up(before, after)
    assert ids(found.pairs) == ["s1"]
    assert found.left_out == {
        pairing.UNDECIDED: 1,
        pairing.ERROR: 1,
        pairing.CHANGED: 1,
        pairing.NEW: 2,
        pairing.GONE: 1,
    }


def test_without_a_digest_the_source_decides():
    old, new = result(1), replace(result(1), content="abc")
    assert len(pair_up([old], [new]).pairs) == 1
    assert pair_up([replace(old, source="Another one.")], [new]).left_out == {pairing.CHANGED: 1}


def test_with_digests_on_both_sides_the_digest_decides():
    one = replace(result(1), content="abc")
    assert len(pair_up([one], [replace(one, category="female")]).pairs) == 1
    assert pair_up([one], [replace(one, content="abd")]).pairs == ()


def test_samples_without_a_right_answer_do_not_count():
    opened = replace(result(1), choices=("male", "female"), verdict=Verdict(Outcome.OPEN, choice="male"))
    found = pair_up([opened], [opened])
    assert not found.pairs
    assert not found.left_out


def test_a_group_is_that_of_the_later_run():
    before = [result(1, category="male"), result(2, category="female")]
    after = [result(1, "incorrect", category="female"), result(2, category="female")]
    found = pair_up(before, after, Selector("female").concerns)
    assert ids(found.pairs) == ["s1", "s2"]
    assert found.left_out == {}


def test_ten_new_samples_of_eleven_are_too_many_for_a_claim():
    before = [result(1)]
    after = [result(1), *(result(number, "incorrect") for number in range(2, 12))]
    assert pair_up(before, after).shortage == (
        "only 1 of 11 samples that the later run decided can be compared (9%; at least 80% is required)"
    )


def test_a_decision_that_the_later_run_no_longer_makes_counts_too():
    before = [result(number) for number in range(10)]
    after = [result(number, "correct" if number < 7 else "undecided") for number in range(10)]
    assert pair_up(before, after).shortage.startswith("only 7 of 10 samples that the earlier run decided")


def test_samples_that_nobody_decided_or_that_only_the_earlier_run_has_are_no_shortage():
    before = [result(number, "undecided" if number < 5 else "correct") for number in range(10)]
    after = [result(number, "undecided" if number < 5 else "correct") for number in range(9)]
    assert not pair_up(before, [*after, result(99)]).shortage
    assert pair_up(before, [*after, result(98), result(99)]).shortage


def test_the_shortage_is_that_of_the_group():
    before = [result(number, category="male") for number in range(20)]
    after = [*before, result(20, category="female"), result(21, category="female")]
    assert not pair_up(before, after).shortage
    assert pair_up(before, after, Selector("female").concerns).shortage.startswith("only 0 of 2 samples")


def test_identical_translations_have_lost_nothing_for_certain_if_the_judge_is_the_same():
    runs = [result(number, "incorrect" if number % 3 else "correct") for number in range(10)]
    found = pair_up(runs, runs)
    assert found.identical
    measure = found.measure(same_judge=True)
    assert (measure.value, measure.low, measure.high, measure.n) == (0.0, 0.0, 0.0, 10)
    assert found.measure(same_judge=False).high > 0.2


def test_another_translation_another_text_or_another_offset_is_not_identical():
    evidence = Evidence("correct", "The man finished.", -1.0, 0.1)
    before = replace(result(1), verdict=Verdict(Outcome.CORRECT, evidence=(evidence,)))
    for after in (
        replace(before, translation="Outra."),
        replace(before, verdict=Verdict(Outcome.CORRECT, evidence=(replace(evidence, text="The lad."),))),
        replace(before, verdict=Verdict(Outcome.CORRECT, evidence=(replace(evidence, offset=0.2),))),
        replace(before, verdict=replace(before.verdict, outcome=Outcome.INCORRECT)),
    ):
        assert not pair_up([before], [after]).identical
    rounded = replace(
        before, verdict=Verdict(Outcome.CORRECT, evidence=(replace(evidence, score=-1.0000001),))
    )
    assert pair_up([before], [rounded]).identical


def test_nothing_to_compare_is_no_number():
    assert pair_up([], []).measure(same_judge=True).value is None
    assert not pair_up([], []).shortage


@given(st.lists(st.tuples(kinds, kinds), max_size=40))
def test_every_sample_is_compared_or_counted(rows):
    before = [result(number, one) for number, (one, _) in enumerate(rows)]
    after = [result(number, other) for number, (_, other) in enumerate(rows)]
    found = pair_up(before, after)
    assert len(found.pairs) + sum(found.left_out.values()) == len(rows)
    assert found.counts.regressed == len(found.regressed)
    assert found.counts.fixed == len(found.fixed)
