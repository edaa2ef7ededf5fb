from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.gates import GateError, read_bound


@pytest.mark.parametrize(
    ("text", "sign", "value", "level"),
    [
        (">= 0.60", ">=", 0.6, None),
        ("<=5%", "<=", 0.05, None),
        ("> .5", ">", 0.5, None),
        ("< 1", "<", 1.0, None),
        ("≥ 0.60 @95%", ">=", 0.6, 0.95),
        (" >= 0.60 @ 99.9 % ", ">=", 0.6, 0.999),
    ],
)
def test_bounds_are_read(text, sign, value, level):
    bound = read_bound(text)
    assert (bound.sign, bound.value, bound.level) == (
        sign,
        pytest.approx(value),
        pytest.approx(level) if level else None,
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("0.6", 'begin with the comparison, as in ">= 0.6"'),
        ("= 0.6", "cannot read"),
        (">= 60", 'write ">= 60%"'),
        (">= -1", "less than 0"),
        (">= 0.6 @20%", "between 50 % and 100 %"),
        (">= 0.6 @100%", "between 50 % and 100 %"),
        (">= abc", "cannot read"),
        ("", "cannot read"),
    ],
)
def test_what_is_no_bound_is_told_with_what_would_be_one(text, hint):
    with pytest.raises(GateError) as error:
        read_bound(text)
    assert hint in str(error.value)


@given(st.text())
def test_any_text_is_a_bound_or_a_gate_error(text):
    with contextlib.suppress(GateError):
        read_bound(text)


@given(st.sampled_from([">=", "<=", ">", "<"]), st.integers(0, 1000), st.sampled_from([None, 0.9, 0.95]))
def test_a_bound_reads_what_it_writes(sign, thousandths, level):
    bound = read_bound(f"{sign} {thousandths / 1000}{f' @{level * 100:g}%' if level else ''}")
    assert read_bound(str(bound)) == bound
