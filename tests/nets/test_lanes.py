"""How work is divided among threads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mtprobe.nets.lanes import Lanes

things = st.lists(st.tuples(st.integers(0, 8), st.integers(1, 40)), min_size=1, max_size=40)


@given(things=things, count=st.integers(1, 5))
def test_everything_is_dealt_once_and_like_keys_stay_together(things, count):
    shares = Lanes(count).deal(things)
    assert sorted(index for share in shares for index in share) == list(range(len(things)))
    assert 1 <= len(shares) <= count
    assert all(shares)
    owners = {(things[index][0], lane) for lane, share in enumerate(shares) for index in share}
    assert len(owners) == len({key for key, _ in things})


@given(weights=st.lists(st.integers(1, 40), min_size=1, max_size=40), count=st.integers(1, 5))
def test_shares_differ_by_no_more_than_one_thing(weights, count):
    shares = Lanes(count).deal(list(enumerate(weights)))
    sums = [sum(weights[index] for index in share) for share in shares]
    assert max(sums) - (min(sums) if len(shares) == count else 0) <= max(weights)


def test_results_come_with_their_shares():
    lanes = Lanes(3)
    shares = lanes.deal([(index, 1) for index in range(7)])
    assert {tuple(share): total for share, total in lanes.map(sum, shares)} == {
        tuple(share): sum(share) for share in shares
    }
