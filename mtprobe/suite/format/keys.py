"""Keys that a method adds to suites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mtprobe.errors import Problem
from mtprobe.suite.format.fields import Strict

if TYPE_CHECKING:
    from mtprobe.suite.sample import Suite


class MethodKeys(Strict):
    """The keys of a method at the top level of a suite; each needs a default, and a docstring for the reference.

    Their values are `Suite.options`. Methods may share a key if they declare it alike.
    """

    @classmethod
    def problems(cls, suite: Suite) -> Iterator[Problem]:  # noqa: ARG003 - for those that check more
        """Problems of the values, given the rest of the suite."""
        yield from ()
