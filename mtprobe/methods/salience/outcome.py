"""The salience of source words: everything that records and reports say about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mtprobe.engine.tokenizers.spans import Span
from mtprobe.statistics.measure import Measure

Kind: TypeAlias = Literal["trigger", "focus", "sign", "other"]

_COHEN = (("large", 0.8), ("medium", 0.5), ("small", 0.2))


@dataclass(frozen=True, slots=True)
class SalienceQuestion:
    """How much does each source word matter for this word of the target?"""

    id: str  # of the sample
    source: str  # of the sample
    target: str  # the correct one
    word: Span  # of the target
    wrong: str  # the incorrect target
    wrong_word: Span | None  # what it has in place of the word; None: nothing
    triggers: tuple[Span, ...]  # of the source; empty: unknown
    focus: Span | None  # the source word that `word` translates: neither a trigger nor `other`
    cluster: str  # of the sample


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the source."""

    text: str  # the word itself
    start: int  # in the source
    end: int  # in the source
    kind: Kind  # what the word is in its sentence
    salience: float | None  # for the target's word; None: no token of the model covers it
    choice: float | None = None  # for the choice between the word and the wrong one, if there is one


@dataclass(frozen=True, slots=True)
class Token:
    """A subword token of the source; punctuation counts as `other`."""

    kind: Kind  # that of its word
    salience: float  # for the target's word


@dataclass(frozen=True, slots=True)
class Salience:
    """The salience of each source word for one word of the target."""

    question: SalienceQuestion  # what was measured
    probability: float  # of the target word, given the whole source
    share: float | None  # of it and the wrong word: p / (p + q)
    words: tuple[Word, ...]  # of the source
    tokens: tuple[Token, ...] = ()  # of the source

    def of_choice(self) -> Salience:
        """With the salience for the choice between the two words."""
        return replace(self, words=tuple(replace(word, salience=word.choice) for word in self.words))

    def mean(self, kind: Kind) -> float | None:
        """The mean salience of words of a kind."""
        values = [word.salience for word in self.words if word.kind == kind and word.salience is not None]
        return math.fsum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Importance:
    """How much more triggers matter than the other words."""

    d: Measure  # Cohen's d; n counts sentences with both kinds of words
    trigger_mean: float  # the mean salience of triggers
    other_mean: float  # the mean salience of the other words
    triggers: int  # words
    others: int  # words
    t: float | None  # of the t-test; None: nothing to test
    p: float | None  # of the same test

    @property
    def effect(self) -> str:
        """The size of d in Cohen's words."""
        value = abs(self.d.value or 0.0)
        return next((name for name, least in _COHEN if value >= least), "trivial")


@dataclass(frozen=True, slots=True)
class SuiteSalience:
    """The salience of a suite's sentences, or of some of them."""

    sentences: tuple[Salience, ...]  # one per sample
    importance: Importance | None  # for the target's word; None: no sentence has triggers
    of_choice: Importance | None = None  # for the choice between the two words
    failed: tuple[tuple[str, str], ...] = ()  # samples that could not be measured, each with the reason
    left_out: int = 0  # samples skipped: no targets in this language, or no word differs in them
    as_published: Importance | None = None  # for the target's word, as the published figures were computed
