"""How work is cut: nothing is lost, nothing is too large, what belongs together stays together"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mtprobe_ray.shards import LEAST, MOST, PER_WORKER, shards

pytestmark = pytest.mark.slow

LENGTHS = st.lists(st.integers(1, 600), max_size=400)


@given(LENGTHS, st.integers(1, 40))
def test_every_place_is_in_one_shard(lengths, workers):
    cut = shards(lengths, workers)
    assert sorted(place for shard in cut for place in shard.indices) == list(range(len(lengths)))
    assert [shard.tokens for shard in cut] == [
        sum(lengths[place] for place in shard.indices) for shard in cut
    ]


@given(LENGTHS, st.integers(1, 40))
def test_only_a_single_thing_is_larger_than_a_shard_may_be(lengths, workers):
    size = min(MOST, max(LEAST, sum(lengths) // (PER_WORKER * workers)))
    assert all(shard.tokens <= size or len(shard.indices) == 1 for shard in shards(lengths, workers))


@given(LENGTHS, st.integers(1, 40))
def test_the_longest_come_first(lengths, workers):
    cut = [[lengths[place] for place in shard.indices] for shard in shards(lengths, workers)]
    assert all(min(before) >= max(after) for before, after in pairwise(cut))


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 20)), max_size=200), st.integers(1, 9))
def test_targets_of_one_source_are_sent_together_as_far_as_a_shard_holds_them(things, workers):
    lengths, sources = [length for length, _ in things], [source for _, source in things]
    cut = shards(lengths, workers, sources)
    assert sorted(place for shard in cut for place in shard.indices) == list(range(len(things)))
    size = min(MOST, max(LEAST, sum(lengths) // (PER_WORKER * workers)))
    for source in set(sources):
        if sum(length for length, one in things if one == source) <= size:
            assert sum(source in {sources[place] for place in shard.indices} for shard in cut) == 1


def test_one_source_with_many_targets_is_still_spread():
    assert len(shards([40] * 1000, 2, ["the same"] * 1000)) >= 8


def test_there_are_some_shards_for_every_worker():
    assert len(shards([20] * 4000, 4)) >= 4 * PER_WORKER
