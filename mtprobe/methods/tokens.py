"""Which words a score rests on: the token log-probabilities of the most telling samples, kept as evidence.

All of them would be the largest part of a record, and hardly any are ever looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import Literal, Protocol, runtime_checkable

from mtprobe.backends.scorer import ScorePair
from mtprobe.errors import Failure, ModelError
from mtprobe.methods.method import Scores
from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.store import Spans, Store

TELLING = 50  # samples of a block


@runtime_checkable
class PlacesTokens(Protocol):
    """A scorer that can say where in a target its tokens stand."""

    @property
    def fingerprint(self) -> str: ...

    def target_spans(self, text: str) -> Spans:
        """One a token that is scored; None: nowhere, as the end of the sentence."""


def with_tokens(
    results: Sequence[Result],
    scores: Scores,
    scorer: object,
    judges: Literal["translations", "targets"],
    store: Store | None = None,
) -> list[Result]:
    """The results; the most telling ones know their tokens, where the scorer can place them."""
    if not isinstance(scorer, PlacesTokens):
        return list(results)
    telling = nsmallest(TELLING, (one for one in results if one.verdict.evidence), key=_order)
    pairs = {id(one): _pair(one, result, judges) for result in telling for one in result.verdict.evidence}
    scored = {place: pair for place, pair in pairs.items() if isinstance(scores.get(pair), tuple)}
    try:
        spans = _spans(scorer, dict.fromkeys(pair.target for pair in scored.values()), store)
    except ModelError:  # all scores were known, and the model itself is not there any more
        return list(results)

    def told(one: Evidence) -> Evidence:
        pair = scored.get(id(one))
        found = None if pair is None else scores[pair]
        if pair is None or found is None or isinstance(found, Failure):
            return one
        places, end = spans[pair.target], len(pair.target)
        if len(places) != len(found):
            return one
        tokens = tuple((*(place or (end, end)), value) for place, value in zip(places, found, strict=True))
        return replace(one, tokens=tokens)

    known = {
        result.id: replace(
            result, verdict=replace(result.verdict, evidence=tuple(map(told, result.verdict.evidence)))
        )
        for result in telling
    }
    return [known.get(result.id, result) for result in results]


def _order(result: Result) -> tuple[bool, float]:
    """The surest mistakes first, then what was nearly one."""
    verdict = result.verdict
    margin = abs(verdict.margin) if verdict.margin is not None else verdict.confidence or 0.0
    wrong = verdict.outcome is Outcome.INCORRECT
    return not wrong, -margin if wrong else margin


def _pair(one: Evidence, result: Result, judges: Literal["translations", "targets"]) -> ScorePair:
    """What was scored: the translation given a contrastive source, or a target given the source."""
    if judges == "translations":
        return ScorePair(one.text, result.translation or "")
    return ScorePair(result.source, one.text)


def _spans(scorer: PlacesTokens, texts: Iterable[str], store: Store | None) -> Mapping[str, Spans]:
    """Through the store, so that a model all of whose scores are stored need not be loaded."""
    targets = list(texts)
    stored = store.spans(scorer.fingerprint, targets) if store is not None else {}
    computed = {text: scorer.target_spans(text) for text in targets if text not in stored}
    if store is not None and computed:
        store.add_spans(scorer.fingerprint, computed)
    return {**stored, **computed}
