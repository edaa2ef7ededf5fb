from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mtprobe.score.batches import Size, batches, in_batches

sizes = st.lists(st.builds(Size, st.integers(1, 40), st.integers(1, 40)), max_size=60)
budgets = st.builds(Size, st.integers(1, 200), st.integers(1, 200))


@given(sizes, budgets)
def test_every_item_is_in_exactly_one_batch(sizes, budget):
    assert sorted(index for batch in batches(sizes, budget) for index in batch) == list(range(len(sizes)))


@given(sizes, budgets)
def test_a_batch_stays_within_its_budget_padding_included(sizes, budget):
    for batch in batches(sizes, budget):
        source, target = (max(sizes[index][side] for index in batch) * len(batch) for side in (0, 1))
        assert len(batch) == 1 or (source <= budget.source and target <= budget.target)


@given(st.lists(st.integers(1, 50)), budgets)
def test_results_come_back_in_the_order_of_the_items(items, budget):
    results = in_batches(
        items, lambda item: Size(item, item), lambda batch: [str(item) for item in batch], budget
    )
    assert results == [str(item) for item in items]


def test_equal_items_are_run_once():
    seen = []
    results = in_batches(
        ["a", "b", "a", "a"],
        lambda _: Size(1, 1),
        lambda batch: [seen.append(item) or item for item in batch],
        Size(9, 9),
    )
    assert results == ["a", "b", "a", "a"]
    assert sorted(seen) == ["a", "b"]


def test_like_lengths_run_together_the_longest_first():
    lengths = [Size(3, 9), Size(3, 2), Size(4, 9), Size(2, 2), Size(5, 6)]
    assert list(batches(lengths, Size(100, 18))) == [[2, 0], [4, 1, 3]]


def test_nothing_needs_no_batch():
    assert list(batches([], Size(1, 1))) == []
    assert in_batches([], lambda _: Size(1, 1), lambda _: [], Size(1, 1)) == []
