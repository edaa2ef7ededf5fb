"""SFII, SPDI, MFS, MFS+, model errors and the agreement of senses: worked by hand, and as laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.gates import GateError
from mtprobe.gates.parse import read_gate
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.metrics import Selector, measure, tally
from mtprobe.metrics.senses import sense_agreement, senses_of
from mtprobe.suite.sample import GateText
from tests.metrics.results import result

SENSES = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def item(number, outcome, rank, polysemy=4, *, found=(), cluster=None, pos="noun", overruled=()):
    """A judged item: `found` are the ranks of the senses that the matched lemma has."""
    side = {"correct": "correct", "incorrect": "incorrect"}.get(outcome, "")
    own = [(side, one) for one in (found or ((rank,) if outcome == "correct" else ()))]
    other = [("correct" if side == "incorrect" else "incorrect", one) for one in overruled]
    evidence = tuple(
        Evidence(which, "word", attributes={"lemma": "lemma", "sense": SENSES[one], "sense_rank": one})
        for which, one in (*own, *other)
    )
    made = result(
        number, outcome, category=None, cluster=cluster, sense_rank=rank, polysemy=polysemy, pos=pos
    )
    return replace(made, verdict=Verdict(Outcome(outcome), evidence=evidence))


# Ten items, as they might be judged. By rank, decided: 1: 1 of 2 wrong; 2: 2 of 3; 3: 1 of 1; 4: 0 of 1.
# By polysemy: 3: 1 of 2 wrong; 5: 3 of 5. Two are MISS, one of them of a rank that nothing else has.
ITEMS = [
    item(0, "correct", 1, 3),
    item(1, "incorrect", 1, 3, found=[2]),
    item(2, "incorrect", 2, 5, found=[1]),
    item(3, "incorrect", 2, 5, found=[3, 1]),  # several senses fit: the most frequent counts
    item(4, "correct", 2, 5),
    item(5, "incorrect", 3, 5, found=[2], overruled=[3]),
    item(6, "correct", 4, 5),
    item(7, "undecided", 3, 5),
    item(8, "undecided", 2, 9),
]


def value(metric, items=ITEMS, **selector):
    return measure(metric, tally(items), Selector(**selector), ()).value


def test_sfii_is_the_mean_of_the_error_rates_of_ranks():
    assert value("sfii") == pytest.approx((1 / 2 + 2 / 3 + 1 / 1 + 0 / 1) / 4)


def test_spdi_is_the_mean_of_the_error_rates_of_polysemy_degrees():
    """The degree 9 has no decided item, so it is no group."""
    assert value("spdi") == pytest.approx((1 / 2 + 3 / 5) / 2)


def test_mfs_is_the_share_of_wrong_items_in_the_most_frequent_sense():
    """Wrong: 1 (rank 2), 2 (rank 1), 3 (ranks 3 and 1, so 1), 5 (rank 2)."""
    assert value("mfs") == pytest.approx(2 / 4)


def test_mfs_plus_is_the_share_of_wrong_items_in_a_more_frequent_sense_than_the_right_one():
    """1: 2 for 1, no; 2: 1 for 2; 3: 1 for 2; 5: 2 for 3."""
    assert value("mfs_plus") == pytest.approx(3 / 4)


def test_accuracy_leaves_misses_out_and_counts_them():
    assert value("accuracy") == pytest.approx(3 / 7)
    assert value("undecided") == pytest.approx(2 / 9)


def test_group_error_takes_any_attribute():
    mixed = [
        item(0, "correct", 1),
        item(1, "incorrect", 1, found=[2], pos="verb"),
        item(2, "correct", 1, pos="verb"),
    ]
    assert value("group_error", mixed, over="pos") == pytest.approx((0 + 1 / 2) / 2)


def test_each_may_be_asked_of_a_part_of_speech():
    more = [*ITEMS, item(9, "correct", 1, 3, pos="verb")]
    assert value("sfii", more, attributes=(("pos", "noun"),)) == value("sfii")
    assert value("sfii", more, attributes=(("pos", "verb"),)) == 0
    assert value("mfs", more, attributes=(("pos", "verb"),)) is None


def test_a_wrong_lemma_without_a_known_sense_is_one_of_the_wrong_ones_and_is_counted():
    plain = item(9, "incorrect", 2)
    plain = replace(
        plain,
        verdict=Verdict(Outcome.INCORRECT, evidence=(Evidence("incorrect", "x", attributes={"lemma": "x"}),)),
    )
    found = measure("mfs", tally([*ITEMS, plain]), Selector(), ())
    assert (found.value, found.n) == (pytest.approx(2 / 5), 5)
    assert found.note == "1 without a known sense or rank"
    plus = measure("mfs_plus", tally([*ITEMS, plain]), Selector(), ())
    assert (plus.value, plus.n) == (pytest.approx(3 / 5), 5)
    assert measure("mfs", tally([plain]), Selector(), ()).value is None


def test_degenerate_outputs_are_errors_of_their_group():
    assert value("sfii", [item(0, "correct", 1), item(1, "degenerate", 1)]) == pytest.approx(1 / 2)


ITEM = st.builds(
    lambda number, outcome, rank, found, cluster: item(
        number, outcome, rank, found=[found] if outcome == "incorrect" else (), cluster=f"c{cluster}"
    ),
    st.integers(0, 10**6),
    st.sampled_from(["correct", "incorrect", "undecided"]),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(0, 5),
)
SOME = st.lists(ITEM, min_size=1, max_size=25)


@given(SOME, st.randoms(use_true_random=False))
def test_the_order_of_items_changes_nothing(items, random):
    shuffled = list(items)
    random.shuffle(shuffled)
    for metric in ("sfii", "spdi", "mfs", "mfs_plus"):
        one, other = (measure(metric, tally(some), Selector(), ()) for some in (items, shuffled))
        assert (one.value is None) == (other.value is None)
        if one.value is not None:
            assert np.allclose((one.value, one.low, one.high), (other.value, other.low, other.high))


@pytest.mark.slow
@given(SOME)
def test_every_number_and_its_interval_lie_between_0_and_1(items):
    for metric in ("sfii", "spdi", "mfs", "mfs_plus"):
        found = measure(metric, tally(items), Selector(), ())
        if found.value is not None:
            assert 0 <= found.low <= found.high <= 1
            assert 0 <= found.value <= 1


@given(SOME)
def test_a_mean_over_groups_lies_between_its_best_and_its_worst_group(items):
    found = value("sfii", items)
    rates = [
        1 - rate
        for rank in SENSES
        if (rate := value("accuracy", items, attributes=(("sense_rank", str(rank)),))) is not None
    ]
    assert (found is None) == (not rates)
    if rates:
        assert found == pytest.approx(sum(rates) / len(rates))


@given(SOME)
def test_a_group_that_stands_twice_as_often_weighs_the_same(items):
    double = [*items, *(one for one in items if one.attributes["sense_rank"] == 1)]
    once = value("sfii", items)
    assert value("sfii", double) == (None if once is None else pytest.approx(once))


@given(SOME)
def test_with_one_group_it_is_the_error_rate(items):
    same = [replace(one, attributes={**one.attributes, "polysemy": 7}) for one in items]
    accuracy = value("accuracy", same)
    assert value("spdi", same) == (None if accuracy is None else pytest.approx(1 - accuracy))


@given(SOME)
def test_the_most_frequent_sense_is_more_frequent_than_any_other(items):
    """So MFS is at most MFS+ where no right sense is the most frequent one."""
    rarer = [one for one in items if one.attributes["sense_rank"] > 1]
    mfs, plus = value("mfs", rarer), value("mfs_plus", rarer)
    assert (mfs is None and plus is None) or mfs <= plus


def scored(number, own, good, outcome="incorrect"):
    evidence = (
        Evidence("incorrect", "word", attributes={"lemma": "word"}),
        Evidence("translation", "made", own),
        *(Evidence("reference", "good", score) for score in good),
    )
    return replace(result(number, outcome), verdict=Verdict(Outcome(outcome), evidence=evidence))


def test_a_model_error_is_a_wrong_translation_that_the_model_likes_better_than_every_good_one():
    items = [
        scored(0, -1.0, [-2.0]),
        scored(1, -1.0, [-2.0, -0.5]),
        scored(2, -1.0, [-1.0]),
        scored(3, -3.0, [-4.0]),
    ]
    found = measure("model_errors", tally([*items, *ITEMS]), Selector(), ())
    assert (found.value, found.n) == (2 / 4, 4)
    assert measure("model_errors", tally(ITEMS), Selector(), ()).value is None


def test_two_languages_agree_where_a_sense_fits_both_translations():
    german = [
        item(0, "correct", 2),
        item(1, "incorrect", 2, found=[1, 3]),
        item(2, "incorrect", 3, found=[1]),
        item(3, "undecided", 2),
    ]
    spanish = [
        item(0, "correct", 2),
        item(1, "incorrect", 2, found=[3]),
        item(2, "correct", 3),
        item(3, "correct", 2),
    ]
    found = sense_agreement(german, spanish)
    assert (found.value, found.n) == (2 / 3, 3)
    assert senses_of(german[1]) == {"first", "third"}


def listed_flat(number, outcome, lemma):
    """A verdict by lemmas of which only the good ones have a sense: the item's own."""
    side = "correct" if outcome == "correct" else "incorrect"
    sense = {"sense": "own"} if outcome == "correct" else {}
    evidence = (Evidence(side, "word", attributes={"lemma": lemma, **sense}),)
    return replace(result(number, outcome), verdict=Verdict(Outcome(outcome), evidence=evidence))


