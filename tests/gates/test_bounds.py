"""A value on its bound meets it, however binary fractions round."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mtprobe.gates import Bound, Decision, read_bound
from mtprobe.gates.judge import decide
from mtprobe.methods.audit_pairs.outcome import Audit, Fitness
from mtprobe.metrics import METRICS, Measure, MetricContext, Selector, tally
from tests.metrics.results import result

HUNDREDTHS = [Fraction(number, 100) for number in range(101)]


def shares(most=20):
    return sorted({Fraction(k, n) for n in range(1, most + 1) for k in range(n + 1)})


def test_a_difference_of_shares_is_compared_as_on_paper():
    wrong = []
    for first in shares():
        for second in shares():
            bound = first - second
            if bound < 0 or bound not in HUNDREDTHS:
                continue
            value = float(first) - float(second)
            written = f"{float(bound):.2f}"
            decisions = [read_bound(f"{sign} {written}").holds(value) for sign in ("<=", ">=", "<", ">")]
            if decisions != [True, True, False, False]:
                wrong.append((first, second))
    assert wrong == []


def test_a_value_next_to_its_bound_is_told_apart():
    for n in (10, 1000, 1_000_000):
        for sign, step in (("<=", 1), (">=", -1)):
            assert not read_bound(f"{sign} 0.2").holds((0.2 * n + step) / n)
            assert read_bound(f"{sign} 0.2").holds((0.2 * n - step) / n)


@pytest.mark.parametrize(
    ("sign", "expected"), [("<=", "passed"), ("<", "failed"), (">=", "passed"), (">", "failed")]
)
def test_a_gap_of_exactly_its_bound(sign, expected):
    rows = [("male", 9), ("female", 7)]
    results = [
        result(10 * number + sample, "correct" if sample < right else "incorrect", category=category)
        for number, (category, right) in enumerate(rows)
        for sample in range(10)
    ]
    measure = METRICS["gap"].measure(MetricContext(tally(results), ("male", "female")), Selector())
    assert decide(read_bound(f"{sign} 0.20"), measure) == expected


def test_the_ends_of_an_interval_are_compared_in_the_same_way():
    end = 0.9 - 0.7  # a little more than 0.2
    assert decide(Bound("<=", 0.2, 0.95), Measure(0.1, 0.05, end, 20)) is Decision.PASSED
    assert decide(Bound(">=", 0.2, 0.95), Measure(0.1, 0.05, 0.3 - 0.1, 20)) is Decision.UNDECIDED


def test_percentages_are_compared_in_the_same_way():
    for tenths in range(1001):
        assert read_bound(f"<= {tenths / 10}%").holds(tenths / 1000)
        assert read_bound(f">= {tenths / 10}%").holds(tenths / 1000)


def test_an_evaluator_on_the_bound_is_fit():
    almost = Measure(0.3 * 3, 0.8, 1.0, 10)  # 0.8999999999999999
    assert Audit("own cues", "pt", almost, almost, almost, ()).fitness is Fitness.FIT
