from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mtprobe.engine.runtime.batches import Size, batches, in_batches
from mtprobe.engine.runtime.lanes import Lanes

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


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 20)), max_size=40)


@given(pairs, st.integers(20, 200), st.integers(1, 3))
def test_what_belongs_together_runs_together_as_far_as_it_fits(items, budget, lanes):
    batches_run = []
    results = in_batches(
        items,
        lambda item: Size(1, item[1]),
        lambda batch: [batches_run.append(batch)] * 0 + [str(item) for item in batch],
        Size(1000, budget),
        together=lambda item: item[0],
        lanes=Lanes(lanes),
    )
    assert results == [str(item) for item in items]
    for key in {key for key, _ in items}:
        mine = {item for item in items if item[0] == key}
        if sum(length for _, length in mine) <= budget:
            assert any(mine <= set(batch) for batch in batches_run)


def test_a_source_with_more_targets_than_fit_is_divided():
    seen = []
    items = [("source", length) for length in range(1, 30)]
    in_batches(
        items,
        lambda item: Size(1, item[1]),
        lambda batch: [seen.append(batch)] * 0 + list(batch),
        Size(100, 60),
        together=lambda item: item[0],
    )
    assert all(sum(length for _, length in batch) <= 60 for batch in seen)
