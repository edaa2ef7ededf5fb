"""Request failures, classified by how they are handled.

These concern one request; what concerns all of them (a wrong key, no network) is a `ModelError`.
"""

from __future__ import annotations


class Problem(Exception):
    """A request that was not answered properly."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after  # seconds, if the service gave them
        self.wait: float | None = None  # the wait chosen otherwise


class Busy(Problem):
    """Rate-limited or temporarily unavailable: retried until the deadline."""


class Broken(Problem):
    """A bad answer or none: retried a few times, then with fewer sentences at once."""


class NotTheService(Broken):
    """An answer that is not the service's; if there was never a good one, the address is wrong."""


class Unreachable(Problem):
    """No connection: retried a few times, then fatal."""


class Refused(Problem):
    """The service rejects this request, and would again; fewer sentences may pass."""
