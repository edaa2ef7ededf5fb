"""Scores of pairs as they come."""

from __future__ import annotations

import tracemalloc

import pytest

from mtprobe.backends.scorer import ScorePair
from mtprobe.backends.stored import PAIRS_PER_CALL, score_stream
from mtprobe.errors import Failure, ModelError
from tests.soak import times


class Scorer:
    """Gives each target token a log-probability that follows from the pair."""

    fingerprint = "toy"

    def __init__(self):
        self.asked = 0

    def score(self, pairs):
        self.asked += len(pairs)
        return [
            Failure("empty") if not pair.source else (-float(len(pair.source)),) * len(pair.target.split())
            for pair in pairs
        ]


def pairs(count):
    return (ScorePair(f"source {number}", "a b c d e f g h i j") for number in range(count))


def test_each_pair_comes_with_its_result_in_order():
    given = [ScorePair("a", "x y"), ScorePair("", "x"), ScorePair("abc", "x")]
    assert list(score_stream(Scorer(), iter(given))) == [
        (given[0], (-1.0, -1.0)),
        (given[1], Failure("empty")),
        (given[2], (-3.0,)),
    ]


def test_no_more_pairs_are_taken_than_are_needed():
    scorer = Scorer()
    assert next(score_stream(scorer, pairs(10**12)))[0].source == "source 0"
    assert scorer.asked == PAIRS_PER_CALL


@pytest.mark.slow
def test_a_million_pairs_do_not_need_a_million_results_in_memory():
    count = times(200_000, 1_000_000)
    tracemalloc.start()
    try:
        seen = sum(1 for _ in score_stream(Scorer(), pairs(count)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seen == count
    assert peak < 4_000_000  # bytes; all results of 200,000 pairs would take more than 20 times that


def test_a_scorer_that_loses_a_pair_is_reported():
    class Loses(Scorer):
        def score(self, pairs):
            return super().score(pairs)[1:]

    with pytest.raises(ModelError, match="returned 1 scores for 2 pairs"):
        list(score_stream(Loses(), pairs(2)))
