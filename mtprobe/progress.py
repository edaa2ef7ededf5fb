"""How far a long piece of work is: told by the stages, shown by whoever runs them."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    def start(self, stage: str, total: int) -> None:
        """A stage begins that has this many steps."""

    def advance(self, steps: int) -> None:
        """So many more steps are done."""

    def done(self) -> None:
        """The stage is over."""

    def note(self, text: str) -> None:
        """Something that the user should see now, as that a service asked to wait."""


class Silent:
    """For callers that do not look."""

    def start(self, stage: str, total: int) -> None: ...
    def advance(self, steps: int) -> None: ...
    def done(self) -> None: ...
    def note(self, text: str) -> None: ...
