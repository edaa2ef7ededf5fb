"""How work is divided among threads."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.engine.runtime.lanes import Lanes


@given(weights=st.lists(st.integers(1, 40), max_size=40), count=st.integers(1, 5))
def test_everything_is_dealt_once_and_no_share_is_empty(weights, count):
    shares = Lanes(count).deal(weights)
    assert sorted(index for share in shares for index in share) == list(range(len(weights)))
    assert len(shares) == min(count, len(weights))
    assert all(shares)


@given(weights=st.lists(st.integers(1, 40), min_size=1, max_size=40), count=st.integers(1, 5))
def test_shares_differ_by_no_more_than_one_thing(weights, count):
    shares = Lanes(count).deal(weights)
    sums = [sum(weights[index] for index in share) for share in shares]
    assert max(sums) - (min(sums) if len(shares) == count else 0) <= max(weights)


def test_results_come_in_the_order_of_the_shares():
    lanes = Lanes(3)
    shares = lanes.deal([1] * 7)
    assert lanes.map(lambda share, _: sum(share), shares) == [sum(share) for share in shares]


def test_when_one_lane_fails_the_others_hear_of_it():
    failed, heard = threading.Event(), threading.Event()

    def run(share, going):
        if share == [0]:
            failed.wait(10)
            raise ValueError("no")
        failed.set()
        for _ in range(1000):
            if not going():
                heard.set()
                return
            threading.Event().wait(0.01)

    with pytest.raises(ValueError, match="no"):
        Lanes(2).map(run, [[0], [1]])
    assert heard.wait(10)
