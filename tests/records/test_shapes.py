"""Dataclasses from JSON: what fits its annotation, what does not, and what is passed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pytest

from mtprobe.shapes import Misshapen, made


@dataclass(frozen=True, slots=True)
class Thing:
    name: str
    count: int
    share: float | None = None
    spans: tuple[tuple[int, int], ...] = ()
    held: Mapping[str, str | int] | None = None
    kind: Literal["a", "b"] = "a"


def test_what_fits_is_made_and_what_nobody_knows_is_passed_over():
    value = {
        "name": "x",
        "count": 1,
        "share": 2,
        "spans": ((0, 3),),
        "held": {"k": 1},
        "kind": "b",
        "new": [],
    }
    assert made(Thing, value) == Thing("x", 1, 2, ((0, 3),), {"k": 1}, "b")
    assert made(Thing, {"name": "x", "count": 1, "share": None}) == Thing("x", 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 1}, '"name" cannot be 1'),
        ({"count": True}, '"count" cannot be True'),
        ({"count": 1.0}, '"count" cannot be 1.0'),
        ({"count": 10**5000}, '"count" cannot be so large a number'),
        ({"share": float("nan")}, '"share" cannot be nan'),
        ({"share": float("-inf")}, '"share" cannot be -inf'),
        ({"share": "0.5"}, "\"share\" cannot be '0.5'"),
        ({"spans": ((0, 3, 4),)}, '"spans" cannot be'),
        ({"spans": ((0, None),)}, '"spans" cannot be'),
        ({"held": {"k": [1]}}, '"held" cannot be'),
        ({"kind": "c"}, "\"kind\" cannot be 'c'"),
        ({"kind": "x" * 500}, "…"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    with pytest.raises(Misshapen) as raised:
        made(Thing, {"name": "x", "count": 1, **change})
    assert message in str(raised.value)
    assert len(str(raised.value)) < 120


def test_what_is_missing_is_named():
    with pytest.raises(Misshapen, match='"count" is missing'):
        made(Thing, {"name": "x"})
    with pytest.raises(Misshapen, match="Thing is not a mapping of names to values"):
        made(Thing, ["x", 1])
