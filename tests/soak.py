"""How long the long checks are: short in `make test`, long in `make soak`."""

from __future__ import annotations

import os

SOAKING = bool(os.environ.get("MTPROBE_SOAK"))


def times(short: int, long: int) -> int:
    """The number of repetitions that is wanted."""
    return long if SOAKING else short
