"""The salience of source words, for records and reports."""

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
    """The question how salient each source word is for one word of the target."""

    id: str  # the sample's id
    source: str  # the sample's source
    target: str  # the correct target
    word: Span  # the word of the target
    wrong: str  # the incorrect target
    wrong_word: Span | None  # the word in its place in the incorrect target; null: none
    triggers: tuple[Span, ...]  # trigger words in the source; empty: unknown
    focus: Span | None  # the source word that `word` translates; neither a trigger nor `other`
    cluster: str  # the sample's cluster


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the source."""

    text: str  # the word itself
    start: int  # start in the source
    end: int  # end in the source
    kind: Kind  # the role of the word in the sentence
    salience: float | None  # for the target's word; null: no token of the model covers it
    choice: float | None = None  # for the choice between the word and the wrong word, if there is one


@dataclass(frozen=True, slots=True)
class Token:
    """A subword token of the source; punctuation counts as `other`."""

    kind: Kind  # the kind of its word
    salience: float  # for the target's word


@dataclass(frozen=True, slots=True)
class Salience:
    """The salience of each source word for one word of the target."""

    question: SalienceQuestion  # what was measured
    probability: float  # probability of the target word, given the complete source
    share: float | None  # its share of the probability of both words: p / (p + q)
    words: tuple[Word, ...]  # the words of the source
    tokens: tuple[Token, ...] = ()  # the tokens of the source

    def of_choice(self) -> Salience:
        """With the salience for the choice between the two words."""
        return replace(self, words=tuple(replace(word, salience=word.choice) for word in self.words))

    def mean(self, kind: Kind) -> float | None:
        """The mean salience of words of a kind."""
        values = [word.salience for word in self.words if word.kind == kind and word.salience is not None]
        return math.fsum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Importance:
    """How much more salient triggers are than other words."""

    d: Measure  # Cohen's d; n counts sentences with both kinds of words
    trigger_mean: float  # the mean salience of triggers
    other_mean: float  # the mean salience of the other words
    triggers: int  # number of trigger words
    others: int  # number of other words
    t: float | None  # of the t-test; null if there is nothing to test
    p: float | None  # of the same test

    @property
    def effect(self) -> str:
        """The size of d in Cohen's words."""
        value = abs(self.d.value or 0.0)
        return next((name for name, least in _COHEN if value >= least), "trivial")


@dataclass(frozen=True, slots=True)
class SuiteSalience:
    """The salience of some or all sentences of a suite."""

    sentences: tuple[Salience, ...]  # one per sample
    importance: Importance | None  # for the target's word; null: no sentence has triggers
    of_choice: Importance | None = None  # for the choice between the two words
    failed: tuple[tuple[str, str], ...] = ()  # samples that could not be measured, each with its reason
    left_out: int = 0  # samples skipped because they have no targets in this language, or identical ones
    as_published: Importance | None = None  # for the target's word, computed as in the published figures
