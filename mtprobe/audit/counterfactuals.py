"""Counterfactual translations: does the evaluator recognize a reading, and the opposite reading of its counterfactual?

From a translation y that conveys one reading, y′ is made that conveys the other, in place: *L'infirmière est fatiguée* ↔
*L'infirmier est fatigué*. An evaluator that can be believed finds y likelier with the cue of its own reading, c, than with the
other one, c′, and y′ likelier with c′ than with c. Readings are known from the grammar or the lexicon, without a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.audit.exchanges import Exchange, exchanges
from mtprobe.audit.outcome import Counterfactuals
from mtprobe.backends.scorer import ScorePair
from mtprobe.backends.stored import score_all
from mtprobe.methods import Method, Outcome, Preparation
from mtprobe.methods.first_decided import FirstDecided
from mtprobe.methods.method import Ask, Scores, Translated
from mtprobe.methods.scored import side_scores
from mtprobe.methods.verdict import Result, Verdict
from mtprobe.statistics.agreement import proportion
from mtprobe.statistics.measure import Measure

_TRANSLATED = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.OPEN, Outcome.UNDECIDED)


def counterfactual_audit(
    method: Method, preparation: Preparation, results: Sequence[Result], limit: int
) -> tuple[Counterfactuals, ...]:
    """One row per category, on at most this many samples of the suite, chosen by hash.

    `method` is prepared; of combined methods, the one that asks the evaluator is audited.
    """
    evaluator = _asks_evaluator(method)
    if evaluator is None or limit < 1 or not _can_judge_anything(preparation):
        return ()
    judged = {result.id: result for result in results if result.verdict.outcome in _TRANSLATED}
    asked = [
        Translated(sample, judged[sample.id].translation)
        for sample in preparation.suite.take(limit).samples
        if sample.id in judged and judged[sample.id].translation
    ]
    made = list(exchanges(asked, preparation))
    if not made:
        return ()
    known = (
        {} if isinstance(method, FirstDecided) else {id_: result.verdict for id_, result in judged.items()}
    )
    pairs = list(_compare(evaluator, preparation, made, known))
    order = {name: place for place, name in enumerate(preparation.suite.categories)}
    categories = dict.fromkeys(translated.sample.category for translated in asked)
    return tuple(
        _row(category, asked, [pair for pair in pairs if pair.category == category])
        for category in sorted(categories, key=lambda name: order.get(name or "", len(order)))
    )


def _can_judge_anything(preparation: Preparation) -> bool:
    """A file of scores knows only what was scored for it."""
    scorer = preparation.scorer
    return preparation.judge is not None or (scorer is not None and getattr(scorer, "by_place", None) is None)


def _asks_evaluator(method: Method) -> Method | None:
    parts = method.methods if isinstance(method, FirstDecided) else (method,)
    return next(
        (part for part in parts if part.scored_by == "evaluator" and part.judges == "translations"), None
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    category: str | None
    cluster: str
    own: bool  # s(y|c) > s(y|c′)
    other: bool  # s(y′|c′) > s(y′|c)


def _compare(
    evaluator: Method, preparation: Preparation, made: Sequence[Exchange], known: dict[str, Verdict]
) -> Iterator[_Pair]:
    """Scores translations and counterfactuals as samples are scored; translations with a known verdict are not scored again."""
    own = [Translated(exchange.sample, exchange.translation) for exchange in made]
    new = [item for item in own if item.sample.id not in known]
    again = dict(zip((item.sample.id for item in new), evaluator.judge(new, _ask(preparation)), strict=True))
    other = [Translated(exchange.sample, exchange.counterfactual) for exchange in made]
    verdicts = evaluator.judge(other, _ask(preparation))
    pooling = preparation.suite.options.get("pooling", "best")
    for exchange, verdict in zip(made, verdicts, strict=True):
        id_ = exchange.sample.id
        first = side_scores((known | again)[id_].evidence, pooling)
        second = side_scores(verdict.evidence, pooling)
        if {exchange.reading, exchange.other} <= first.keys() & second.keys():
            yield _Pair(
                exchange.sample.category,
                exchange.sample.cluster,
                first[exchange.reading] > first[exchange.other],
                second[exchange.other] > second[exchange.reading],
            )


def _ask(preparation: Preparation) -> Ask:
    def scores(pairs: Sequence[ScorePair]) -> Scores:
        if preparation.scorer is None:
            return {}
        return score_all(preparation.scorer, pairs, preparation.store, preparation.progress)

    return Ask(preparation.suite, preparation.languages, scores)


def _row(category: str | None, asked: Sequence[Translated], pairs: Sequence[_Pair]) -> Counterfactuals:
    return Counterfactuals(
        category,
        both=_share(pairs, [pair.own and pair.other for pair in pairs]),
        own=_share(pairs, [pair.own for pair in pairs]),
        other=_share(pairs, [pair.other for pair in pairs]),
        asked=sum(translated.sample.category == category for translated in asked),
    )


def _share(pairs: Sequence[_Pair], holds: Sequence[bool]) -> Measure:
    if not pairs:
        return Measure.nothing("no translation could be exchanged")
    everything = np.ones(len(pairs), dtype=bool)
    return proportion(np.array(holds, dtype=bool), everything, [pair.cluster for pair in pairs])
