"""What was found of a model's salience: all that records and reports say of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mtprobe.engine.tokenizers.spans import Span
from mtprobe.statistics.measure import Measure

Kind: TypeAlias = Literal["trigger", "focus", "sign", "other"]

_COHEN = (("large", 0.8), ("medium", 0.5), ("small", 0.2))


@dataclass(frozen=True, slots=True)
class Question:
    """How much does each source word count for this word of the target?"""

    id: str
    source: str
    target: str
    word: Span  # of the target
    wrong: str  # the target that is not right
    wrong_word: Span | None  # what it has in the word's place; None: nothing
    triggers: tuple[Span, ...]  # of the source; none: nobody knows
    focus: Span | None  # the source word that `word` translates: neither a trigger nor one of the others
    cluster: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the source."""

    text: str
    start: int
    end: int
    kind: Kind
    salience: float | None  # for the target's word; None: the model has no token for it
    choice: float | None = None  # for the choice between the word and the wrong one, where there is one


@dataclass(frozen=True, slots=True)
class Salience:
    """What each source word counts for one word of the target."""

    question: Question
    probability: float  # of the target word, given the whole source
    share: float | None  # of it and the wrong word: p / (p + q)
    words: tuple[Word, ...]

    def of_choice(self) -> Salience:
        """The same for the choice between the two words."""
        return replace(self, words=tuple(replace(word, salience=word.choice) for word in self.words))

    def mean(self, kind: Kind) -> float | None:
        """The mean salience of words of a kind."""
        found = [word.salience for word in self.words if word.kind == kind and word.salience is not None]
        return math.fsum(found) / len(found) if found else None


@dataclass(frozen=True, slots=True)
class Importance:
    """How much more triggers count than the other words."""

    d: Measure  # Cohen's; n counts sentences that have both kinds of words
    trigger_mean: float
    other_mean: float
    triggers: int  # words
    others: int
    t: float | None  # of the paired test; None where there is nothing to test
    p: float | None

    @property
    def effect(self) -> str:
        """The size of d in Cohen's words."""
        value = abs(self.d.value or 0.0)
        return next((name for name, least in _COHEN if value >= least), "trivial")


@dataclass(frozen=True, slots=True)
class SuiteSalience:
    """Of a suite's sentences, or of some of them."""

    sentences: tuple[Salience, ...]
    importance: Importance | None  # for the target's word; None: no sentence has triggers
    of_choice: Importance | None = None  # for the choice between the two words
    failed: tuple[tuple[str, str], ...] = ()  # samples that could not be read, each with the reason
    left_out: int = 0  # samples in whose targets no word differs, or without any in this language
