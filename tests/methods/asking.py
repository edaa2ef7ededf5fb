"""Judging one sample with scores that a test makes up."""

from __future__ import annotations

from mtprobe.backends.protocols import LanguagePair
from mtprobe.methods.method import Ask, Translated


def verdict_of(method, sample, suite, scores, translation="Devemos ter abacates como entrada.", target="pt"):
    """`scores` gives the token log-probabilities of a pair."""
    ask = Ask(suite, LanguagePair("en", target), lambda pairs: {pair: scores(pair) for pair in pairs})
    return method.judge([Translated(sample, translation)], ask)[0]


def in_turn(method, sample, suite, scores, translation="Devemos ter abacates como entrada."):
    """`scores` are those of the method's queries, in their order."""
    asked = method.queries(sample, translation, suite)
    table = dict(zip((query.pair for query in asked), scores, strict=True))
    return verdict_of(method, sample, suite, table.__getitem__, translation)
