"""How numbers are written."""

from __future__ import annotations

import pytest

from mtprobe.report.numbers import interval, share
from mtprobe.statistics.measure import Measure


@pytest.mark.parametrize(
    ("value", "bound", "written"),
    [
        (0.625, None, "0.62"),
        (None, 0.5, "–"),
        (0.101, 0.10, "0.101"),
        (0.1, 0.1, "0.10"),
        (0.59999, 0.6, "0.59999"),
        (0.2, 0.1, "0.20"),
        (0.1 + 1e-12, 0.1, "0.100000"),
    ],
)
def test_a_value_has_as_many_digits_as_tell_it_from_its_bound(value, bound, written):
    assert share(value, bound) == written


def test_zero_has_no_sign():
    assert share(-0.001) == "0.00"
    assert interval(Measure(0.01, -0.001, 0.02, 9)) == "0.00 to 0.02"
