"""Sentences with a common prefix, arranged in trees."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.engine.runtime.prefix_trees import MOST_TOKENS, build_forest

# Few tokens and few sources, so that prefixes are often shared.
sentences = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.integers(0, 2), min_size=1, max_size=12).map(tuple)),
    min_size=1,
    max_size=30,
)


@given(sentences=sentences)
def test_a_path_reads_like_its_sentence_and_attends_to_nothing_else(sentences):
    forest = build_forest(sentences)
    for (source, tokens), path in zip(sentences, forest.paths, strict=True):
        assert forest.tokens[path].tolist() == list(tokens)
        assert forest.depths[path].tolist() == list(range(len(tokens)))
        (row,) = set(forest.rows[path].tolist())
        assert sentences[forest.sources[row]][0] == source
        for depth, at in enumerate(path):
            attended = np.flatnonzero(forest.mask[row, forest.slots[at]])
            assert set(forest.unpack[row, attended].tolist()) == set(path[: depth + 1].tolist())


@given(sentences=sentences)
def test_equal_sentences_are_read_once(sentences):
    once, twice = build_forest(sentences), build_forest([*sentences, *sentences])
    assert once.tokens.tolist() == twice.tokens.tolist()


def test_a_minimal_pair_shares_what_it_has_in_common():
    forest = build_forest([("a", range(20)), ("a", (*range(15), 99, *range(16, 20))), ("b", range(20))])
    assert len(forest.tokens) == 20 + 5 + 20
    assert forest.mask.shape == (2, 25, 25)


def test_what_begins_differently_stays_apart():
    assert build_forest([("a", range(20)), ("a", (0, *range(50, 69)))]).mask.shape == (2, 20, 20)


def test_a_tree_does_not_grow_without_end():
    many = [("a", (*range(20), *range(100 * number, 100 * number + 20))) for number in range(1, 30)]
    assert build_forest(many).mask.shape[1] <= MOST_TOKENS
