"""What can go wrong with a request, by what is to be done about it.

What concerns all requests (a wrong key, no network) is a `ModelError`; these concern one request.
"""

from __future__ import annotations


class Problem(Exception):
    """A request that was not answered as it should be."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after  # seconds, where the service said so
        self.wait: float | None = None  # what was decided otherwise


class Busy(Problem):
    """Too much at once, or a pause of the service: waited for until the deadline."""


class Broken(Problem):
    """A bad answer or none: tried a few times, then with fewer sentences at once."""


class NotTheService(Broken):
    """Something answers that speaks another language; if it never did otherwise, the address is wrong."""


class Unreachable(Problem):
    """Nobody answers at all: tried a few times, then it concerns all."""


class Refused(Problem):
    """The service will not have this request, however often it is asked; fewer sentences may pass."""
