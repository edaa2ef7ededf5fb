"""Which words a score rests on: the token log-probabilities of the most telling samples, kept as evidence.

All of them would be the largest part of a record, and hardly any are ever looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import Literal, TypeAlias

from mtprobe.backends.scorer import PlacesTokens, ScorePair
from mtprobe.errors import Failure, ModelError
from mtprobe.methods.method import Scores
from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.store import Store

TELLING = 50  # samples of a block

_Spans: TypeAlias = Sequence[tuple[int, int] | None]


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


def _spans(scorer: PlacesTokens, texts: Iterable[str], store: Store | None) -> Mapping[str, _Spans]:
    """Through the store, so that a model all of whose scores are known need not be loaded."""
    kept = f"{scorer.fingerprint} spans of target tokens"
    wanted = list(texts)
    written = store.translations(kept, wanted) if store is not None else {}
    new = {text: scorer.target_spans(text) for text in wanted if text not in written}
    if store is not None and new:
        store.add_translations(kept, {text: json.dumps(spans) for text, spans in new.items()})
    return {**{text: json.loads(spans) for text, spans in written.items()}, **new}
