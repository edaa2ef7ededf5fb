"""How much is repeated: each behaviour once or a few times in `make test` and `make test-slow`, all of a sweep in `make soak`."""

from __future__ import annotations

import os
from typing import TypeVar

Case = TypeVar("Case")

SOAKING = bool(os.environ.get("MTPROBE_SOAK"))


def times(short: int, long: int) -> int:
    """The number of repetitions."""
    return long if SOAKING else short


def soak_only(*cases: Case) -> tuple[Case, ...]:
    """More cases of a behaviour of which `make test` has one: `parametrize("n", [1, *soak_only(2, 3)])`."""
    return cases if SOAKING else ()
