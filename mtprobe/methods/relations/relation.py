"""The base class of relations: whether two related translations behave as the suite requires."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.comparison import Lexicon, Reader, Reading
from mtprobe.language.comparison.reading import source_words
from mtprobe.methods.verdict import Outcome
from mtprobe.suite.sample import Sample


@dataclass(frozen=True)
class Case:
    """A sample with one of its further sources, and both translations; of a round trip, the translation and the way back."""

    sample: Sample
    other: str  # the further source; of a round trip, the back-translation
    first: Reading
    second: Reading  # of a round trip, that of the translation again
    reader: Reader  # of the target language
    source: Lexicon  # of the source language
    languages: LanguagePair

    @cached_property
    def words(self) -> tuple[list[str], list[str]]:
        """The words of both sources, case-folded."""
        return source_words(self.sample.source), source_words(self.other)


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a relation holds; if not, or if nobody can say, why."""

    outcome: Outcome
    reason: str = ""
    spans: tuple[tuple[str, str], ...] = ()  # what differs: of the first translation, and of the second

    @classmethod
    def holds(cls) -> Finding:
        return cls(Outcome.CORRECT)


class Relation(ABC):
    name: ClassVar[str]
    about: ClassVar[str]
    """One line for the reference."""
    needs_back: ClassVar[bool] = False
    """It compares a source with its back-translation, by a second model, and not with a further source."""

    @abstractmethod
    def judge(self, case: Case) -> Finding:
        """Correct: the relation holds. Incorrect: an alarm. Undecided where both are possible."""

    def lacks(self, sample: Sample) -> str | None:
        """The keys that a sample needs for this relation and lacks."""
        if not self.needs_back and not sample.against:
            return f"needs `against` or `perturb` for `relation: {self.name}`"
        return None
