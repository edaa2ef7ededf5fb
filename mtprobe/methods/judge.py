"""A suite's translations → results: degenerate outputs first, then scores in blocks, then verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtprobe.errors import Failure
from mtprobe.methods.degenerate import constant, degenerate
from mtprobe.methods.method import Method, Query
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.progress import Progress
from mtprobe.score.scorer import Scorer
from mtprobe.score.stored import score_all
from mtprobe.store import Store
from mtprobe.suite.sample import Sample, Suite
from mtprobe.translate.backend import LanguagePair

_BLOCK = 4000  # samples whose scores are in memory at once


def judge_all(
    suite: Suite,
    method: Method,
    translations: Mapping[str, str | Failure],
    languages: LanguagePair,
    scorer: Scorer | None,
    store: Store | None,
    progress: Progress,
) -> Iterator[Result]:
    """A result a sample, in the suite's order."""
    made = {source: text for source, text in translations.items() if isinstance(text, str)}
    known_bad = _Degenerate(made, languages)
    for start in range(0, len(suite.samples), _BLOCK):
        block = suite.samples[start : start + _BLOCK]
        early = {sample.id: known_bad.verdict(sample, translations[sample.source]) for sample in block}
        queries = {
            sample.id: method.queries(sample, made[sample.source], suite)
            for sample in block
            if early[sample.id] is None
        }
        verdicts = _verdicts(queries, method, suite, scorer, store, progress)
        for sample in block:
            yield _result(sample, translations[sample.source], early[sample.id] or verdicts[sample.id])


class _Degenerate:
    """Knows which outputs are no translations, the ones that only the whole suite shows included."""

    def __init__(self, translations: Mapping[str, str], languages: LanguagePair) -> None:
        self._constant = constant(translations)
        self._languages = languages

    def verdict(self, sample: Sample, translation: str | Failure) -> Verdict | None:
        if isinstance(translation, Failure):
            return Verdict(Outcome.ERROR, translation.reason)
        reason = degenerate(sample.source, translation, self._languages)
        if reason is None and translation.strip() in self._constant:
            reason = "constant: the same translation stands for different sources"
        return Verdict(Outcome.DEGENERATE, reason) if reason else None


def _verdicts(
    queries: Mapping[str, Sequence[Query]],
    method: Method,
    suite: Suite,
    scorer: Scorer | None,
    store: Store | None,
    progress: Progress,
) -> dict[str, Verdict]:
    pairs = [query.pair for asked in queries.values() for query in asked]
    scores = score_all(scorer, pairs, store, progress) if scorer is not None else {}
    verdicts = {}
    for id, asked in queries.items():
        found = [scores[query.pair] for query in asked]
        failures = [one for one in found if isinstance(one, Failure)]
        if failures:
            verdicts[id] = Verdict(Outcome.ERROR, f"could not be scored: {failures[0].reason}")
        else:
            verdicts[id] = method.judge(asked, [one for one in found if not isinstance(one, Failure)], suite)
    return verdicts


def _result(sample: Sample, translation: str | Failure, verdict: Verdict) -> Result:
    return Result(
        id=sample.id,
        source=sample.source,
        focus=sample.focus,
        category=sample.category,
        attributes=sample.attributes,
        cluster=sample.cluster,
        path=str(sample.place.path),
        line=sample.place.line,
        translation=None if isinstance(translation, Failure) else translation,
        verdict=verdict,
        choices=sample.choices,
    )
