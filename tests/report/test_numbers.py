"""How numbers are written."""

from __future__ import annotations

import pytest

from mtprobe.gates import read_bound
from mtprobe.records import ModelFacts
from mtprobe.report.numbers import interval, share, signature
from mtprobe.statistics.measure import Measure
from tests.report.factory import a_suite


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


def test_an_interval_that_decides_does_not_read_as_its_bound():
    spanning = Measure(-0.003, -0.031, 0.0223, 590)
    assert interval(spanning) == "-0.03 to 0.02"
    assert interval(spanning, read_bound("<= 0.02 @95%")) == "-0.03 to 0.022"
    assert interval(spanning, read_bound("<= 0.02")) == "-0.03 to 0.02"  # the value decides
    assert interval(Measure(0.7, 0.6, 0.8, 9), read_bound(">= 0.60 @95%")) == "0.60–0.80"


def test_decoding_options_of_an_evaluator_are_not_in_the_signature():
    evaluator = ModelFacts("opus", "hf:77aa:beam=8", "beam 8", "fp32", "CPU", scoring="hf:77aa:beam=4")
    written = signature(a_suite(evaluator=evaluator))
    assert "| evaluator hf:77aa:beam=4 (fp32, CPU) |" in written
    assert "| model demo:d968 (greedy, fp32, CPU) |" in written
