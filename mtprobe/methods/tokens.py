"""Token log-probabilities of the most informative samples, as evidence of the words that a score depends on.

Those of all samples would be the largest part of a record, and hardly any are ever looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import Literal

from mtprobe.backends.scorer import JoinedLogProbs, PlacesTokens, ScorePair
from mtprobe.backends.stored import spans_of
from mtprobe.errors import Failure, ModelError
from mtprobe.methods.method import Scores
from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.store import Store

TELLING = 50  # samples per block


def with_tokens(
    results: Sequence[Result],
    scores: Scores,
    scorer: object,
    judges: Literal["translations", "targets"],
    store: Store | None = None,
) -> list[Result]:
    """The results; the most telling ones with their tokens, if the scorer can place them."""
    if not isinstance(scorer, PlacesTokens):
        return list(results)
    telling = nsmallest(TELLING, (result for result in results if result.verdict.evidence), key=_order)
    pairs = {
        id(evidence): _pair(evidence, result, judges)
        for result in telling
        for evidence in result.verdict.evidence
    }
    scored = {place: pair for place, pair in pairs.items() if isinstance(scores.get(pair), tuple)}
    # Several scorers whose tokens are not the same have none to show.
    try:
        spans = spans_of(scorer, dict.fromkeys(pair.target for pair in scored.values()), store)
    except ModelError:  # all scores were stored, and the model itself is gone
        return list(results)

    def add_tokens(evidence: Evidence) -> Evidence:
        pair = scored.get(id(evidence))
        logprobs = None if pair is None else scores[pair]
        if pair is None or logprobs is None or isinstance(logprobs, Failure):
            return evidence
        if isinstance(logprobs, JoinedLogProbs):
            logprobs = logprobs.by_token
        places, end = spans.get(pair.target), len(pair.target)
        if places is None or len(places) != len(logprobs):
            return evidence
        tokens = tuple((*(place or (end, end)), value) for place, value in zip(places, logprobs, strict=True))
        return replace(evidence, tokens=tokens)

    completed = {
        (result.id, result.repeat): replace(
            result, verdict=replace(result.verdict, evidence=tuple(map(add_tokens, result.verdict.evidence)))
        )
        for result in telling
    }
    return [completed.get((result.id, result.repeat), result) for result in results]


def _order(result: Result) -> tuple[bool, float]:
    """The surest mistakes first, then the nearest misses."""
    verdict = result.verdict
    margin = abs(verdict.margin) if verdict.margin is not None else verdict.confidence or 0.0
    wrong = verdict.outcome is Outcome.INCORRECT
    return not wrong, -margin if wrong else margin


def _pair(evidence: Evidence, result: Result, judges: Literal["translations", "targets"]) -> ScorePair:
    """The scored pair: the translation given a contrastive source, or a target given the source."""
    if judges == "translations":
        return ScorePair(evidence.text, result.translation or "")
    return ScorePair(result.source, evidence.text)
