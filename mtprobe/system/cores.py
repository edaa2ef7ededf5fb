"""The number of available cores."""

from __future__ import annotations

import os


def cores() -> int:
    """The cores that this process may use; in a container, that may not be all."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_of_cores() -> int:
    """This process's share when xdist's workers share them."""
    return max(1, cores() // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
