"""How many cores there are to work on."""

from __future__ import annotations

import os


def cores() -> int:
    """Those that this process may use, which in a container are not all there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_of_cores() -> int:
    """Those that are left for this process where xdist's workers share them."""
    return max(1, cores() // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