def test_a_good_and_a_bad_translation_disagree_also_where_bad_lemmas_have_no_senses():
    german = [listed_flat(0, "correct", "Schluck"), listed_flat(1, "correct", "Schluck")]
    spanish = [listed_flat(0, "correct", "trago"), listed_flat(1, "incorrect", "foto")]
    found = sense_agreement(german, spanish)
    assert (found.value, found.n, found.note) == (1 / 2, 2, "1 with a lemma of unknown sense")
    assert sense_agreement(spanish, spanish).value == 1.0


@given(SOME, SOME)
def test_agreement_of_senses_is_symmetric_and_whole_with_itself(one, other):
    mine, theirs = (
        [replace(each, id=str(number)) for number, each in enumerate(some)] for some in (one, other)
    )
    assert sense_agreement(mine, theirs).value == sense_agreement(theirs, mine).value
    assert sense_agreement(mine, mine).value in (None, 1.0)


SUITE = """\
mtprobe: 1
name: s
about: s
languages: {source: en, targets: any}
method: lexicon
gates: {accuracy: ">= 0.5"}
samples:
  - source: A <shot> rang.
    attributes: {sense: a, pos: noun}
    lemmas: {de: {good: x, bad: {b: y}}}
"""


@pytest.mark.parametrize(
    ("key", "senses", "message"),
    [
        ("sfii", False, "sfii needs samples with `senses`, or with the attribute sense_rank"),
        ("spdi", False, "spdi needs samples with `senses`, or with the attribute polysemy"),
        ("mfs", False, "mfs needs samples with `senses`, or with the attribute sense_rank"),
        ("group_error", True, "group_error needs an attribute: group_error[pos]"),
        ("group_error[poss]", True, 'there is no attribute "poss"; did you mean "pos"?'),
        ("sfii[pos=noun]", True, None),
        ("mfs_plus", True, None),
        ("group_error[pos]", True, None),
    ],
)
def test_a_gate_asks_what_the_suite_can_answer(tmp_path, key, senses, message):
    from mtprobe.suites import load_suite

    path = tmp_path / "s.mt.yaml"
    path.write_text(SUITE + ("    senses: [a, b]\n" if senses else ""), encoding="utf-8")
    suite = load_suite(path)
    gate = GateText(key, "<= 0.5", suite.methods_place)
    if message is None:
        assert read_gate(gate, suite).metric.name == key.partition("[")[0]
    else:
        with pytest.raises(GateError) as error:
            read_gate(gate, suite)
        assert str(error.value) == message
