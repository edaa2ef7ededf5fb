"""The base class of perturbations: small, deterministic changes to a sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar, TypeAlias

from mtprobe.language import tags

Focus: TypeAlias = tuple[int, int] | None


class Perturbation(ABC):
    name: ClassVar[str]
    about: ClassVar[str]
    """One line for the reference."""
    needs: ClassVar[str]
    """What a sentence must have, for the message where there is nothing to change: "needs a capital letter"."""
    language: ClassVar[str | None] = None
    """The only language whose sentences it can change; None: any."""

    @abstractmethod
    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:
        """The changed sentence; the same one where there is nothing to change. `draw` decides what is left open."""

    def obstacle(self, language: str) -> str:
        """Why it cannot change sentences of a language; empty if it can."""
        if self.language is None or tags.fits(self.language, language):
            return ""
        return f"changes only sentences in {self.language}, and the sources are in {language}"
